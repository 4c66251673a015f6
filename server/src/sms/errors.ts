import { defineErrors } from "#platform/index.ts";

export const smsErrors = defineErrors({
  sms_state_conflict: [409, "The SMS's status doesn't allow this."],
});
