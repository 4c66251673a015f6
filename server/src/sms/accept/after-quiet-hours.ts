import { startAfterQuiet } from "#guards/index.ts";
import { expiryFrom } from "#messaging/index.ts";
import { type Ctx, findNow } from "#platform/index.ts";
import type { SmsInput } from "../shapes.ts";
import type { CheckedSms } from "./check-sms.ts";

/**
 * A message that would arrive in quiet hours is scheduled for their end, with the same lifetime after that. Codes and replies to keywords
 * never wait.
 */
export async function afterQuietHours(ctx: Ctx, checked: CheckedSms, { category }: Pick<SmsInput, "category">): Promise<CheckedSms> {
  const { guard, recipient, scheduled_at, expires_at } = checked;
  if (guard === null) return checked;
  const now = await findNow(ctx.db);
  const at = scheduled_at ?? now;
  const start = startAfterQuiet(guard, { kind: category ?? "transactional", country: recipient.country, at });
  if (start === at) return checked;
  return { ...checked, scheduled_at: start, expires_at: expiryFrom(start, { scheduled_at: at, created_at: at, expires_at }) };
}
