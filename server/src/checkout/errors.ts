import { defineErrors } from "#platform/index.ts";

export const checkoutErrors = defineErrors({
  payment_link_expired: [410, "This payment link has expired. A buyer who already paid can still report it."],
  payment_link_revoked: [410, "This payment link was revoked. A buyer who already paid can still report it."],
});
