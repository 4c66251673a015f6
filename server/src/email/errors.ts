import { defineErrors } from "#platform/index.ts";

export const emailErrors = defineErrors({
  domain_not_verified: [400, "The sender's domain is not verified for this project."],
  attachment_invalid: [400, "An attachment cannot be read or is too large."],
  header_not_allowed: [400, "This header is set by the service or cannot be sent."],
  email_state_conflict: [409, "The e-mail's state does not allow this."],
});
