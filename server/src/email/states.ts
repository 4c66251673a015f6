import { defineStates } from "#platform/index.ts";

export type EmailStatus =
  | "scheduled"
  | "queued"
  | "sending"
  | "sent"
  | "delivery_delayed"
  | "delivered"
  | "bounced"
  | "complained"
  | "failed"
  | "suppressed"
  | "canceled";

/**
 * Every legal move of one recipient, and of a message that has one. `sending` goes back to `queued` only when nothing was attempted after all. `delivered` is an
 * end but for what is heard later: a bounce, a complaint.
 */
export const emailStates = defineStates<EmailStatus>("recipient", {
  scheduled: ["queued", "canceled", "failed"],
  queued: ["scheduled", "sending", "canceled", "suppressed", "failed"],
  sending: ["queued", "sent", "delivered", "delivery_delayed", "bounced", "complained", "failed", "suppressed"],
  delivery_delayed: ["sending", "delivered", "bounced", "failed", "canceled", "sent", "complained", "suppressed"],
  sent: ["delivered", "delivery_delayed", "bounced", "complained"],
  delivered: ["bounced", "complained"],
  bounced: [],
  complained: [],
  failed: [],
  suppressed: [],
  canceled: [],
});

export const emailStatuses = emailStates.all;

/** States in which something may still come by itself, least advanced first. */
const open = ["scheduled", "queued", "sending", "delivery_delayed", "sent"] as const satisfies EmailStatus[];
/** Ends, the one that speaks for the whole message first. */
const ends = ["delivered", "complained", "bounced", "failed", "suppressed", "canceled"] as const satisfies EmailStatus[];

/**
 * A message to several shows the least advanced of them and so passes over states: when the last who was queued is canceled, it is at once what the others
 * have come to. Out of an end it moves as a recipient does.
 */
export const messageMoves: readonly string[] = [
  ...emailStates.moves,
  ...open.flatMap((from) => emailStatuses.filter((to) => to !== from && to !== "scheduled" && !emailStates.allows(from, to)).map((to) => `${from}>${to}`)),
];

/**
 * A message's state from those of its recipients: the least advanced of those still in progress; otherwise delivered if one was; otherwise
 * the worst.
 */
export function aggregateStatus(statuses: readonly EmailStatus[]): EmailStatus {
  const found = new Set(statuses);
  const status = [...open, ...ends].find((one) => found.has(one));
  if (status === undefined) throw new Error("a message has no recipient");
  return status;
}
