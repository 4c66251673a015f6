import type { Objects } from "../../data/client.ts";
import { useApi } from "../../data/queries.ts";
import { eventMoment, shortName } from "../../parts/pages/event-moment.ts";
import { type Moment, Moments } from "../../parts/pages/object-page.tsx";
import { Section } from "../../parts/pages/page.tsx";
import type { Tone } from "../../parts/shown/status.tsx";
import { useWords } from "../../words/language.tsx";
import { timelineWords } from "./timeline.words.ts";

type Call = Objects["Call"];
type Step = Call["steps"][number];

const tones: Record<string, Tone> = {
  in_progress: "paid",
  completed: "paid",
  busy: "failed",
  no_answer: "failed",
  failed: "failed",
  canceled: "expired",
  ringing: "waiting",
  initiated: "waiting",
};

/** A call from beginning to end, from top to bottom: what the network reported, what was said and which keys were pressed. */
export function CallTimeline({ call }: { call: Call }) {
  const words = useWords(timelineWords);
  const events = useApi("GET /v1/calls/{id}/events", { path: { id: call.id }, query: { limit: 100 } }).data?.data ?? [];
  const momentOf = useMoment(call);
  const stepOf = useStep();
  // Keys are part of the steps once these are loaded.
  const shown = events.filter(({ event }) => call.steps.length === 0 || event !== "call.gathered");
  const isEnd = ({ event }: Objects["Event"]) => event === `call.${call.status}` && call.ended_at !== null;
  const [before, end] = [shown.filter((event) => !isEnd(event)), shown.filter(isEnd)];
  // The last step and the end may have the same time: the end is shown last anyway.
  const happened = [...before.toReversed().map(momentOf), ...call.steps.map(stepOf)].toSorted(
    (left, right) => Date.parse(left.at) - Date.parse(right.at),
  );
  return (
    <Section title={words.title} actions={<span className="soft">{words.oldestFirst}</span>}>
      <Moments moments={[...happened, ...end.map(momentOf)]} />
    </Section>
  );
}

function useMoment(call: Call): (event: Objects["Event"]) => Moment {
  const words = useWords(timelineWords);
  return (event) => {
    const name = shortName(event);
    const isEnd = name === call.status && call.ended_at !== null;
    const digits = name === "gathered" ? digitsIn(event.data) : null;
    const text = isEnd ? <End call={call} /> : digits === null ? undefined : <Keys digits={digits} />;
    return { ...eventMoment(event, { titles: words.events, tones }), ...(text === undefined ? {} : { text }) };
  };
}

/** null: they were deleted. */
function digitsIn(data: Record<string, unknown>): string | null {
  const gathered = data["gathered"] as { digits?: unknown } | undefined;
  return typeof gathered?.digits === "string" ? gathered.digits : null;
}

/** Who ended a call, and what went wrong if something did. */
function End({ call: { status, hangup_by, hangup_requested_at, error } }: { call: Call }) {
  const words = useWords(timelineWords);
  const own = hangup_requested_at !== null ? words.youHungUp : status === "completed" && error === null ? words.done : words.endedBy.caller;
  const by = hangup_by === null ? null : hangup_by === "caller" ? own : words.endedBy[hangup_by];
  return (
    <>
      {by === null ? null : <p>{by}</p>}
      {error === null ? null : (
        <p>
          {error.message} <code translate="no">{error.code}</code>
        </p>
      )}
    </>
  );
}

function Keys({ digits }: { digits: string }) {
  const words = useWords(timelineWords);
  if (digits === "") return <span>{words.nothingPressed}</span>;
  return (
    <span className="call-keys" translate="no">
      {[...digits].map((key, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a key is its place
        <kbd key={index}>{key}</kbd>
      ))}
    </span>
  );
}

function useStep(): (step: Step, index: number) => Moment {
  const words = useWords(timelineWords);
  const titles = { say: words.said, play: words.played, dtmf: words.sentKeys, record: words.recording, ask: words.asked };
  return (step, index) => {
    const { at, verb, text, url, name, digits } = step;
    const same = { id: `step ${index}`, at, tone: "plain" as const };
    if (verb === "gather") return { ...same, title: words.pressed(name ?? ""), text: <Keys digits={digits ?? ""} /> };
    if (text !== null) return { ...same, title: titles[verb], text: <q dir="auto">{text}</q> };
    if (url !== null) return { ...same, title: titles[verb], text: <code translate="no">{url}</code> };
    return { ...same, title: titles[verb], ...(digits === null ? {} : { text: <Keys digits={digits} /> }) };
  };
}
