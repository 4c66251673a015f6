import { defineStates } from "#platform/index.ts";

export type NumberStatus = "requested" | "approved" | "rejected";

/** A number that was taken back is rejected too. A merchant may ask again for what was rejected, and an operator may change their mind. */
export const numberStates = defineStates<NumberStatus>("number", {
  requested: ["approved", "rejected"],
  approved: ["rejected"],
  rejected: ["requested", "approved"],
});
