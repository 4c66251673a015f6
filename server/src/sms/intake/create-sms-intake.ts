import { type Ctx, storable } from "#platform/index.ts";
import { takeInbound } from "../inbound/take-inbound.ts";
import { takeReceipt } from "../receipts/take-receipt.ts";
import { takeRefusal } from "../receipts/take-refusal.ts";
import type { SmsIntake } from "../transport.ts";

/** What transports pass reports and messages to. Whatever a carrier wrote in them can be stored. */
export function createSmsIntake(ctx: Ctx): SmsIntake {
  return {
    receipt: (receipt) => takeReceipt(ctx, storable(receipt)),
    refusal: (refusal) => takeRefusal(ctx, storable(refusal)),
    // From a person's text NULs are removed, not replaced: STOP has to be read with one behind it.
    inbound: (message) => takeInbound(ctx, storable({ ...message, body: message.body.replaceAll("\u0000", "") })),
  };
}
