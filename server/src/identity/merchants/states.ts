import { defineStates } from "#platform/index.ts";

export type VerificationStatus = "pending" | "verified" | "rejected";

/** An operator's decision can be changed and not taken back: no merchant is pending again. */
export const verificationStates = defineStates<VerificationStatus>("merchant", {
  pending: ["verified", "rejected"],
  verified: ["rejected"],
  rejected: ["verified"],
});
