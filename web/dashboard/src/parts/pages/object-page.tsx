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
  /** The label is the merchant's own, such as a metadata key: browsers don't translate it. */
  own?: true;
}

/** An object's metadata, one fact per key. */
export function metadataFacts(metadata: Readonly<Record<string, unknown>>): Fact[] {
  return Object.entries(metadata).map(([label, value]) => ({ label, value: <span translate="no">{String(value)}</span>, own: true }));
}

export function Facts({ facts }: { facts: (Fact | null)[] }) {
  return (
    <dl className="facts">
      {facts
        .filter((fact) => fact !== null)
        .map(({ label, value, own }) => (
          <div key={own ? `metadata ${label}` : label}>
            <dt translate={own && "no"}>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
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
