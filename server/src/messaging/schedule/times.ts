import type { ErrorDetail } from "#platform/index.ts";

/** When a message goes, and until when it is tried. */
export interface Times {
  scheduled_at: Date | null;
  created_at: Date;
  expires_at: Date;
}

type Why = Pick<ErrorDetail, "reason" | "values" | "message">;

const scheduleDaysMax = 30;
const dayMs = 86_400_000;
const expirySeconds = { min: 60, max: 172_800 };

interface Wish {
  /** ISO 8601. */
  scheduled_at?: string | Date | null;
  /** Seconds after which it is given up, from its scheduled time on. */
  expires_in?: number | null;
}

/** Reads when a message is to go and how long it lives; `add` is told every fault. */
export function readTimes(
  { scheduled_at: at, expires_in }: Wish,
  { now, add }: { now: Date; add: (param: string, code: string, why: Why) => void },
): Pick<Times, "scheduled_at" | "expires_at"> {
  const { min, max } = expirySeconds;
  const expiry = expires_in ?? max;
  if (!Number.isInteger(expiry) || expiry < min || expiry > max)
    add("expires_in", "parameter_invalid", { reason: "out_of_range", values: { min, max }, message: `expires_in must be from ${min} to ${max} seconds.` });
  const scheduled_at = at == null ? null : new Date(at);
  const fault = scheduled_at === null ? null : scheduleFault(scheduled_at, now);
  if (fault !== null) add("scheduled_at", "parameter_invalid", fault);
  const start = scheduled_at === null || Number.isNaN(scheduled_at.getTime()) ? now : scheduled_at;
  return { scheduled_at, expires_at: new Date(start.getTime() + Math.min(max, Math.max(min, expiry)) * 1000) };
}

/** What is wrong with a time to send at. */
export function scheduleFault(at: Date, now: Date): Why | null {
  if (Number.isNaN(at.getTime())) return { reason: "not_a_time", message: "scheduled_at must be an ISO 8601 time." };
  if (at.getTime() <= now.getTime()) return { reason: "not_in_future", message: "scheduled_at must be in the future." };
  if (at.getTime() - now.getTime() <= scheduleDaysMax * dayMs) return null;
  return { reason: "too_far_ahead", values: { max: scheduleDaysMax }, message: `scheduled_at may be at most ${scheduleDaysMax} days ahead.` };
}

/** When a message ends that starts at another time than it was to: it lives as long after it. */
export function expiryFrom(start: Date, { scheduled_at, created_at, expires_at }: Times): Date {
  return new Date(start.getTime() + expires_at.getTime() - (scheduled_at ?? created_at).getTime());
}
