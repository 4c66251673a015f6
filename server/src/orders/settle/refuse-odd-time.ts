import { type Ctx, platformErrors } from "#platform/index.ts";

const aheadMs = 5 * 60_000;
const oldestDays = 400;

/** What is odd about a transfer's time, in words: later than clocks may differ, or longer ago than any statement reaches back. Null for a good one. */
export function oddTimeOf(timed: Pick<Ctx, "now">, at: Date): string | null {
  const now = timed.now().getTime();
  if (at.getTime() > now + aheadMs) return "The transfer's time is in the future.";
  return at.getTime() < now - oldestDays * 86_400_000 ? `The transfer's time is more than ${oldestDays} days ago.` : null;
}

/** Refuses a transfer's time that is a slip. */
export function refuseOddTime(timed: Pick<Ctx, "now">, param: string, at: Date): void {
  const message = oddTimeOf(timed, at);
  if (message !== null) throw platformErrors.parameter_invalid({ param, message });
}
