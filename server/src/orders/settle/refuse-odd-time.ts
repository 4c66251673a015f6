import { type Ctx, type ErrorDetail, platformErrors } from "#platform/index.ts";

const aheadMs = 5 * 60_000;
const oldestDays = 400;

type OddTime = Pick<ErrorDetail, "reason" | "values" | "message">;

/**
 * What is odd about a transfer's time: later than clocks may differ, or longer ago than any statement reaches back. Null for a good one.
 */
export function oddTimeOf(pinned: Pick<Ctx, "now">, at: Date): OddTime | null {
  const now = pinned.now().getTime();
  if (at.getTime() > now + aheadMs) return { reason: "in_future", message: "The transfer's time is in the future." };
  if (at.getTime() >= now - oldestDays * 86_400_000) return null;
  return { reason: "too_old", values: { max: oldestDays }, message: `The transfer's time is more than ${oldestDays} days ago.` };
}

/** Refuses an implausible transfer time. */
export function refuseOddTime(pinned: Pick<Ctx, "now">, param: string, at: Date): void {
  const odd = oddTimeOf(pinned, at);
  if (odd !== null) throw platformErrors.parameter_invalid({ param, ...odd });
}
