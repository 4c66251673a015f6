import { defineErrors } from "#platform/index.ts";

export const orderErrors = defineErrors({
  order_already_paid: [409, "This order is paid."],
  order_state_conflict: [409, "The order's state does not allow this."],
  reference_exists: [409, "Another open or paid order of this project has this reference."],
  collection_profile_missing: [409, "No receiving code is set up and enabled for this channel."],
  review_exists: [409, "This payment was reviewed already."],
  shortfall_unconfirmed: [409, "Less arrived than was asked for. To take it for the whole, send what is missing as confirm_shortfall_minor."],
  refund_exceeds_received: [409, "This is more than what is left to refund."],
  session_active: [409, "Another payment of this order is under way and cannot be closed now."],
  no_free_amount: [409, "Every amount near this one is in use. Try again shortly or choose another channel."],
  gateway_not_configured: [409, "No account with this gateway is set up and enabled."],
  gateway_error: [502, "The payment provider refused this payment. Try another way to pay."],
  gateway_timeout: [504, "The payment provider's answer is missing. Send the same request again; the buyer will not pay twice."],
  payment_link_not_found: [404, "This payment link does not exist."],
});
