import type { Objects } from "../../data/client.ts";
import { Section } from "../../parts/pages/page.tsx";
import { useWords } from "../../words/language.tsx";
import { timelineWords } from "./timeline.words.ts";

type Call = Objects["Call"];

/** One line of a call's plan. */
interface Line {
  does: string;
  text?: string | null | undefined;
  /** A program's text, not a person's. */
  code?: string | null | undefined;
  within?: Line[];
}

interface Verb {
  verb?: string;
  text?: string | null;
  url?: string | null;
  name?: string | null;
  length?: number | null;
  digits?: string | null;
  max_length?: number | null;
  actions?: Verb[] | null;
}

/** What a call was requested to do, step by step. */
export function Plan({ call, isOver }: { call: Call; isOver: boolean }) {
  const words = useWords(timelineWords);
  const lines = useLines(call);
  if (lines.length === 0) return null;
  return (
    <Section title={words.plan}>
      <Lines lines={lines} />
      {isOver ? null : <p className="soft">{words.planText}</p>}
    </Section>
  );
}

function Lines({ lines }: { lines: Line[] }) {
  return (
    <ol className="call-plan">
      {lines.map(({ does, text, code, within = [] }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place
        <li key={index}>
          <span className="call-does">{does}</span>
          {text == null ? null : <q dir="auto">{text}</q>}
          {code == null ? null : <code translate="no">{code}</code>}
          {within.length === 0 ? null : <Lines lines={within} />}
        </li>
      ))}
    </ol>
  );
}

function useLines({ text, audio_url, actions, answer_url, fallback_text, send_digits }: Call): Line[] {
  const words = useWords(timelineWords);
  const lineOf = (verb: Verb): Line => {
    switch (verb.verb) {
      case "say":
        return { does: words.say, text: verb.text };
      case "play":
        return { does: words.play, code: verb.url };
      case "pause":
        return { does: words.pause(verb.length ?? 1) };
      case "gather":
        return { does: words.gather(verb.name ?? "digits"), within: (verb.actions ?? []).map(lineOf) };
      case "record":
        return { does: words.record(verb.max_length ?? 60) };
      case "dtmf":
        return { does: words.sendKeys, code: verb.digits };
      case "hangup":
        return { does: words.hangup };
      default:
        return { does: verb.verb ?? "" };
    }
  };
  return [
    ...(send_digits === null ? [] : [{ does: words.sendKeys, code: send_digits }]),
    ...(text === null ? [] : [{ does: words.say, text }]),
    ...(audio_url === null ? [] : [{ does: words.play, code: audio_url }]),
    ...((actions ?? []) as Verb[]).map(lineOf),
    ...(answer_url === null ? [] : [{ does: words.ask, code: answer_url }]),
    ...(fallback_text === null ? [] : [{ does: words.ifFails, text: fallback_text }]),
  ];
}
