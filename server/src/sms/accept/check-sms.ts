import { type Add, checkCallback, checkLabels, findSuppressed, messagingErrors, readTimes } from "#messaging/index.ts";
import {
  AppError,
  type Ctx,
  detailsOf,
  type ErrorDetail,
  type ErrorExtras,
  findNow,
  platformErrors,
  refuseCardMetadata,
  type Tenant,
} from "#platform/index.ts";
import { optOutOf, smsChannel } from "../channel/sms-channel.ts";
import type { SmsInput } from "../shapes.ts";
import { type CheckedNumbers, checkNumbers } from "./check-numbers.ts";
import { type CheckedText, checkText } from "./check-text.ts";

/** What the rules made of a request. */
export interface CheckedSms extends CheckedNumbers, CheckedText {
  scheduled_at: Date | null;
  expires_at: Date;
}

/** Seconds that a message is tried for. */
const expiry = { param: "validity_period", min: 60, max: 36_000 } as const;

/** Rules that no schema can state. Answers all faults at once, none when the message may be sent. */
export async function checkSms(ctx: Ctx, tenant: Tenant, input: SmsInput): Promise<{ checked: CheckedSms; faults: ErrorDetail[] }> {
  const faults: ErrorDetail[] = [];
  const add: Add = (param, code, why) => void faults.push({ param, code, ...why });
  const text = checkText(input, add);
  checkLabels(input, add);
  faults.push(...cardsIn(input));
  const times = readTimes(input, { expiry, now: input.scheduled_at == null ? ctx.now() : await findNow(ctx.db), add });
  await checkCallback(ctx, input.status_callback, add);
  const numbers = await checkNumbers(ctx, tenant, { input, add });
  if (faults.length === 0 && (await isOptedOut(ctx, tenant, numbers)))
    add("to", "recipient_opted_out", { reason: "opted_out", message: "The recipient asked not to get messages from this sender." });
  return { checked: { ...text, ...numbers, ...times }, faults };
}

/** Card data has no place in this system, whatever carries it. */
function cardsIn({ metadata }: SmsInput): ErrorDetail[] {
  try {
    refuseCardMetadata(metadata ?? {});
    return [];
  } catch (error) {
    if (error instanceof AppError) return detailsOf(error);
    throw error;
  }
}

/** By their own word to this sender, or for all senders by the merchant's list. */
async function isOptedOut(ctx: Ctx, tenant: Tenant, { sender, recipient }: CheckedNumbers): Promise<boolean> {
  const addresses = [recipient.number, optOutOf({ sender: sender.value, recipient: recipient.number })];
  return (await findSuppressed(ctx.db, tenant, { channel: smsChannel, addresses })).size > 0;
}

const makers: Readonly<Record<string, (extras: ErrorExtras) => Error>> = {
  parameter_missing: platformErrors.parameter_missing,
  parameter_unknown: platformErrors.parameter_unknown,
  parameter_conflict: platformErrors.parameter_conflict,
  url_not_allowed: platformErrors.url_not_allowed,
  card_number_refused: platformErrors.card_number_refused,
  recipient_invalid: messagingErrors.recipient_invalid,
  quota_exceeded: (extras) => messagingErrors.quota_exceeded({ ...extras, headers: { "retry-after": "60" } }),
  recipient_opted_out: messagingErrors.recipient_opted_out,
  sender_not_allowed: messagingErrors.sender_not_allowed,
  country_not_allowed: messagingErrors.country_not_allowed,
  no_route: messagingErrors.no_route,
};

/** The error that tells all faults; the first one gives its code. */
export function faultySms(faults: ErrorDetail[], sentence?: string): Error {
  const [first] = faults as [ErrorDetail];
  const make = makers[first.code] ?? platformErrors.parameter_invalid;
  return make({ param: first.param, message: sentence ?? first.message, details: faults.slice(0, 100) });
}
