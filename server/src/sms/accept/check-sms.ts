import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { type Add, checkCallback, checkLabels, faultsError, isAnySuppressed, readTimes } from "#messaging/index.ts";
import type { Ctx, ErrorDetail, Tenant } from "#platform/index.ts";
import { optOutOf, smsChannel } from "../channel/sms-channel.ts";
import type { SmsInput } from "../shapes.ts";
import { type CheckedNumbers, checkNumbers } from "./check-numbers.ts";
import { type CheckedText, checkText } from "./check-text.ts";
import { createLookups, type Lookups } from "./look-up.ts";

/** A request after the rules were applied. */
export interface CheckedSms extends CheckedNumbers, CheckedText {
  scheduled_at: Date | null;
  expires_at: Date;
}

/** How many seconds a message is tried for. */
const validity = { min: 60, max: 36_000 } as const;

export interface SmsCheckResult {
  checked: CheckedSms;
  /** Empty if the message may be sent. */
  faults: ErrorDetail[];
}

/** Applies rules that no schema can express. Returns all faults at once. */
export function checkSms(ctx: Ctx, tenant: Tenant, input: SmsInput): Promise<SmsCheckResult> {
  return checkOne(ctx, tenant, { input, lookups: createLookups(ctx, tenant) });
}

/** How many texts are checked in one turn of the event loop. More would delay all other requests. */
const charactersPerTurn = 100_000;

/** The same for each message of a batch. What several of them depend on is read once. */
export async function checkManySms(ctx: Ctx, tenant: Tenant, inputs: readonly SmsInput[]): Promise<SmsCheckResult[]> {
  const lookups = createLookups(ctx, tenant);
  const checks: Promise<SmsCheckResult>[] = [];
  let characters = 0;
  for (const input of inputs) {
    const check = checkOne(ctx, tenant, { input, lookups });
    // Promise.all below throws the same error; until it is reached, a failure would count as unhandled.
    check.catch(() => {});
    checks.push(check);
    characters += (input.body ?? input.text ?? "").length;
    if (characters < charactersPerTurn) continue;
    characters = 0;
    await yieldToEventLoop();
  }
  return Promise.all(checks);
}

async function checkOne(ctx: Ctx, tenant: Tenant, { input, lookups }: { input: SmsInput; lookups: Lookups }): Promise<SmsCheckResult> {
  const faults: ErrorDetail[] = [];
  const add: Add = (param, code, why) => void faults.push({ param, code, ...why });
  const text = checkText(input, add);
  checkLabels(input, add);
  const times = readTimes(input, { expiry: expiryOf(input, add), now: input.scheduled_at == null ? ctx.now() : await lookups.now(), add });
  await checkCallback(ctx, input.status_callback, add);
  const numbers = await checkNumbers(ctx, tenant, { input, lookups, add });
  const areNumbers = !faults.some(({ param }) => param === "to" || param === "from");
  if (areNumbers && (await isOptedOut(ctx, tenant, numbers)))
    add("to", "recipient_opted_out", { reason: "opted_out", message: "The recipient has opted out of messages from this sender." });
  return { checked: { ...text, ...numbers, ...times }, faults };
}

/** Reads the validity from whichever of its two fields is used. */
function expiryOf({ validity_period, expires_in }: SmsInput, add: Add) {
  if (validity_period != null && expires_in != null)
    add("expires_in", "parameter_conflict", {
      reason: "only_one",
      message: "expires_in is another name for validity_period. Send only one of them.",
    });
  return { ...validity, param: validity_period == null && expires_in != null ? ("expires_in" as const) : ("validity_period" as const) };
}

/** True if the recipient opted out of this sender, or the merchant suppressed the number for all senders. */
async function isOptedOut(ctx: Ctx, tenant: Tenant, { sender, recipient }: CheckedNumbers): Promise<boolean> {
  const addresses = [recipient.number, optOutOf({ sender: sender.value, recipient: recipient.number })];
  return isAnySuppressed(ctx.db, tenant, { channel: smsChannel, addresses });
}

/** The error that lists all faults. Its code is that of the first one. */
export function faultySms(faults: ErrorDetail[], sentence?: string): Error {
  return faultsError(faults, { sentence });
}
