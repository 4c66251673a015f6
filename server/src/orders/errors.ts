import { defineErrors } from "#platform/index.ts";

export const orderErrors = defineErrors({
  order_already_paid: [409, "This order is already paid."],
  order_state_conflict: [409, "The order's status doesn't allow this."],
  reference_exists: [409, "Another open or paid order of this project already has this reference."],
  collection_profile_missing: [409, "No receiving code is set up and enabled for this channel."],
  review_exists: [409, "This payment was already reviewed."],
  shortfall_unconfirmed: [409, "Less arrived than was due. To accept it in full, send the missing amount as confirm_shortfall_minor."],
  refund_exceeds_received: [409, "This is more than can still be refunded."],
  session_active: [409, "Another payment for this order is in progress and can't be closed right now."],
  no_free_amount: [409, "All nearby amounts are in use. Try again shortly or choose another channel."],
  gateway_not_configured: [409, "No account for this gateway is set up and enabled."],
  gateway_error: [502, "The payment provider declined this. Try another payment method."],
  gateway_timeout: [504, "The payment provider didn't respond. Send the same request again; the buyer won't be charged twice."],
  payment_link_not_found: [404, "This payment link doesn't exist."],
});
