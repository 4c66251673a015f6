import { defineErrors } from "#platform/index.ts";

export const webhookErrors = defineErrors({
  endpoint_removed: [410, "This webhook endpoint was deleted."],
});
