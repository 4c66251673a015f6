import { defineStates } from "#platform/index.ts";

export type VerificationStatus = "pending" | "verified" | "rejected";

/** An operator's decision can be changed but not undone: no merchant becomes pending again. */
export const verificationStates = defineStates<VerificationStatus>("merchant", {
  pending: ["verified", "rejected"],
  verified: ["rejected"],
  rejected: ["verified"],
});
