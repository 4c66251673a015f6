import { Link } from "@tanstack/react-router";
import { Fragment } from "react";
import { useHere, useZone } from "../../../data/here.tsx";
import { dateOf } from "../../../data/zone.ts";
import { Status } from "../../../parts/shown/status.tsx";
import { When } from "../../../parts/shown/when.tsx";
import { useLanguage, useWords } from "../../../words/language.tsx";
import type { Sms } from "../shown/contact.tsx";
import { useMissingText } from "../shown/use-missing-text.ts";
import { inOrder, timeOf } from "./in-order.ts";
import { threadWords } from "./threads.words.ts";

interface BubblesProps {
  messages: readonly Sms[];
  /** The contact has opted out: what is scheduled won't reach them. */
  isStopped: boolean;
}

/** Messages as a phone shows them, oldest first: theirs on the left, the project's on the right, a line at the start of each day. */
export function Bubbles({ messages, isStopped }: BubblesProps) {
  const zone = useZone();
  const dayOf = (sms: Sms | undefined) => (sms === undefined ? null : dateOf(new Date(timeOf(sms)), zone));
  const ordered = inOrder(messages);
  return (
    <ol className="bubbles">
      {ordered.map((sms, index) => (
        <Fragment key={sms.id}>
          {dayOf(sms) === dayOf(ordered[index - 1]) ? null : <Day at={timeOf(sms)} />}
          <Bubble sms={sms} isStopped={isStopped} />
        </Fragment>
      ))}
    </ol>
  );
}

function Day({ at }: { at: string }) {
  const { locale } = useLanguage();
  const zone = useZone();
  const inZone = zone === undefined ? {} : { timeZone: zone };
  return <li className="bubble-day">{new Intl.DateTimeFormat(locale, { dateStyle: "full", ...inZone }).format(new Date(at))}</li>;
}

function Bubble({ sms, isStopped }: { sms: Sms; isStopped: boolean }) {
  const words = useWords(threadWords);
  const missing = useMissingText();
  const here = useHere();
  const isOurs = sms.direction === "outbound";
  const note = sms.keyword === null ? null : isOurs ? words.answer : words.keywords[sms.keyword];
  const isHeldBack = isStopped && sms.status === "scheduled";
  return (
    <li className="bubble" data-ours={isOurs}>
      <p className="bubble-text" dir="auto" data-gone={sms.body === null}>
        {sms.body ?? missing(sms)}
      </p>
      <div className="bubble-foot">
        {note === null ? null : <span>{note}</span>}
        {isHeldBack ? <span>{words.notSent}</span> : null}
        {isOurs ? <Status status={sms.status} /> : null}
        <Link to={here.to(`/sms/${sms.id}`)}>
          <When at={timeOf(sms)} />
        </Link>
      </div>
    </li>
  );
}
