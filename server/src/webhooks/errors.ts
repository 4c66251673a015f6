import { defineErrors } from "#platform/index.ts";

export const webhookErrors = defineErrors({
  secret_roll_conflict: [409, "This secret is already being rolled, no roll is in progress, or an earlier secret still signs."],
  endpoint_disabled: [409, "This webhook endpoint is disabled. Enable it first."],
  endpoint_removed: [410, "This webhook endpoint was deleted."],
});
