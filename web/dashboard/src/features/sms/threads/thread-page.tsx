import { Button } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { Link, useParams } from "@tanstack/react-router";
import type { Objects } from "../../../data/client.ts";
import { useHere } from "../../../data/here.tsx";
import { useApi, useList } from "../../../data/queries.ts";
import { SuspendedNote } from "../../../parts/notes/suspended-note.tsx";
import { type Fact, Facts } from "../../../parts/pages/object-page.tsx";
import { Page, RowSkeletons, Trouble } from "../../../parts/pages/page.tsx";
import { Country } from "../../../parts/shown/country.tsx";
import { Badge } from "../../../parts/shown/status.tsx";
import { When } from "../../../parts/shown/when.tsx";
import { useWords } from "../../../words/language.tsx";
import type { Sms } from "../shown/contact.tsx";
import { smsWords } from "../shown/sms.words.ts";
import { Bubbles } from "./bubbles.tsx";
import { Reply, type ReplyProps } from "./reply.tsx";
import { threadWords } from "./threads.words.ts";
import "../shown/sms.css";

type Thread = Objects["SmsThread"];

/** The conversation of two numbers, the newest message at the bottom. */
export default function ThreadPage() {
  const { contact = "", number = "" } = useParams({ strict: false }) as { contact?: string; number?: string };
  const words = useWords(threadWords);
  const { threads } = useWords(smsWords);
  const here = useHere();
  const thread = useApi("GET /v1/sms/threads", { query: { contact: [contact], number: [number], limit: 1 } }).data?.data[0];
  const optedOut = thread?.opted_out_at ?? null;
  return (
    <Page
      title={contact}
      aside={optedOut === null ? null : <Badge tone="expired">{words.optedOut}</Badge>}
      back={
        <Link to={here.to("/sms/threads")} className="back">
          <IconArrowLeft size={16} stroke={1.5} /> {threads}
        </Link>
      }
    >
      <SuspendedNote />
      <div className="talk">
        <section className="talk-main" aria-label={words.title(contact)}>
          <Messages contact={contact} number={number} isStopped={optedOut !== null} />
          {optedOut === null ? null : <Stopped since={optedOut} />}
          {here.may("sms") ? <Reply contact={contact} number={number} isStopped={optedOut !== null} /> : null}
        </section>
        <Facts facts={useFacts(number, thread)} />
      </div>
    </Page>
  );
}

function useFacts(number: string, thread: Thread | undefined): (Fact | null)[] {
  const words = useWords(threadWords);
  return [
    { label: words.number, value: <span translate="no">{number}</span> },
    thread === undefined ? null : { label: words.country, value: <Country code={thread.country} /> },
    thread === undefined ? null : { label: words.wrote, value: <When at={thread.received_at} long /> },
  ];
}

function Messages({ contact, number, isStopped }: ReplyProps) {
  const words = useWords(threadWords);
  const list = useList<Sms>("GET /v1/sms", { query: { from: [contact, number], to: [contact, number] } });
  if (list.data === undefined)
    return list.error === null ? <RowSkeletons count={6} /> : <Trouble error={list.error} again={() => void list.refetch()} />;
  const messages = list.data.pages.flatMap(({ data }) => data).toReversed();
  if (messages.length === 0) return <p className="soft">{words.none}</p>;
  return (
    <div className="bubble-frame">
      <div className="bubble-list" aria-live="polite">
        {list.hasNextPage ? (
          <Button variant="subtle" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {words.earlier}
          </Button>
        ) : null}
        <Bubbles messages={messages} isStopped={isStopped} />
      </div>
    </div>
  );
}

function Stopped({ since }: { since: string }) {
  const words = useWords(threadWords);
  const here = useHere();
  return (
    <p className="talk-event" role="status">
      <strong>
        {words.stopped} <When at={since} long />
      </strong>
      <span>{words.stoppedText}</span>
      <Link to={here.to("/suppressions")}>{words.suppressions}</Link>
    </p>
  );
}
