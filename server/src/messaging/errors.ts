import { defineErrors } from "#platform/index.ts";

export const messagingErrors = defineErrors({
  recipient_invalid: [400, "A recipient's address cannot be sent to."],
  recipient_opted_out: [400, "The recipient is not to be reached from this project."],
  sender_not_allowed: [400, "This project may not send or call from this number or name."],
  country_not_allowed: [400, "This project may not reach this country."],
  batch_too_large: [400, "A batch holds 1 to 100 messages."],
  sending_suspended: [403, "The operator has suspended this merchant's LIVE sending."],
  no_route: [409, "No route is set up to this country."],
  quota_exceeded: [429, "The project's daily quota of messages is used up."],
});
