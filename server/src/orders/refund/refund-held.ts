import { atNow, type Ctx, type Tx } from "#platform/index.ts";
import type { RefundRow } from "../shapes.ts";
import { type Held, refundOfHeld, refuseTaken, refuseUnbooked } from "./booking/held.ts";
import type { ManualDetails } from "./booking/manual-details.ts";
import { recordRefund } from "./booking/record-refund.ts";
import { takeOutHeld, uncountHeld } from "./booking/take-out.ts";

/**
 * A person's word that the money which a locked case holds went back, whole. It leaves suspense or excess by a reversal, and its order
 * counts it no more. Throws order_state_conflict for money that isn't booked, or that a dispute took.
 */
export async function refundHeld(tx: Tx, ctx: Ctx, given: Held & { details: ManualDetails }): Promise<RefundRow> {
  const { exception, details } = given;
  refuseUnbooked(exception);
  await refuseTaken(tx, exception);
  const pinned = await atNow(ctx, tx);
  const id = pinned.id("rf");
  const transaction = await takeOutHeld(tx, pinned, { exception, refundId: id });
  await uncountHeld(tx, given);
  return recordRefund(tx, pinned, { tenant: exception, id, of: refundOfHeld(given), transaction, details });
}
