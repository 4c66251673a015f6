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
 * All legal transitions of one recipient, and of a message with one recipient. `sending` only returns to `queued` if nothing was attempted
 * after all. `delivered` is final except for later reports: a bounce or a complaint.
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

/** States that may still change automatically, least advanced first. */
const open = ["scheduled", "queued", "sending", "delivery_delayed", "sent"] as const satisfies EmailStatus[];
/** Final states, in the order in which they determine the whole message's. */
const ends = ["delivered", "complained", "bounced", "failed", "suppressed", "canceled"] as const satisfies EmailStatus[];

/**
 * A message with several recipients has the state of the least advanced one and so skips states: when its last queued recipient is
 * canceled, it takes the state of the others at once. From a final state it moves as a recipient does.
 */
export const messageMoves: readonly string[] = [
  ...emailStates.moves,
  ...open.flatMap((from) =>
    emailStatuses.filter((to) => to !== from && to !== "scheduled" && !emailStates.allows(from, to)).map((to) => `${from}>${to}`),
  ),
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
