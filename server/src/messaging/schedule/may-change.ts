import { platformErrors } from "#platform/index.ts";
import type { SendingChannel } from "../channel.ts";

/** Whether a message of this status can still be kept from being sent. */
export function isCancelable({ waiting }: Pick<SendingChannel, "waiting">, status: string): boolean {
  return status === "scheduled" || waiting.includes(status);
}

/** Whether a message of this status, which nobody has tried to send, can be given another time. */
export function isReschedulable(status: string): boolean {
  return status === "scheduled" || status === "queued";
}

/** Refuses a change that was meant for another version of the message. Throws version_conflict. */
export function requireVersion(wanted: number | undefined, { version }: { version: number }): void {
  if (wanted !== undefined && wanted !== version) throw platformErrors.version_conflict({ fields: { version } });
}
