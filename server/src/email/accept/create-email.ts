import type { SendingTier } from "#messaging/index.ts";
import type { Ctx, Tenant } from "#platform/index.ts";
import { keepFiles } from "../files/keep-files.ts";
import type { EmailBundle, EmailInput } from "../shapes.ts";
import { acceptEmails, bundleOf } from "./accept-emails.ts";
import { checkEmail, faultyEmail } from "./check-email.ts";
import { newMessage } from "./new-message.ts";

interface NewEmail {
  tier: SendingTier;
  email: EmailInput;
  /** Its texts contain secrets, such as a link that opens something: they are sealed, and deleted once it was sent. */
  secret?: boolean;
}

/**
 * Accepts one message: it is queued, scheduled, or suppressed if it may not be sent to any recipient. Concurrent calls share one
 * transaction; each returns after its commit. Throws all faults of the request at once, domain_not_verified, quota_exceeded.
 */
export async function createEmail(ctx: Ctx, tenant: Tenant, input: NewEmail): Promise<EmailBundle> {
  const { checked, faults } = await checkEmail(ctx, tenant, input);
  if (faults.length > 0) throw faultyEmail(faults);
  const message = newMessage(ctx, tenant, { tier: input.tier, input: input.email, checked, batch_id: null, secret: input.secret });
  return keepFiles(ctx, [message], () => acceptEmails({ ctx, tenant, messages: [message], batch: null, answer: () => bundleOf(message) }));
}
