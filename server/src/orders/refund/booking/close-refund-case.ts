import { emit } from "#events/index.ts";
import type { Ctx, Tx } from "#platform/index.ts";
import { exceptionEvent } from "../../order-events.ts";
import { updateExceptionReleased } from "../../rows/exceptions.sql.ts";
import type { GatewayRefundRow, OrderRow } from "../../shapes.ts";

/** Closes the exception of a refund whose outcome had been unknown for days, because it is known now. The order is locked. */
export async function closeRefundCase(
  tx: Tx,
  pinned: Ctx,
  given: { question: GatewayRefundRow; order: OrderRow | null; note: string | null },
): Promise<void> {
  const { question, order, note } = given;
  if (question.exception_id === null) return;
  const { project_id, livemode, exception_id: id } = question;
  const closed = await updateExceptionReleased(tx, { project_id, livemode, id }, { note, by: pinned.actor.id, from: [] });
  if (closed !== null) await emit(tx, pinned, { tenant: { project_id, livemode }, events: [exceptionEvent(closed, order)] });
}
