import { defineErrors } from "#platform/index.ts";

export const webhookErrors = defineErrors({
  secret_roll_conflict: [409, "This secret is already being rolled, or no roll is in progress."],
  endpoint_disabled: [409, "This webhook endpoint is disabled. Enable it first."],
  endpoint_removed: [410, "This webhook endpoint was deleted."],
});
