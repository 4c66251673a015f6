import { IconArrowLeft } from "@tabler/icons-react";
import { Link, useParams } from "@tanstack/react-router";
import { useHere } from "../../../data/here.tsx";
import { useApi } from "../../../data/queries.ts";
import { SuspendedNote } from "../../../parts/notes/suspended-note.tsx";
import { type Fact, Facts, Metadata, TwoSides } from "../../../parts/pages/object-page.tsx";
import { Loaded, Page } from "../../../parts/pages/page.tsx";
import { Copyable } from "../../../parts/shown/copy.tsx";
import { Country } from "../../../parts/shown/country.tsx";
import { RawJson } from "../../../parts/shown/raw-json.tsx";
import { Status } from "../../../parts/shown/status.tsx";
import { Tags } from "../../../parts/shown/tags.tsx";
import { When } from "../../../parts/shown/when.tsx";
import { verificationOf } from "../../../parts/verification-of.ts";
import { useWords } from "../../../words/language.tsx";
import { shared } from "../../../words/shared.ts";
import { type Sms, sidesOf, threadPath } from "../shown/contact.tsx";
import { smsWords } from "../shown/sms.words.ts";
import { Attempts, History } from "./history.tsx";
import { TextActions } from "./text-actions.tsx";
import { TextParts } from "./text-parts.tsx";
import "../shown/sms.css";

export default function TextPage() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const words = useWords(smsWords);
  const here = useHere();
  const read = useApi("GET /v1/sms/{id}", { path: { id } });
  const sms = read.data;
  const title = sms?.direction === "inbound" ? words.fromTitle : words.toTitle;
  return (
    <Page
      title={sms === undefined ? words.title : title(sidesOf(sms).contact)}
      aside={sms === undefined ? null : <Status status={sms.status} />}
      actions={sms === undefined ? null : <TextActions sms={sms} />}
      back={
        <Link to={here.to("/sms")} className="back">
          <IconArrowLeft size={16} stroke={1.5} /> {words.title}
        </Link>
      }
    >
      <SuspendedNote />
      <Loaded read={read}>
        {(loaded) => (
          <TwoSides
            left={
              <>
                <TextParts sms={loaded} />
                <TextFacts sms={loaded} />
                <Metadata metadata={loaded.metadata} />
                <RawJson value={loaded} />
              </>
            }
            right={
              <>
                <History sms={loaded} />
                {loaded.direction === "inbound" ? null : <Attempts sms={loaded} />}
              </>
            }
          />
        )}
      </Loaded>
    </Page>
  );
}

function TextFacts({ sms }: { sms: Sms }) {
  return <Facts facts={useFacts(sms)} />;
}

function useFacts(sms: Sms): (Fact | null)[] {
  const words = useWords(smsWords);
  const all = useWords(shared);
  const here = useHere();
  const { provider, keyword, tags, scheduled_at, next_attempt_at, status } = sms;
  const waits = ["queued", "scheduled"].includes(status);
  const verification = verificationOf(sms);
  return [
    { label: all.id, value: <Copyable text={sms.id} /> },
    { label: words.from, value: <span translate="no">{sms.from}</span> },
    { label: words.to, value: <span translate="no">{sms.to}</span> },
    { label: words.country, value: <Country code={sms.country} /> },
    { label: words.encoding, value: sms.encoding },
    { label: words.parts, value: sms.direction === "inbound" ? sms.segments : words.partsSent(sms.segments_sent, sms.segments) },
    keyword === null ? null : { label: words.keyword, value: words.keywords[keyword] },
    provider === null ? null : { label: words.carrier, value: provider === "simulator" ? words.simulator : provider },
    verification === null
      ? null
      : { label: words.verification, value: <Link to={here.to(`/verifications/${verification}`)}>{words.openVerification}</Link> },
    tags.length === 0 ? null : { label: words.tags, value: <Tags tags={tags} path="/sms" /> },
    sms.batch_id === null ? null : { label: words.batch, value: <Link to={here.to(`/batches/${sms.batch_id}`)}>{words.openBatch}</Link> },
    scheduled_at === null ? null : { label: words.scheduledFor, value: <When at={scheduled_at} long /> },
    { label: all.created, value: <When at={sms.created_at} long /> },
    waits && next_attempt_at !== null ? { label: words.nextAttempt, value: <When at={next_attempt_at} long /> } : null,
    waits ? { label: words.expiresAt, value: <When at={sms.expires_at} long /> } : null,
    { label: words.thread, value: <Link to={here.to(threadPath(sidesOf(sms)))}>{words.openThread}</Link> },
  ];
}
