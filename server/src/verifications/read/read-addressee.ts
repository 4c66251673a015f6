import { readMailbox } from "#email/index.ts";
import { readRecipient, type Why } from "#messaging/index.ts";
import { canonicalAddress } from "#platform/index.ts";
import type { CodeChannel } from "../shapes.ts";

/** The recipient of a code. */
interface Addressee {
  recipient: string;
  country: string | null;
  /** The channels that can reach it. */
  reachable: readonly CodeChannel[];
}

const fault: Why = { reason: "not_an_email", message: "This isn't an email address." };

interface Reading {
  strict: boolean;
  /** Premium-rate ranges that may be reached anyway. */
  opened: readonly string[];
}

/**
 * Reads a phone number in international format or a bare email address. `strict` requires that a number is assigned by its country's plan.
 */
export function readAddressee(to: string, { strict, opened }: Reading): Addressee | { fault: Why } {
  if (to.includes("@")) {
    const mailbox = readMailbox(to);
    if (mailbox === null || mailbox.name !== null) return { fault };
    return { recipient: canonicalAddress(mailbox.address), country: null, reachable: ["email"] };
  }
  let why: Why = fault;
  const found = readRecipient(to, { strict, opened, add: (_param, _code, message) => void (why = message) });
  return found === null ? { fault: why } : { recipient: found.number, country: found.country, reachable: ["sms", "call"] };
}
