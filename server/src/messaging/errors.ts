import { defineErrors } from "#platform/index.ts";

export const messagingErrors = defineErrors({
  recipient_invalid: [400, "Messages can't be sent to this recipient."],
  recipient_opted_out: [400, "The recipient has opted out of messages from this project."],
  sender_not_allowed: [400, "This project isn't allowed to send or call from this number or name."],
  country_not_allowed: [400, "This project isn't allowed to reach this country."],
  batch_too_large: [400, "A batch holds 1 to 100 messages."],
  sending_suspended: [403, "The operator has suspended this merchant's LIVE sending."],
  no_route: [409, "No route is set up for this country."],
  quota_exceeded: [429, "The project's daily message quota is used up."],
});
