import { type Add, checkCallback, checkLabels, faultsError, isAnySuppressed, readTimes } from "#messaging/index.ts";
import { AppError, type Ctx, type ErrorDetail, findNow, type Tenant } from "#platform/index.ts";
import { callChannel } from "../channel/call-channel.ts";
import type { CallContent, CallInput, RecordMode } from "../shapes.ts";
import type { SayAction } from "../verbs/actions.ts";
import { Fields } from "../verbs/fields.ts";
import type { NamedUrl } from "../verbs/read-actions.ts";
import { spokenOf } from "../verbs/read-actions.ts";
import { checkContent } from "./check-content.ts";
import { type CheckedNumbers, checkNumbers } from "./check-numbers.ts";

/** A request after the rules were applied. */
export interface CheckedCall extends CheckedNumbers, Pick<SayAction, "voice" | "language"> {
  said: CallContent;
  speed: number;
  ring_s: number;
  limit_s: number;
  record: RecordMode | null;
  scheduled_at: Date | null;
  expires_at: Date;
}

/**
 * How many seconds a call that can't be placed right away is tried for. The default is an hour: after that, its message may be out of date.
 */
const expiry = { param: "expires_in", min: 60, max: 86_400 } as const;
const usualExpiry = 3_600;
const ring = { min: 5, max: 120, usual: 30 };
const limit = { min: 10, max: 14_400, usual: 600 };
/** Whole recordings are stored. */
const recordedSecondsMax = 3_600;

/** Applies rules that no schema can express. Returns all faults at once; none if the call may be placed. */
export async function checkCall(ctx: Ctx, tenant: Tenant, input: CallInput): Promise<{ checked: CheckedCall; faults: ErrorDetail[] }> {
  const faults: ErrorDetail[] = [];
  const add: Add = (param, code, why) => void faults.push({ param, code, ...why });
  const fields = new Fields(input, { param: "", add });
  const numbers = await checkNumbers(ctx, tenant, { input, add });
  const { said, urls } = checkContent(input, add);
  const spoken = spokenOf(fields);
  const lengths = {
    ring_s: fields.number("timeout", { ...ring, whole: true }),
    limit_s: fields.number("time_limit", { ...limit, whole: true }),
  };
  const record = recordOf(input, { limit_s: lengths.limit_s, add });
  checkLabels(input, add);
  const wanted = { scheduled_at: input.scheduled_at ?? null, expires_in: input.expires_in ?? usualExpiry };
  // The expiry is stored, so it counts from the database's time.
  const times = readTimes(wanted, { expiry, now: await findNow(ctx.db), add });
  await checkCallback(ctx, input.status_callback, add);
  await checkUrls(ctx, urls, add);
  if (faults.length === 0 && (await isSuppressed(ctx, tenant, numbers.to)))
    add("to", "recipient_opted_out", { reason: "opted_out", message: "This number is suppressed for calls from this project." });
  return { checked: { ...numbers, said, ...spoken, speed: spoken.speed ?? 1, ...lengths, record, ...times }, faults };
}

function recordOf({ record }: CallInput, { limit_s, add }: { limit_s: number; add: Add }): RecordMode | null {
  if (record == null || record === false) return null;
  if (limit_s > recordedSecondsMax)
    add("time_limit", "parameter_invalid", {
      reason: "too_large",
      values: { max: recordedSecondsMax },
      message: `A recorded call can last up to ${recordedSecondsMax} seconds.`,
    });
  return record === "dual" ? "dual" : "mono";
}

/** Addresses that a call will request. They are checked again on each request. */
async function checkUrls(ctx: Ctx, urls: readonly NamedUrl[], add: Add): Promise<void> {
  const refused = new Map<string, string>();
  for (const url of new Set(urls.map((one) => one.url)))
    await ctx.egress.check(url, "").catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== "url_not_allowed") throw error;
      refused.set(url, error.message);
    });
  for (const { param, url } of urls) {
    const message = refused.get(url);
    if (message !== undefined) add(param, "url_not_allowed", { reason: "url_not_allowed", message });
  }
}

async function isSuppressed(ctx: Ctx, tenant: Tenant, { number }: CheckedNumbers["to"]): Promise<boolean> {
  return isAnySuppressed(ctx.db, tenant, { channel: callChannel, addresses: [number] });
}

/** The error that lists all faults. Its code is that of the first one. */
export function faultyCall(faults: ErrorDetail[]): Error {
  return faultsError(faults);
}
