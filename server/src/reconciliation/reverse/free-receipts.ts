import { lockDuplicates, lockReceipt, type ReceiptRow, updateReceipt } from "#collection/index.ts";
import type { ReceivedRow } from "#orders/index.ts";
import type { Ctx, Tx } from "#platform/index.ts";
import { writeReceiptResult } from "../receipt/settle-receipt.ts";
import { cutLink } from "../receipt/undo-receipt.ts";
import { listReceiptsOfPiece } from "./sql.ts";

const free = { booked: null, session_id: null, exception_id: null } as const;

/**
 * Unlinks the receipts of money that was booked by mistake; each then waits for a person and isn't matched automatically again. Returns the
 * one that shows this exact transfer and isn't one of a set; receipts of other sources that showed it too follow that one.
 */
export async function freeReceipts(tx: Tx, ctx: Ctx, piece: ReceivedRow): Promise<ReceiptRow | null> {
  let own: ReceiptRow | null = null;
  for (const seen of await listReceiptsOfPiece(tx, piece)) {
    const receipt = await lockReceipt(tx, seen, seen.id);
    // A set is undone with its first receipt.
    if (receipt === null || receipt.status === "unmatched") continue;
    const isOwn = receipt.set_id === null;
    const cut = receipt.status === "linked" ? await cutLink(tx, ctx, { tenant: piece, receipt }) : await freeMatched(tx, ctx, receipt);
    const decided = await updateReceipt(tx, cut, { status: "unmatched", decided_by: ctx.actor.id, decision_reason: "payment reversed" });
    if (!isOwn) continue;
    if (own === null) own = decided;
    else await follow(tx, { receipt: decided, of: own });
  }
  return own;
}

/** A receipt that showed the same transfer as another one still does, with everything that followed it. */
async function follow(tx: Tx, given: { receipt: ReceiptRow; of: ReceiptRow }): Promise<void> {
  const { receipt, of } = given;
  for (const follower of await lockDuplicates(tx, receipt)) await updateReceipt(tx, follower, { status: follower.status, twin_id: of.id });
  await updateReceipt(tx, receipt, { status: "linked", twin_id: of.id });
}

async function freeMatched(tx: Tx, ctx: Ctx, receipt: ReceiptRow): Promise<ReceiptRow> {
  return writeReceiptResult(tx, ctx, { receipt: await updateReceipt(tx, receipt, { status: "unmatched" }), status: "unmatched", ...free });
}

/** Links a released receipt to the exception that holds its money now. */
export async function keepWithException(
  tx: Tx,
  ctx: Ctx,
  given: { receipt: ReceiptRow; piece: ReceivedRow; exceptionId: string },
): Promise<void> {
  const { receipt, piece, exceptionId } = given;
  const booked = { project_id: piece.project_id, external_id: piece.external_id };
  await writeReceiptResult(tx, ctx, { receipt, status: "matched", booked, session_id: null, exception_id: exceptionId });
}
