import { defineStates } from "#platform/index.ts";

export type NumberStatus = "requested" | "approved" | "rejected";

/** A revoked number is rejected too. A merchant may request a rejected number again, and an operator may reverse the decision. */
export const numberStates = defineStates<NumberStatus>("number", {
  requested: ["approved", "rejected"],
  approved: ["rejected"],
  rejected: ["requested", "approved"],
});
