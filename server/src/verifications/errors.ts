import { defineErrors } from "#platform/index.ts";

export const verificationErrors = defineErrors({
  verification_state_conflict: [409, "The verification's status doesn't allow this."],
  verification_limit: [429, "No more codes can be sent right now."],
});
