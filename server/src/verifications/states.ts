import { defineStates } from "#platform/index.ts";

export type VerificationStatus = "pending" | "approved" | "failed" | "expired" | "canceled";

/** All legal transitions of a verification. `failed`: too many wrong codes. Ended ones never change. */
export const verificationStates = defineStates<VerificationStatus>("verification", {
  pending: ["approved", "failed", "expired", "canceled"],
  approved: [],
  failed: [],
  expired: [],
  canceled: [],
});

export const verificationStatuses = verificationStates.all;
