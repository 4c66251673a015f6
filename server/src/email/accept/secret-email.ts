import { messagingErrors, type SendingTier } from "#messaging/index.ts";
import { type Ctx, pipeline, type Tenant, type Tx } from "#platform/index.ts";
import type { EmailInput } from "../shapes.ts";
import { checkEmail, faultyEmail } from "./check-email.ts";
import { type NewMessage, newMessage } from "./new-message.ts";
import { timeMessages } from "./time-messages.ts";
import { applySuppressions, writeMessages } from "./write-messages.ts";

const timeoutMs = 500;

/** Checks a message whose texts contain secrets, as `createEmail` does, and seals them. It has no attachments. Writes nothing. */
export async function prepareSecretEmail(
  ctx: Ctx,
  tenant: Tenant,
  { tier, email: input }: { tier: SendingTier; email: EmailInput },
): Promise<NewMessage> {
  const { checked, faults } = await checkEmail(ctx, tenant, { tier, email: input });
  if (faults.length > 0) throw faultyEmail(faults);
  return newMessage(ctx, tenant, { tier, input, checked, batch_id: null, secret: true });
}

/**
 * Accepts a prepared message as the last step of a larger transaction. `pinned` has the database's time. Throws recipient_opted_out for a
 * suppressed address, quota_exceeded, sending_suspended.
 */
export async function writeSecretEmail(tx: Tx, pinned: Ctx, message: NewMessage): Promise<void> {
  timeMessages([message], pinned.now());
  await pipeline(tx, (pipe) => applySuppressions(pipe, [message]));
  if (message.email.status === "suppressed") throw messagingErrors.recipient_opted_out({ param: "to" });
  await writeMessages(tx, pinned, { messages: [message], timeoutMs });
}
