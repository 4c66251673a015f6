import type { Add, Why } from "../accept/check-labels.ts";

/** When a message is sent, and until when it is tried. */
export interface Times {
  scheduled_at: Date | null;
  created_at: Date;
  expires_at: Date;
}

const scheduleDaysMax = 30;
const dayMs = 86_400_000;

/** For how many seconds a channel's messages are tried, from their scheduled time on; the maximum is the default. */
export interface Expiry<Param extends string> {
  /** The request's parameter. */
  readonly param: Param;
  readonly min: number;
  readonly max: number;
}

interface Reading<Param extends string> {
  expiry: Expiry<Param>;
  now: Date;
  add: Add;
}

type WantedTimes<Param extends string> = {
  /** ISO 8601. */
  scheduled_at?: string | Date | null;
} & { [key in Param]?: number | null };

/** Reads when a message is to be sent and how long it is valid; `add` gets every error. */
export function readTimes<Param extends string>(
  wanted: WantedTimes<Param>,
  { expiry: { param, min, max }, now, add }: Reading<Param>,
): Pick<Times, "scheduled_at" | "expires_at"> {
  const at = wanted.scheduled_at;
  const expiry = wanted[param] ?? max;
  if (!Number.isInteger(expiry) || expiry < min || expiry > max)
    add(param, "parameter_invalid", {
      reason: "out_of_range",
      values: { min, max },
      message: `${param} must be from ${min} to ${max} seconds.`,
    });
  const scheduled_at = at == null ? null : new Date(at);
  const fault = scheduled_at === null ? null : scheduleFault(scheduled_at, now);
  if (fault !== null) add("scheduled_at", "parameter_invalid", fault);
  const start = scheduled_at === null || Number.isNaN(scheduled_at.getTime()) ? now : scheduled_at;
  return { scheduled_at, expires_at: new Date(start.getTime() + Math.min(max, Math.max(min, expiry)) * 1000) };
}

/** The error of a scheduled time. */
export function scheduleFault(at: Date, now: Date): Why | null {
  if (Number.isNaN(at.getTime())) return { reason: "not_a_time", message: "scheduled_at must be an ISO 8601 time." };
  if (at.getTime() <= now.getTime()) return { reason: "not_in_future", message: "scheduled_at must be in the future." };
  if (at.getTime() - now.getTime() <= scheduleDaysMax * dayMs) return null;
  return { reason: "too_far_ahead", values: { max: scheduleDaysMax }, message: `scheduled_at can be up to ${scheduleDaysMax} days ahead.` };
}

/** The new expiry of a rescheduled message: it stays valid as long after its new time. */
export function expiryFrom(start: Date, { scheduled_at, created_at, expires_at }: Times): Date {
  return new Date(start.getTime() + expires_at.getTime() - (scheduled_at ?? created_at).getTime());
}
