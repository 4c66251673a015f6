import { defineErrors } from "#platform/index.ts";

export const emailErrors = defineErrors({
  domain_not_verified: [400, "The sender's domain isn't verified for this project."],
  attachment_invalid: [400, "An attachment can't be read or is too large."],
  header_not_allowed: [400, "This header is set by the service or can't be sent."],
  email_state_conflict: [409, "The email's status doesn't allow this."],
});
