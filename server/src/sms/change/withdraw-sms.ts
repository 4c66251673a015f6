import { isCancelable } from "#messaging/index.ts";
import type { Ctx, Tx } from "#platform/index.ts";
import { smsChannel } from "../channel/sms-channel.ts";
import type { SmsKey } from "../rows.sql.ts";
import { changeSms } from "./change-sms.ts";

/** Cancels those of some messages that can still be canceled; the others don't change. */
export async function withdrawSms(tx: Tx, pinned: Ctx, keys: readonly SmsKey[]): Promise<void> {
  await changeSms(tx, pinned, {
    keys,
    change: ({ status, segments_sent }) =>
      isCancelable(smsChannel, status) && segments_sent === 0 ? { status: "canceled", state: "done" } : null,
  });
}
