import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
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
import { ScheduledStatus } from "../../parts/shown/scheduled.tsx";
import { useStatusText } from "../../parts/shown/status.tsx";
import { When } from "../../parts/shown/when.tsx";
import { WithKeys } from "../../parts/shown/with-keys.tsx";
import { verificationOf } from "../../parts/verification-of.ts";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { callWords } from "./calls.words.ts";
import { placeWords } from "./place.words.ts";
import { PlaceCall } from "./place-call.tsx";
import { clock } from "./player/clock.ts";
import "./calls.css";

type Call = Objects["Call"];

const statuses = ["scheduled", "queued", "initiated", "ringing", "in_progress", "completed", "busy", "no_answer", "failed", "canceled"];

export default function CallsPage() {
  const words = useWords(callWords);
  const all = useWords(shared);
  const here = useHere();
  const { values, set } = useSearch();
  const placing = useWords(placeWords);
  const list = useList<Call>("GET /v1/calls", { query: queryOf(values, useZone()) });
  const unverified = useUnverified();
  const place = here.may("calls") ? (
    <Button leftSection={<IconPlus size={16} stroke={1.5} />} onClick={() => set({ new: "1" })}>
      {placing.place}
    </Button>
  ) : null;
  return (
    <Page title={words.title} actions={place}>
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
          <Empty title={words.emptyTitle} text={here.may("calls") ? <WithKeys text={words.emptyText} /> : undefined}>
            <UnverifiedNote what="messages" />
            {unverified === null ? <CodeBlock label="curl" text={curl()} /> : null}
          </Empty>
        }
      />
      {values["new"] === undefined ? null : <PlaceCall onClose={() => set({ new: undefined })} />}
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
      { label: all.status, phone: "state", show: (call) => <ScheduledStatus status={call.status} scheduledAt={call.scheduled_at} /> },
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

/** How long a call lasted, where the list has no column for that, and what it was to say or do, in a few words. */
function Says({ call }: { call: Call }) {
  const script = useScript()(call);
  const { duration } = call;
  return (
    <span className="cut cut-long">
      {duration === null ? null : <span className="on-phone">{clock(duration)} · </span>}
      {script.isPlain ? script.text : <span className="soft">{script.text}</span>}
    </span>
  );
}

function useScript(): (call: Call) => { text: string; isPlain: boolean } {
  const words = useWords(callWords);
  return (call) => {
    const { text, audio_url, actions, answer_url } = call;
    const first = (actions as { verb?: string; text?: string | null }[] | null)?.find(({ verb }) => verb === "say")?.text;
    if (text !== null) return { text, isPlain: true };
    if (actions !== null)
      return { text: [words.steps(actions.length), first ?? ""].filter((one) => one !== "").join(" · "), isPlain: true };
    if (audio_url !== null) return { text: words.playsSound, isPlain: true };
    if (answer_url !== null) return { text: words.asksAddress, isPlain: false };
    return { text: verificationOf(call) === null ? words.deleted : words.saysCode, isPlain: false };
  };
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
