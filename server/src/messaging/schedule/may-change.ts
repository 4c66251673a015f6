import { type Ctx, findNow, platformErrors } from "#platform/index.ts";
import type { SendingChannel } from "../channel.ts";
import { scheduleFault } from "./times.ts";

/** Whether a message with this status can still be kept from being sent. */
export function isCancelable({ waiting }: Pick<SendingChannel, "waiting">, status: string): boolean {
  return status === "scheduled" || waiting.includes(status);
}

/** Whether a message with this status, without attempts, can be rescheduled. */
export function isReschedulable(status: string): boolean {
  return status === "scheduled" || status === "queued";
}

/** Refuses a change that was meant for another version of the message. Throws version_conflict. */
export function requireVersion(wanted: number | undefined, { version }: { version: number }): void {
  if (wanted !== undefined && wanted !== version) throw platformErrors.version_conflict({ fields: { version } });
}

/** Reads the new time of a message. Throws parameter_invalid for one outside the next thirty days. */
export async function readNewTime(ctx: Pick<Ctx, "db">, scheduled_at: string | Date): Promise<Date> {
  const at = new Date(scheduled_at);
  const fault = scheduleFault(at, await findNow(ctx.db));
  if (fault !== null) throw platformErrors.parameter_invalid({ param: "scheduled_at", ...fault });
  return at;
}
