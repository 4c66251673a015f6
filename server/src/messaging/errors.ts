import { defineErrors } from "#platform/index.ts";

export const messagingErrors = defineErrors({
  domain_not_verified: [400, "The sender's domain is not verified for this project."],
  recipient_invalid: [400, "A recipient's address cannot be sent to."],
  attachment_invalid: [400, "An attachment cannot be read or is too large."],
  batch_too_large: [400, "A batch holds 1 to 100 messages."],
  header_not_allowed: [400, "This header is set by the service or cannot be sent."],
  sending_suspended: [403, "The operator has suspended this merchant's LIVE sending."],
  email_state_conflict: [409, "The e-mail's state does not allow this."],
  quota_exceeded: [429, "The project's daily quota of messages is used up."],
});
