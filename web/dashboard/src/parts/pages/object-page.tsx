import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { linkTo } from "../filters/search.ts";
import type { Tone } from "../shown/status.tsx";
import { When } from "../shown/when.tsx";

/** Facts on the left, timeline on the right; on a phone one below the other. */
export function TwoSides({ left, right }: { left: ReactNode; right: ReactNode }) {
  return (
    <div className="two-sides">
      <div className="side-left">{left}</div>
      <div className="side-right">{right}</div>
    </div>
  );
}

export interface Fact {
  label: string;
  value: ReactNode;
}

export function Facts({ facts }: { facts: (Fact | null)[] }) {
  return (
    <dl className="facts">
      {facts
        .filter((fact) => fact !== null)
        .map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** What the merchant attached to an object, under its own heading: keys and values are theirs, so browsers don't translate them. */
export function Metadata({ metadata }: { metadata: Readonly<Record<string, unknown>> }) {
  const words = useWords(shared);
  const entries = Object.entries(metadata);
  if (entries.length === 0) return null;
  return (
    <section className="section" aria-label={words.metadata}>
      <header>
        <h2>{words.metadata}</h2>
      </header>
      <dl className="facts" translate="no">
        {entries.map(([key, value]) => (
          <div key={key}>
            <dt>{key}</dt>
            <dd>{String(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

export interface Moment {
  id: string;
  at: string;
  tone: Tone;
  title: ReactNode;
  text?: ReactNode;
  /** URL of the object that it reports, if that has a page. */
  to?: string;
}

/** What happened, the newest first. */
export function Timeline({ moments }: { moments: Moment[] }) {
  const words = useWords(shared);
  return (
    <section className="section" aria-label={words.timeline}>
      <header>
        <h2>{words.timeline}</h2>
      </header>
      <Moments moments={moments} />
    </section>
  );
}

/** Only the marks of a timeline. */
export function Moments({ moments }: { moments: Moment[] }) {
  return (
    <ol className="moments">
      {moments.map(({ id, at, tone, title, text, to }) => (
        <li key={id} data-tone={tone}>
          <div className="moment-head">
            <span>{to === undefined ? title : <Link {...linkTo(to)}>{title}</Link>}</span>
            <When at={at} long />
          </div>
          {text === undefined ? null : <div className="moment-text">{text}</div>}
        </li>
      ))}
    </ol>
  );
}
