import type { SendingTier } from "#messaging/index.ts";
import type { Ctx, Tenant, Tx } from "#platform/index.ts";
import type { SmsInput } from "../shapes.ts";
import { writeSms } from "./accept-sms.ts";
import { checkSms, faultySms } from "./check-sms.ts";
import { type NewSms, newSms, timeSms } from "./new-sms.ts";

const timeoutMs = 500;

/** Checks a message whose text contains a secret, as `createSms` does, and seals it. Writes nothing. */
export async function prepareSecretSms(
  ctx: Ctx,
  tenant: Tenant,
  { tier, sms: input }: { tier: SendingTier; sms: SmsInput },
): Promise<NewSms> {
  const { checked, faults } = await checkSms(ctx, tenant, input);
  if (faults.length > 0) throw faultySms(faults);
  return newSms(ctx, tenant, { tier, input, checked, batch_id: null, secret: true });
}

/**
 * Accepts a prepared message as the last step of a larger transaction. `pinned` has the database's time. Throws quota_exceeded,
 * sending_suspended.
 */
export async function writeSecretSms(tx: Tx, pinned: Ctx, message: NewSms): Promise<void> {
  timeSms([message], pinned.now());
  await writeSms(tx, pinned, { messages: [message], timeoutMs });
}
