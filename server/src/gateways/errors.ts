import { defineErrors } from "#platform/index.ts";

export const gatewayErrors = defineErrors({
  gateway_not_found: [404, "This gateway doesn't exist, or doesn't use accounts."],
});
