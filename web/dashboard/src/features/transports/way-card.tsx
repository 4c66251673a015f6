import type { Objects } from "../../data/client.ts";
import { Badge, type Tone } from "../../parts/shown/status.tsx";
import { Ago, When } from "../../parts/shown/when.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { Minutes } from "./minutes.tsx";
import { sayError } from "./say-error.ts";
import { transportWords } from "./transports.words.ts";

type Channel = Objects["TransportHealth"]["channels"][number];
export type Transport = Channel["transports"][number];

const tones: Record<Transport["state"], Tone> = { up: "paid", paused: "waiting", down: "failed", silent: "failed", idle: "plain" };

/** One transport: its state, what is in progress, and recently sent messages. */
export function WayCard({ channel, transport }: { channel: Channel["channel"]; transport: Transport }) {
  const words = useWords(transportWords);
  const all = useWords(shared);
  return (
    <li className="way">
      <header>
        <h3 translate="no">{transport.name}</h3>
        <Badge tone={tones[transport.state]}>{words.states[transport.state]}</Badge>
      </header>
      <p className="soft">
        <TransportStatus transport={transport} />
      </p>
      <Use transport={transport} />
      <Minutes channel={channel} minutes={transport.minutes} />
      {transport.error === null ? null : (
        <p className="way-error">
          <span className="soft">
            {words.error}
            {all.comma}
            <Ago at={transport.error.at} />
          </span>
          <ErrorText message={transport.error.message} />
        </p>
      )}
    </li>
  );
}

/** What went wrong in the reader's words, then what the other side or the system reported. */
function ErrorText({ message }: { message: string }) {
  const { language } = useLanguage();
  const { text, detail } = sayError(message, language);
  return (
    <>
      {text === null ? null : <span>{text}</span>}
      {detail === null ? null : <code translate="no">{detail}</code>}
    </>
  );
}

/** Since when it is in this state, and until when. */
function TransportStatus({ transport: { state, since, paused_until, processes, processes_up } }: { transport: Transport }) {
  const words = useWords(transportWords);
  const sentences = [
    since === null || state === "paused" ? null : (
      <>
        {state === "silent" ? words.lastSeen : words.since} <When at={since} />
        {state === "silent" ? null : words.sinceEnd}
      </>
    ),
    paused_until === null ? null : (
      <>
        {state === "paused" ? words.until : words.next} <When at={paused_until} />
      </>
    ),
    processes > 1 && state !== "idle" ? words.processes(processes, processes_up) : null,
  ].filter((one) => one !== null);
  return sentences.map((sentence, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: they stand in one order
    <span key={index}>
      {index === 0 ? null : " · "}
      {sentence}
    </span>
  ));
}

function Use({ transport: { kind, in_flight, capacity, state } }: { transport: Transport }) {
  const words = useWords(transportWords);
  const { locale } = useLanguage();
  if (state === "silent") return null;
  const used = in_flight.toLocaleString(locale);
  if (capacity === null) return <p>{words.inProgress(used)}</p>;
  const usageText = kind === "smpp" ? words.windowUse : kind === "sip" ? words.channelUse : words.ofAll;
  const share = capacity === 0 ? 0 : Math.min(in_flight / capacity, 1);
  return (
    <div>
      <p>{usageText(used, capacity.toLocaleString(locale))}</p>
      <span className="way-meter" aria-hidden="true">
        {share > 0 ? <span style={{ width: `${share * 100}%` }} /> : null}
      </span>
    </div>
  );
}
