import { useMemo } from "react";
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
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { useSending } from "./send/use-sending.tsx";
import { Contact, type Sms, SmsTabs } from "./shown/contact.tsx";
import { smsWords } from "./shown/sms.words.ts";
import { useMissingText } from "./shown/use-missing-text.ts";
import "./shown/sms.css";

const statuses = ["scheduled", "queued", "sending", "sent", "delivered", "undelivered", "failed", "canceled", "received"];
const directions = ["outbound", "inbound"] as const;

export default function SmsPage() {
  const words = useWords(smsWords);
  const all = useWords(shared);
  const here = useHere();
  const { values } = useSearch();
  const list = useList<Sms>("GET /v1/sms", { query: queryOf(values, useZone()) });
  const unverified = useUnverified();
  const { button, dialog } = useSending();
  return (
    <Page title={words.title} actions={button}>
      <SuspendedNote />
      <PausedNote channels={["sms"]} />
      {here.livemode ? null : <p className="soft">{words.testText}</p>}
      <SmsTabs />
      <Listing
        list={list}
        columns={useColumns()}
        filters={useFilters(values)}
        search={words.search}
        period={all.created}
        views="sms"
        label={words.title}
        idOf={(sms) => sms.id}
        hrefOf={(sms) => here.to(`/sms/${sms.id}`)}
        empty={
          <Empty title={words.emptyTitle} text={here.may("sms") ? <WithKeys text={words.emptyText} /> : undefined}>
            <UnverifiedNote what="messages" />
            {unverified === null ? <CodeBlock label="curl" text={curl()} /> : null}
          </Empty>
        }
      />
      {dialog}
    </Page>
  );
}

function Conversation({ sms }: { sms: Sms }) {
  const missing = useMissingText();
  return <span className="cut cut-long">{sms.body ?? <span className="soft">{missing(sms)}</span>}</span>;
}

function useColumns(): Column<Sms>[] {
  const words = useWords(smsWords);
  const all = useWords(shared);
  return useMemo(
    () => [
      { label: words.number, phone: "title", show: (sms) => <Contact sms={sms} /> },
      { label: words.text, phone: "note", show: (sms) => <Conversation sms={sms} /> },
      { label: all.status, phone: "state", show: (sms) => <ScheduledStatus status={sms.status} scheduledAt={sms.scheduled_at} /> },
      { label: words.parts, end: true, show: (sms) => sms.segments },
      { label: all.created, end: true, phone: "amount", show: (sms) => <When at={sms.created_at} /> },
    ],
    [words, all],
  );
}

/** A tag is chosen on a message's page; here it is shown and can be removed. */
function useFilters({ tag }: Search): Filter[] {
  const words = useWords(smsWords);
  const all = useWords(shared);
  const text = useStatusText();
  return [
    { name: "status", label: all.status, options: statuses.map((value) => ({ value, label: text(value) })) },
    { name: "direction", label: words.direction, options: directions.map((value) => ({ value, label: words.directions[value] })) },
    { name: "tag", label: words.tags, options: [tag ?? []].flat().map((value) => ({ value, label: value })) },
  ];
}

function queryOf(values: Search, zone: string | undefined): Record<string, unknown> {
  const { q, status, direction, tag } = values;
  return { q, status, direction, tag, ...periodOf(values, zone) };
}

function curl(): string {
  return [
    `curl ${location.origin}/v1/sms \\`,
    '  -H "Authorization: Bearer svc_…" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '{"to": "+15005551000", "body": "Your order INV-1001 is on its way."}'`,
  ].join("\n");
}
