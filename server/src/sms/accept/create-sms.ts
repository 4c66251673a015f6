import { notifyingCaps } from "#guards/index.ts";
import type { SendingTier } from "#messaging/index.ts";
import type { Ctx, Tenant } from "#platform/index.ts";
import type { SmsInput, SmsRow } from "../shapes.ts";
import { acceptSms } from "./accept-sms.ts";
import { afterQuietHours } from "./after-quiet-hours.ts";
import { checkSms, faultySms } from "./check-sms.ts";
import { newSms } from "./new-sms.ts";

/**
 * Accepts one message: it is queued, or scheduled. Concurrent calls share one transaction; each returns after its commit. Throws all faults
 * of the request at once, recipient_opted_out, sender_not_allowed, country_not_allowed, no_route, quota_exceeded.
 */
export async function createSms(ctx: Ctx, tenant: Tenant, { tier, sms: input }: { tier: SendingTier; sms: SmsInput }): Promise<SmsRow> {
  const { checked, faults } = await checkSms(ctx, tenant, input);
  if (faults.length > 0) throw faultySms(faults);
  const message = newSms(ctx, tenant, { tier, input, checked: await afterQuietHours(ctx, checked, input), batch_id: null });
  return notifyingCaps(ctx, tenant, () => acceptSms({ ctx, tenant, messages: [message], batch: null, answer: () => message.sms }));
}
