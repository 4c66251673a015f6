import { Fragment, type ReactNode } from "react";
import { useWords } from "../../../words/language.tsx";
import { partsWords } from "./parts.words.ts";

const maxNamed = 10;

export interface DrawnPart {
  text: string | null;
  units: number | null;
  most: number;
  beyond: readonly string[];
}

interface PartsProps {
  encoding: string;
  parts: readonly DrawnPart[];
  /** What is shown next to a part's number, and below its text. */
  aside?(index: number): ReactNode;
  below?(index: number): ReactNode;
}

/** A message as carriers send it: each part with its text and how full it is, with the characters that need the larger alphabet marked. */
export function Parts({ encoding, parts, aside, below }: PartsProps) {
  const words = useWords(partsWords);
  return (
    <>
      <Alphabet encoding={encoding} parts={parts} />
      <ol className="sms-parts">
        {parts.map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
          <li key={index}>
            <div className="sms-part-head">
              <strong>{words.part(index + 1, parts.length)}</strong>
              {aside?.(index)}
            </div>
            <Fill part={part} />
            {part.text === null ? null : (
              <p className="sms-part-text" dir="auto">
                <Marked text={part.text} beyond={part.beyond} />
              </p>
            )}
            {below?.(index)}
          </li>
        ))}
      </ol>
    </>
  );
}

function Fill({ part: { units, most } }: { part: DrawnPart }) {
  const words = useWords(partsWords);
  if (units === null) return null;
  return (
    <div className="sms-fill">
      <span className="sms-meter" aria-hidden="true">
        <span style={{ width: `${Math.min(100, (units / most) * 100)}%` }} />
      </span>
      <span className="soft">{words.full(units, most)}</span>
    </div>
  );
}

function Alphabet({ encoding, parts }: Pick<PartsProps, "encoding" | "parts">) {
  const words = useWords(partsWords);
  const beyond = [...new Set(parts.flatMap((part) => part.beyond))];
  if (encoding === "GSM-7") return <p className="soft">{words.gsm(parts.length)}</p>;
  return (
    <p className="soft">
      {words.ucs(parts.length)}{" "}
      {beyond.length === 0 ? null : (
        <span className="sms-beyond">
          {words.because}
          {beyond.slice(0, maxNamed).map((character) => (
            <mark key={character} title={codeOf(character)} translate="no">
              {shownOf(character)}
            </mark>
          ))}
          {beyond.length > maxNamed ? " " : null}
          {beyond.length > maxNamed ? words.andMore(beyond.length - maxNamed) : null}
        </span>
      )}
    </p>
  );
}

/** Marks characters if only a few stand out; if nearly all would be marked, marks none. */
function Marked({ text, beyond }: { text: string; beyond: readonly string[] }) {
  const known = new Set(beyond);
  const characters = [...text];
  const count = characters.filter((character) => known.has(character)).length;
  if (count === 0 || count > characters.length / 3) return text;
  return runsOf(characters, known).map(({ at, text, marked }) =>
    marked ? <mark key={at}>{text}</mark> : <Fragment key={at}>{text}</Fragment>,
  );
}

interface Run {
  at: number;
  text: string;
  marked: boolean;
}

function runsOf(characters: readonly string[], known: ReadonlySet<string>): Run[] {
  const runs: Run[] = [];
  for (const [at, character] of characters.entries()) {
    const marked = known.has(character);
    const last = runs.at(-1);
    if (last?.marked === marked) last.text += character;
    else runs.push({ at, text: character, marked });
  }
  return runs;
}

const codeOf = (character: string) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
/** Invisible characters are shown as their code. */
const shownOf = (character: string) => (/^[\p{Z}\p{C}\p{M}]$/u.test(character) ? codeOf(character) : character);
