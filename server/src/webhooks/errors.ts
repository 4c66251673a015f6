import { defineErrors } from "#platform/index.ts";

export const webhookErrors = defineErrors({
  secret_roll_conflict: [409, "A roll of this secret is already open, or none is."],
  endpoint_disabled: [409, "This webhook endpoint is disabled. Enable it first."],
  endpoint_removed: [410, "This webhook endpoint was deleted."],
});
