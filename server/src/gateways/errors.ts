import { defineErrors } from "#platform/index.ts";

export const gatewayErrors = defineErrors({
  gateway_not_found: [404, "There is no such gateway, or it takes no accounts."],
});
