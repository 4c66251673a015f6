import { defineStates } from "#platform/index.ts";

export type DomainStatus = "pending" | "verified" | "failed";

/** A failed domain is looked up again when a person requests it. */
export const domainStates = defineStates<DomainStatus>("domain", {
  pending: ["verified", "failed"],
  verified: ["failed"],
  failed: ["pending", "verified"],
});
