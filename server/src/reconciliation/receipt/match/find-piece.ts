import { listReservationsOfOrder, lockDuplicates, type ReceiptRow } from "#collection/index.ts";
import type { Tx } from "#platform/index.ts";
import { isSameMoney } from "./decide-receipt.ts";
import { listPieces } from "./sql.ts";
import { type BookedPayment, isFree, sourcesOf } from "./world.ts";

/**
 * The order's booking that a receipt shows, by the matching rule for its amount: the nearest amount that no receipt of the same sources
 * shows yet. `key` is the number under which the money has to be booked.
 */
export async function findPieceOf(
  tx: Tx,
  given: { receipt: ReceiptRow; order: { project_id: string; id: string }; key?: string },
): Promise<BookedPayment | null> {
  const { receipt, order, key } = given;
  const pieces = await listPieces(tx, receipt, { orders: [{ project_id: order.project_id, id: order.id }], keys: [] });
  const sources = sourcesOf(receipt, await lockDuplicates(tx, receipt));
  const reservations = await listReservationsOfOrder(tx, receipt, order);
  const shown = pieces.filter(
    (piece) =>
      (key === undefined || piece.external_key === key) &&
      isFree(piece, sources) &&
      (piece.amount_minor === receipt.amount_minor || reservations.some((reservation) => isSameMoney(piece, receipt, reservation))),
  );
  const apart = (piece: BookedPayment) => Math.abs(piece.amount_minor - receipt.amount_minor);
  return shown.sort((one, other) => apart(one) - apart(other))[0] ?? null;
}
