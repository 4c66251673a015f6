import { defineErrors } from "#platform/index.ts";

export const messagingErrors = defineErrors({
  recipient_invalid: [400, "A recipient's address cannot be sent to."],
  batch_too_large: [400, "A batch holds 1 to 100 messages."],
  sending_suspended: [403, "The operator has suspended this merchant's LIVE sending."],
  quota_exceeded: [429, "The project's daily quota of messages is used up."],
});
