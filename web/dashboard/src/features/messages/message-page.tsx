import { IconArrowLeft } from "@tabler/icons-react";
import { Link, useParams } from "@tanstack/react-router";
import type { Objects } from "../../data/client.ts";
import { useHere } from "../../data/here.tsx";
import { useApi } from "../../data/queries.ts";
import { type Fact, Facts, Metadata, TwoSides } from "../../parts/pages/object-page.tsx";
import { Loaded, Page } from "../../parts/pages/page.tsx";
import { Copyable } from "../../parts/shown/copy.tsx";
import { RawJson } from "../../parts/shown/raw-json.tsx";
import { Status } from "../../parts/shown/status.tsx";
import { Tags } from "../../parts/shown/tags.tsx";
import { When } from "../../parts/shown/when.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { LiveNotes } from "./live-notes.tsx";
import { MessageActions } from "./message-actions.tsx";
import { messageWords } from "./messages.words.ts";
import { Letterhead, Reader } from "./reader.tsx";
import { Recipients } from "./recipients.tsx";
import "./parts/messages.css";

type Email = Objects["Email"];

export default function MessagePage() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const words = useWords(messageWords);
  const here = useHere();
  const read = useApi("GET /v1/emails/{id}", { path: { id } });
  const email = read.data;
  return (
    <Page
      title={email === undefined ? words.message : email.subject === "" ? words.noSubject : email.subject}
      aside={email === undefined ? null : <Status status={email.status} />}
      actions={email === undefined || !here.may("emails") ? null : <MessageActions email={email} />}
      back={
        <Link to={here.to("/messages")} className="back">
          <IconArrowLeft size={16} stroke={1.5} /> {words.title}
        </Link>
      }
    >
      <LiveNotes />
      <Loaded read={read}>{(loaded) => <Body email={loaded} />}</Loaded>
    </Page>
  );
}

function Body({ email }: { email: Email }) {
  return (
    <TwoSides
      left={
        <>
          <Letterhead email={email} />
          <Reader key={email.id} email={email} />
          <Facts facts={useFacts(email)} />
          <Metadata metadata={email.metadata} />
          <RawJson value={email} />
        </>
      }
      right={<Recipients email={email} />}
    />
  );
}

/** It is searched for in other systems' logs, so all of it is shown. */
function MessageId({ id }: { id: string }) {
  return (
    <span className="message-id">
      <Copyable text={id} />
    </span>
  );
}

function useFacts(email: Email): (Fact | null)[] {
  const words = useWords(messageWords);
  const all = useWords(shared);
  const here = useHere();
  const { provider, attachments, tags, tracking, scheduled_at } = email;
  const sizes = (attachments ?? []).map(({ filename, size_bytes }) => `${filename} (${Math.ceil(size_bytes / 1024)} KB)`);
  return [
    { label: all.id, value: <Copyable text={email.id} /> },
    { label: words.messageId, value: <MessageId id={email.message_id} /> },
    { label: words.category, value: words.categories[email.category] },
    provider === null ? null : { label: words.carrier, value: words.carriers[provider as keyof typeof words.carriers] ?? provider },
    sizes.length === 0 ? null : { label: words.files, value: sizes.join(", ") },
    tags.length === 0 ? null : { label: words.tags, value: <Tags tags={tags} path="/messages" /> },
    tracking.opens ? { label: words.opens, value: email.opens } : null,
    tracking.clicks ? { label: words.clicks, value: email.clicks } : null,
    email.batch_id === null
      ? null
      : { label: words.batch, value: <Link to={here.to(`/batches/${email.batch_id}`)}>{words.openBatch}</Link> },
    scheduled_at === null ? null : { label: words.scheduledFor, value: <When at={scheduled_at} long /> },
    { label: all.created, value: <When at={email.created_at} long /> },
    ["queued", "scheduled", "delivery_delayed"].includes(email.status)
      ? { label: words.expiresAt, value: <When at={email.expires_at} long /> }
      : null,
  ];
}
