import type { ChannelTask } from "#messaging/index.ts";
import { deleteEndedWindows } from "../change/windows.sql.ts";
import { processVerifications } from "./process-verifications.ts";

const portion = 500;

/** Verifications' periodic tasks. */
export function verificationTasks(): ChannelTask[] {
  return [
    { name: "tend_verifications", everyMs: 500, run: processVerifications },
    { name: "forget_verification_windows", everyMs: 60_000, run: (ctx) => ctx.transact((tx) => deleteEndedWindows(tx, portion)) },
  ];
}
