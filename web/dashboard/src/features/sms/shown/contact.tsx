import { IconArrowDownLeft, IconArrowUpRight } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { Objects } from "../../../data/client.ts";
import { useHere } from "../../../data/here.tsx";
import { useWords } from "../../../words/language.tsx";
import { smsWords } from "./sms.words.ts";

export type Sms = Objects["Sms"];

/** The other side's number, and the project's. */
export function sidesOf({ direction, from, to }: Pick<Sms, "direction" | "from" | "to">): { contact: string; number: string } {
  return direction === "inbound" ? { contact: from, number: to } : { contact: to, number: from };
}

export function threadPath({ contact, number }: { contact: string; number: string }): string {
  return `/sms/threads/${encodeURIComponent(contact)}/${encodeURIComponent(number)}`;
}

/** The other side's number with an arrow for the direction. */
export function Contact({ sms }: { sms: Sms }) {
  const words = useWords(smsWords);
  const Arrow = sms.direction === "inbound" ? IconArrowDownLeft : IconArrowUpRight;
  return (
    <span className="sms-contact" data-direction={sms.direction}>
      <Arrow size={16} stroke={1.5} role="img" aria-label={words.directions[sms.direction]} />
      <span translate="no">{sidesOf(sms).contact}</span>
    </span>
  );
}

/** All messages, or by conversation. */
export function SmsTabs() {
  const words = useWords(smsWords);
  const here = useHere();
  return (
    <nav className="tabs" aria-label={words.title}>
      <Link to={here.to("/sms")} activeOptions={{ exact: true, includeSearch: false }}>
        {words.all}
      </Link>
      <Link to={here.to("/sms/threads")} activeOptions={{ exact: true, includeSearch: false }}>
        {words.threads}
      </Link>
    </nav>
  );
}
