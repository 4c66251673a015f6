import { useMemo } from "react";
import type { Objects } from "../../data/client.ts";
import { useHere, useZone } from "../../data/here.tsx";
import { useList } from "../../data/queries.ts";
import type { Filter } from "../../parts/filters/filters.tsx";
import { periodOf } from "../../parts/filters/period.ts";
import { type Search, useSearch } from "../../parts/filters/search.ts";
import { PausedNote } from "../../parts/notes/paused-note.tsx";
import { SuspendedNote } from "../../parts/notes/suspended-note.tsx";
import { UnverifiedNote, useUnverified } from "../../parts/notes/unverified-note.tsx";
import { type Column, Listing } from "../../parts/pages/list-page.tsx";
import { Empty, Page } from "../../parts/pages/page.tsx";
import { CodeBlock } from "../../parts/shown/raw-json.tsx";
import { Status, useStatusText } from "../../parts/shown/status.tsx";
import { When } from "../../parts/shown/when.tsx";
import { verificationOf } from "../../parts/verification-of.ts";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { callWords } from "./calls.words.ts";
import { clock } from "./player/clock.ts";
import "./calls.css";

type Call = Objects["Call"];

const statuses = ["scheduled", "queued", "initiated", "ringing", "in_progress", "completed", "busy", "no_answer", "failed", "canceled"];

export default function CallsPage() {
  const words = useWords(callWords);
  const all = useWords(shared);
  const here = useHere();
  const { values } = useSearch();
  const list = useList<Call>("GET /v1/calls", { query: queryOf(values, useZone()) });
  const unverified = useUnverified();
  return (
    <Page title={words.title}>
      <SuspendedNote />
      <PausedNote channels={["call"]} />
      {here.livemode ? null : <p className="soft">{words.testText}</p>}
      <Listing
        list={list}
        columns={useColumns()}
        filters={useFilters(values)}
        search={words.search}
        period={all.created}
        views="calls"
        label={words.title}
        idOf={(call) => call.id}
        hrefOf={(call) => here.to(`/calls/${call.id}`)}
        empty={
          <Empty title={words.emptyTitle} text={words.emptyText}>
            <UnverifiedNote what="messages" />
            {unverified === null ? <CodeBlock label="curl" text={curl()} /> : null}
          </Empty>
        }
      />
    </Page>
  );
}

function useColumns(): Column<Call>[] {
  const words = useWords(callWords);
  const all = useWords(shared);
  return useMemo(
    () => [
      { label: words.to, phone: "title", show: (call) => <span translate="no">{call.to}</span> },
      { label: words.script, phone: "note", show: (call) => <Says call={call} /> },
      { label: all.status, phone: "state", show: (call) => <Status status={call.status} /> },
      {
        label: words.duration,
        end: true,
        show: (call) => (call.duration === null ? <span className="soft">–</span> : clock(call.duration)),
      },
      { label: all.created, end: true, phone: "amount", show: (call) => <When at={call.created_at} /> },
    ],
    [words, all],
  );
}

/** What a call was to say or do, in a few words. */
function Says({ call }: { call: Call }) {
  const words = useWords(callWords);
  const { text, audio_url, actions, answer_url } = call;
  const first = (actions as { verb?: string; text?: string | null }[] | null)?.find(({ verb }) => verb === "say")?.text;
  if (text !== null) return <span className="cut cut-long">{text}</span>;
  if (actions !== null)
    return <span className="cut cut-long">{[words.steps(actions.length), first ?? ""].filter((one) => one !== "").join(" · ")}</span>;
  if (audio_url !== null) return <span className="cut cut-long">{words.playsSound}</span>;
  if (answer_url !== null) return <span className="cut cut-long soft">{words.asksAddress}</span>;
  return <span className="cut cut-long soft">{verificationOf(call) === null ? words.deleted : words.saysCode}</span>;
}

function useFilters({ tag }: Search): Filter[] {
  const words = useWords(callWords);
  const all = useWords(shared);
  const text = useStatusText();
  return [
    { name: "status", label: all.status, options: statuses.map((value) => ({ value, label: text(value) })) },
    { name: "tag", label: words.tags, options: [tag ?? []].flat().map((value) => ({ value, label: value })) },
  ];
}

function queryOf(values: Search, zone: string | undefined): Record<string, unknown> {
  const { q, status, tag } = values;
  return { q, status, tag, ...periodOf(values, zone) };
}

function curl(): string {
  return [
    `curl ${location.origin}/v1/calls \\`,
    '  -H "Authorization: Bearer svc_…" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '{"from": "+15005550006", "to": "+15005552000", "text": "Your order has been shipped."}'`,
  ].join("\n");
}
