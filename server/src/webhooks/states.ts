import { defineStates } from "#platform/index.ts";

export type DeliveryState = "due" | "leased" | "set_aside" | "succeeded" | "failed" | "skipped";

/** A delivery can be sent again from any state, manually or by a replay. It succeeds only under a lease, and
 * fails without one only if it is a callback that has waited too long. */
export const deliveryStates = defineStates<DeliveryState>("delivery", {
  due: ["leased", "skipped", "failed"],
  leased: ["due", "set_aside", "succeeded", "failed", "skipped"],
  set_aside: ["due", "leased"],
  succeeded: ["due", "leased"],
  failed: ["due", "leased"],
  skipped: ["due", "leased"],
});
