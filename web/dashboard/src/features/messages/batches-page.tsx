import type { Objects } from "../../data/client.ts";
import { useHere } from "../../data/here.tsx";
import { useList } from "../../data/queries.ts";
import { UnverifiedNote, useUnverified } from "../../parts/notes/unverified-note.tsx";
import { type Column, Rows } from "../../parts/pages/list-page.tsx";
import { Empty, Page } from "../../parts/pages/page.tsx";
import { CodeBlock } from "../../parts/shown/raw-json.tsx";
import { Badge, Status } from "../../parts/shown/status.tsx";
import { When } from "../../parts/shown/when.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { batchWords } from "./batches.words.ts";
import { LiveNotes } from "./live-notes.tsx";
import "./parts/messages.css";

type Batch = Objects["Batch"];

export default function BatchesPage() {
  const words = useWords(batchWords);
  const here = useHere();
  const unverified = useUnverified();
  const list = useList<Batch>("GET /v1/batches");
  return (
    <Page title={words.title}>
      <LiveNotes />
      <p className="soft">{words.text}</p>
      <Rows
        list={list}
        label={words.title}
        idOf={(batch) => batch.id}
        hrefOf={(batch) => here.to(`/batches/${batch.id}`)}
        columns={useColumns()}
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

function useColumns(): Column<Batch>[] {
  const words = useWords(batchWords);
  const all = useWords(shared);
  return [
    {
      label: words.batch,
      phone: "title",
      show: (batch) => (
        <code translate="no" className="batch-id">
          {batch.id.slice(0, 4)}…{batch.id.slice(-8)}
        </code>
      ),
    },
    { label: words.messages, end: true, phone: "amount", show: (batch) => words.count(batch.total) },
    { label: all.status, phone: "state", show: (batch) => <Outcomes batch={batch} /> },
    { label: all.created, end: true, phone: "note", show: (batch) => <When at={batch.created_at} /> },
  ];
}

const maxStates = 2;

/** The statuses of a batch's messages, the most frequent first. */
function Outcomes({ batch }: { batch: Batch }) {
  const words = useWords(batchWords);
  const states = Object.entries(batch.statuses).sort(([, left], [, right]) => right - left);
  const refused = batch.total - batch.accepted;
  const rest = states.length - maxStates;
  return (
    <span className="line batch-fate">
      {states.slice(0, maxStates).map(([status, count]) => (
        <span key={status} className="line">
          <Status status={status} />
          {states.length > 1 ? <span className="soft">{count}</span> : null}
        </span>
      ))}
      {rest > 0 ? <span className="soft">+{rest}</span> : null}
      {refused > 0 ? <Badge tone="failed">{words.refused(refused)}</Badge> : null}
    </span>
  );
}

function curl(): string {
  return [
    `curl ${location.origin}/v1/emails/batch \\`,
    '  -H "Authorization: Bearer svc_…" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '[{"from": "orders@shop.example.com", "to": "ada@example.com", "subject": "Your order", "text": "Thank you."}]'`,
  ].join("\n");
}
