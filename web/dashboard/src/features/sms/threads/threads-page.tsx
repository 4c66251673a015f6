import type { Objects } from "../../../data/client.ts";
import { useHere } from "../../../data/here.tsx";
import { useList } from "../../../data/queries.ts";
import { useSearchText } from "../../../parts/filters/search.ts";
import { SuspendedNote } from "../../../parts/notes/suspended-note.tsx";
import { type Column, Listing } from "../../../parts/pages/list-page.tsx";
import { Empty, Page } from "../../../parts/pages/page.tsx";
import { CodeBlock } from "../../../parts/shown/raw-json.tsx";
import { Badge, Status } from "../../../parts/shown/status.tsx";
import { When } from "../../../parts/shown/when.tsx";
import { useWords } from "../../../words/language.tsx";
import { shared } from "../../../words/shared.ts";
import { useSending } from "../send/use-sending.tsx";
import { SmsTabs, threadPath } from "../shown/contact.tsx";
import { smsWords } from "../shown/sms.words.ts";
import { useMissingText } from "../shown/use-missing-text.ts";
import { threadWords } from "./threads.words.ts";
import "../shown/sms.css";

type Thread = Objects["SmsThread"];

export default function ThreadsPage() {
  const words = useWords(threadWords);
  const sms = useWords(smsWords);
  const here = useHere();
  const { button, dialog } = useSending();
  const list = useList<Thread>("GET /v1/sms/threads", { query: { q: useSearchText("q") } });
  return (
    <Page title={sms.title} actions={button}>
      <SuspendedNote />
      <p className="soft">{words.text}</p>
      <SmsTabs />
      <Listing
        list={list}
        columns={useColumns()}
        filters={[]}
        search={words.search}
        label={sms.threads}
        idOf={(thread) => `${thread.contact} ${thread.number}`}
        hrefOf={(thread) => here.to(threadPath(thread))}
        empty={
          <Empty title={words.emptyTitle} text={here.livemode ? words.emptyText : words.emptyTest}>
            {here.livemode ? null : <CodeBlock label="curl" text={curl()} />}
          </Empty>
        }
      />
      {dialog}
    </Page>
  );
}

function useColumns(): Column<Thread>[] {
  const words = useWords(threadWords);
  const all = useWords(shared);
  return [
    { label: words.contact, phone: "title", show: (thread) => <span translate="no">{thread.contact}</span> },
    { label: words.last, phone: "note", show: (thread) => <Last thread={thread} /> },
    { label: all.status, phone: "state", show: (thread) => <State thread={thread} /> },
    { label: words.number, show: (thread) => <span translate="no">{thread.number}</span> },
    { label: words.wrote, end: true, phone: "amount", show: (thread) => <When at={thread.received_at} /> },
  ];
}

function Last({ thread: { last_message: last } }: { thread: Thread }) {
  const words = useWords(threadWords);
  const missing = useMissingText();
  if (last.body === null) return <span className="cut cut-long soft">{missing(last)}</span>;
  const from = last.direction === "inbound" ? null : last.keyword === null ? words.you : words.automatic;
  return <span className="cut cut-long">{from === null ? last.body : from(last.body)}</span>;
}

function State({ thread }: { thread: Thread }) {
  const words = useWords(threadWords);
  if (thread.opted_out_at !== null) return <Badge tone="expired">{words.optedOut}</Badge>;
  return <Status status={thread.last_message.status} />;
}

function curl(): string {
  return [
    `curl ${location.origin}/v1/test/inbound \\`,
    '  -H "Authorization: Bearer svc_test_…" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '{"sms": {"from": "+15005551000", "body": "Is my order ready?"}}'`,
  ].join("\n");
}
