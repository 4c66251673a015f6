import { defineStates } from "#platform/index.ts";

export type VerificationStatus = "pending" | "approved" | "failed" | "expired" | "canceled";

/** Every legal move of a verification. `failed`: too many wrong codes. Nothing opens one again. */
export const verificationStates = defineStates<VerificationStatus>("verification", {
  pending: ["approved", "failed", "expired", "canceled"],
  approved: [],
  failed: [],
  expired: [],
  canceled: [],
});

export const verificationStatuses = verificationStates.all;
