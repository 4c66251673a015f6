import type { Ctx } from "#platform/index.ts";
import { takeInbound } from "../inbound/take-inbound.ts";
import { takeReceipt } from "../receipts/take-receipt.ts";
import { takeRefusal } from "../receipts/take-refusal.ts";
import type { SmsIntake } from "../transport.ts";

/** What transports pass reports and messages to. */
export function createSmsIntake(ctx: Ctx): SmsIntake {
  return {
    receipt: (receipt) => takeReceipt(ctx, receipt),
    refusal: (refusal) => takeRefusal(ctx, refusal),
    inbound: (message) => takeInbound(ctx, message),
  };
}
