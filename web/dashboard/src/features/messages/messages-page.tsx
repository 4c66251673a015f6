import { useMediaQuery } from "@mantine/hooks";
import { Navigate } from "@tanstack/react-router";
import { useMemo } from "react";
import type { Objects } from "../../data/client.ts";
import { useHere, useZone } from "../../data/here.tsx";
import { useList } from "../../data/queries.ts";
import { type Filter, Filters } from "../../parts/filters/filters.tsx";
import { periodOf } from "../../parts/filters/period.ts";
import { SavedViews } from "../../parts/filters/saved-views.tsx";
import { type Search, useSearch, useSearchText } from "../../parts/filters/search.ts";
import { UnverifiedNote, useUnverified } from "../../parts/notes/unverified-note.tsx";
import { type Column, Listing } from "../../parts/pages/list-page.tsx";
import { Empty, Page } from "../../parts/pages/page.tsx";
import { CodeBlock } from "../../parts/shown/raw-json.tsx";
import { Status, useStatusText } from "../../parts/shown/status.tsx";
import { When } from "../../parts/shown/when.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { LiveNotes } from "./live-notes.tsx";
import { messageWords } from "./messages.words.ts";
import { Outbox } from "./outbox.tsx";
import "./parts/messages.css";

type Email = Objects["Email"];

const statuses = [
  "scheduled",
  "queued",
  "sending",
  "sent",
  "delivery_delayed",
  "delivered",
  "bounced",
  "complained",
  "failed",
  "suppressed",
  "canceled",
];

export default function MessagesPage() {
  const words = useWords(messageWords);
  const all = useWords(shared);
  const here = useHere();
  const isWide = useMediaQuery("(min-width: 62em)", true, { getInitialValueInEffect: false });
  const { values } = useSearch();
  const chosen = useSearchText("mail");
  const list = useList<Email>("GET /v1/emails", { query: queryOf(values, useZone()) });
  const filters = useFilters(values);
  const columns = useColumns();
  const unverified = useUnverified();
  const empty = (
    <Empty title={words.emptyTitle} text={words.emptyText}>
      <UnverifiedNote what="messages" />
      {unverified === null ? <CodeBlock label="curl" text={curl()} /> : null}
    </Empty>
  );
  // A URL from a wide screen has the message that is open next to the list. LIVE never writes one: there it can only be a TEST message of a
  // saved view.
  if (!here.livemode && !isWide && chosen !== undefined) return <Navigate to={here.to(`/messages/${chosen}`)} replace />;
  if (here.livemode || !isWide)
    return (
      <Page title={words.title}>
        <LiveNotes />
        {here.livemode ? null : <p className="soft">{words.testText}</p>}
        <Listing
          list={list}
          columns={columns}
          filters={filters}
          search={words.search}
          period={all.created}
          views="messages"
          label={words.title}
          idOf={(email) => email.id}
          hrefOf={(email) => here.to(`/messages/${email.id}`)}
          empty={empty}
        />
      </Page>
    );
  return (
    <Page title={words.title}>
      <p className="soft">{words.testText}</p>
      <div className="filter-line">
        <Filters filters={filters} search={words.search} period={all.created} />
        <SavedViews name="messages" />
      </div>
      <Outbox list={list} empty={empty} />
    </Page>
  );
}

function useColumns(): Column<Email>[] {
  const words = useWords(messageWords);
  const all = useWords(shared);
  return useMemo(
    () => [
      { label: words.to, phone: "title", show: (email) => <span className="cut">{[email.to].flat().join(", ")}</span> },
      {
        label: words.subject,
        phone: "note",
        show: (email) => <span className="cut">{email.subject === "" ? words.noSubject : email.subject}</span>,
      },
      { label: all.status, phone: "state", show: (email) => <Status status={email.status} /> },
      { label: words.from, show: (email) => <span className="cut soft">{email.from}</span> },
      { label: all.created, end: true, phone: "amount", show: (email) => <When at={email.created_at} /> },
    ],
    [words, all],
  );
}

/** A tag is chosen on a message's page; here it is shown and can be removed. */
function useFilters({ tag }: Search): Filter[] {
  const words = useWords(messageWords);
  const all = useWords(shared);
  const text = useStatusText();
  const tags = [tag ?? []].flat().map((value) => ({ value, label: value }));
  return [
    { name: "status", label: all.status, options: statuses.map((value) => ({ value, label: text(value) })) },
    { name: "tag", label: words.tags, options: tags },
  ];
}

function queryOf(values: Search, zone: string | undefined): Record<string, unknown> {
  const { q, status, tag } = values;
  return { q, status, tag, ...periodOf(values, zone) };
}

function curl(): string {
  return [
    `curl ${location.origin}/v1/emails \\`,
    '  -H "Authorization: Bearer svc_…" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '{"from": "Shop <orders@shop.example.com>", "to": "ada@example.com", "subject": "Your order", "text": "Thank you."}'`,
  ].join("\n");
}
