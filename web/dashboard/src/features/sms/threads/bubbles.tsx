import { Link } from "@tanstack/react-router";
import { Fragment } from "react";
import { useHere, useZone } from "../../../data/here.tsx";
import { dateOf } from "../../../data/zone.ts";
import { Status } from "../../../parts/shown/status.tsx";
import { When } from "../../../parts/shown/when.tsx";
import { useLanguage, useWords } from "../../../words/language.tsx";
import type { Sms } from "../shown/contact.tsx";
import { useMissingText } from "../shown/use-missing-text.ts";
import { threadWords } from "./threads.words.ts";

/** Messages as a phone shows them, oldest first: theirs on the left, the project's on the right, a line at the start of each day. */
export function Bubbles({ messages }: { messages: readonly Sms[] }) {
  const zone = useZone();
  const dayOf = (sms: Sms | undefined) => (sms === undefined ? null : dateOf(new Date(sms.created_at), zone));
  return (
    <ol className="bubbles">
      {messages.map((sms, index) => (
        <Fragment key={sms.id}>
          {dayOf(sms) === dayOf(messages[index - 1]) ? null : <Day at={sms.created_at} />}
          <Bubble sms={sms} />
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

function Bubble({ sms }: { sms: Sms }) {
  const words = useWords(threadWords);
  const missing = useMissingText();
  const here = useHere();
  const isOurs = sms.direction === "outbound";
  const note = sms.keyword === null ? null : isOurs ? words.answer : words.keywords[sms.keyword];
  // Next to "Scheduled", a time is read as the one it will be sent at.
  const at = sms.status === "scheduled" ? (sms.scheduled_at ?? sms.created_at) : sms.created_at;
  return (
    <li className="bubble" data-ours={isOurs}>
      <p className="bubble-text" dir="auto" data-gone={sms.body === null}>
        {sms.body ?? missing(sms)}
      </p>
      <div className="bubble-foot">
        {note === null ? null : <span>{note}</span>}
        {isOurs ? <Status status={sms.status} /> : null}
        <Link to={here.to(`/sms/${sms.id}`)}>
          <When at={at} />
        </Link>
      </div>
    </li>
  );
}
