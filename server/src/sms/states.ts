import { defineStates } from "#platform/index.ts";

export type SmsStatus = "scheduled" | "queued" | "sending" | "sent" | "delivered" | "undelivered" | "failed" | "canceled" | "received";

/**
 * All legal transitions of a message. `failed`: it was never sent, or a carrier refused it. `undelivered`: a carrier accepted it and
 * reported that it didn't arrive. `sending` returns to `queued` if it is tried again, or nothing was attempted after all.
 */
export const smsStates = defineStates<SmsStatus>("SMS", {
  scheduled: ["queued", "canceled", "failed"],
  queued: ["scheduled", "sending", "canceled", "failed"],
  sending: ["queued", "sent", "failed"],
  sent: ["delivered", "undelivered"],
  delivered: [],
  undelivered: [],
  failed: [],
  canceled: [],
  received: [],
});

export const smsStatuses = smsStates.all;

export type PartStatus = "sent" | "delivered" | "undelivered";

/** The known state of one part that a carrier accepted. */
export const partStates = defineStates<PartStatus>("part of an SMS", {
  sent: ["delivered", "undelivered"],
  delivered: [],
  undelivered: [],
});
