import { IconArrowLeft } from "@tabler/icons-react";
import { Link, useParams } from "@tanstack/react-router";
import type { Objects } from "../../data/client.ts";
import { useHere } from "../../data/here.tsx";
import { useApi } from "../../data/queries.ts";
import { SuspendedNote } from "../../parts/notes/suspended-note.tsx";
import { type Fact, Facts, Metadata, TwoSides } from "../../parts/pages/object-page.tsx";
import { Loaded, Page } from "../../parts/pages/page.tsx";
import { Copyable } from "../../parts/shown/copy.tsx";
import { Country } from "../../parts/shown/country.tsx";
import { RawJson } from "../../parts/shown/raw-json.tsx";
import { Status } from "../../parts/shown/status.tsx";
import { Tags } from "../../parts/shown/tags.tsx";
import { When } from "../../parts/shown/when.tsx";
import { verificationOf } from "../../parts/verification-of.ts";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { CallActions } from "./call-actions.tsx";
import { CallTimeline } from "./call-timeline.tsx";
import { callWords } from "./calls.words.ts";
import { Plan } from "./plan.tsx";
import { clock } from "./player/clock.ts";
import { Recordings } from "./recordings.tsx";
import "./calls.css";

type Call = Objects["Call"];

const ended = ["completed", "busy", "no_answer", "failed", "canceled"];

export default function CallPage() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const words = useWords(callWords);
  const here = useHere();
  const read = useApi("GET /v1/calls/{id}", { path: { id } });
  const call = read.data;
  return (
    <Page
      title={call === undefined ? words.title : words.callTo(call.to)}
      aside={call === undefined ? null : <Status status={call.status} />}
      actions={call === undefined || !here.may("calls") ? null : <CallActions call={call} isOver={ended.includes(call.status)} />}
      back={
        <Link to={here.to("/calls")} className="back">
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
                <Recordings call={loaded} />
                <Plan call={loaded} isOver={ended.includes(loaded.status)} />
                <CallFacts call={loaded} />
                <Metadata metadata={loaded.metadata} />
                <RawJson value={loaded} />
              </>
            }
            right={<CallTimeline call={loaded} />}
          />
        )}
      </Loaded>
    </Page>
  );
}

/** All keys in order, unlike the timeline, which shows what each question collected. */
function Keys({ digits }: Pick<Call, "digits">) {
  const words = useWords(callWords);
  return (
    <>
      <code translate="no">{digits}</code> {digits.includes("#") ? <span className="soft">{words.hashEnds}</span> : null}
    </>
  );
}

function CallFacts({ call }: { call: Call }) {
  return <Facts facts={useFacts(call)} />;
}

function useFacts(call: Call): (Fact | null)[] {
  const words = useWords(callWords);
  const all = useWords(shared);
  const { provider, sip_code, duration, ring_duration, digits, answered_by, record, scheduled_at, tags } = call;
  const here = useHere();
  const verification = verificationOf(call);
  const waits = call.status === "queued" || call.status === "scheduled";
  return [
    { label: all.id, value: <Copyable text={call.id} /> },
    { label: words.from, value: <span translate="no">{call.from}</span> },
    { label: words.to, value: <span translate="no">{call.to}</span> },
    { label: words.country, value: <Country code={call.country} /> },
    // The server counts started seconds in full, so a duration may be longer than what the timeline shows.
    ring_duration === null ? null : { label: words.rang, value: words.roundedUp(words.seconds(ring_duration)) },
    duration === null ? null : { label: words.lasted, value: words.roundedUp(clock(duration)) },
    digits === "" ? null : { label: words.pressed, value: <Keys digits={digits} /> },
    // Missing machine detection isn't shown per call.
    answered_by === null || answered_by === "unknown"
      ? null
      : { label: words.answeredBy, value: words.answerers[answered_by as keyof typeof words.answerers] ?? answered_by },
    record === null ? null : { label: words.recorded, value: words.modes[record] },
    provider === null ? null : { label: words.carrier, value: provider === "simulator" ? words.simulator : provider },
    sip_code === null ? null : { label: words.answer, value: <code translate="no">SIP {sip_code}</code> },
    verification === null
      ? null
      : {
          label: words.verification,
          value: (
            <>
              {words.saysCode} · <Link to={here.to(`/verifications/${verification}`)}>{words.openVerification}</Link>
            </>
          ),
        },
    tags.length === 0 ? null : { label: words.tags, value: <Tags tags={tags} path="/calls" /> },
    scheduled_at === null ? null : { label: words.scheduledFor, value: <When at={scheduled_at} long /> },
    { label: all.created, value: <When at={call.created_at} long /> },
    waits ? { label: words.expiresAt, value: <When at={call.expires_at} long /> } : null,
  ];
}
