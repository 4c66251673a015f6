import { readMailbox } from "#email/index.ts";
import { readRecipient, type Why } from "#messaging/index.ts";
import { canonicalAddress } from "#platform/index.ts";
import type { CodeChannel } from "../shapes.ts";

/** Whom a code is for. */
interface Addressee {
  recipient: string;
  country: string | null;
  /** The channels that reach it. */
  reachable: readonly CodeChannel[];
}

const fault: Why = { reason: "not_an_email", message: "This isn't an email address." };

interface Reading {
  strict: boolean;
  /** Ranges that cost extra and may be reached all the same. */
  opened: readonly string[];
}

/** Reads a telephone number in international form or a bare address of e-mail. `strict` asks that a number is assigned by its country's plan. */
export function readAddressee(to: string, { strict, opened }: Reading): Addressee | { fault: Why } {
  if (to.includes("@")) {
    const mailbox = readMailbox(to);
    if (mailbox === null || mailbox.name !== null) return { fault };
    return { recipient: canonicalAddress(mailbox.address), country: null, reachable: ["email"] };
  }
  let why: Why = fault;
  const found = readRecipient(to, { strict, opened, add: (_param, _code, said) => void (why = said) });
  return found === null ? { fault: why } : { recipient: found.number, country: found.country, reachable: ["sms", "call"] };
}
