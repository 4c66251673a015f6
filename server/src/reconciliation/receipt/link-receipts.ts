import { recordAudit } from "#audit/index.ts";
import { listReceiptIds, lockAccount, lockDuplicates, type ReceiptRow, type ReceiptSource } from "#collection/index.ts";
import { orderErrors } from "#orders/index.ts";
import { AppError, type Ctx, detailsOf, type ErrorDetail, platformErrors, type Tenant } from "#platform/index.ts";
import { linkSet } from "./close-amount.ts";
import { freeReceipt } from "./free-receipt.ts";
import { type LinkInput, linkReceipt } from "./link-receipt.ts";
import { listPieces } from "./match/sql.ts";
import { isBookedFor, isFree, sourcesOf } from "./match/world.ts";
import { accountOf } from "./match-receipt.ts";
import { lockAccountOfReceipt, lockOwnReceipt, refuseOwnWord } from "./own-receipt.ts";
import { refuseUnsettled } from "./settle-receipt.ts";
import { ignoreReceipt, unlinkReceipt } from "./undo-receipt.ts";

export type BulkInput =
  | { action: "link"; links: LinkInput[] }
  | { action: "unlink"; receipt_ids: string[] }
  | { action: "ignore"; receipt_ids: string[]; reason: string };

/** The result for each receipt of a bulk decision; an error doesn't stop the others. */
export interface BulkResult {
  receipt_id: string;
  receipt: ReceiptRow | null;
  error: Omit<ErrorDetail, "param"> | null;
}

/** One decision about many receipts, each in its own transaction. Throws resource_missing without changes if one of them doesn't exist. */
export async function changeReceipts(ctx: Ctx, tenant: Tenant, input: BulkInput): Promise<BulkResult[]> {
  const links: { id: string; run: () => Promise<ReceiptRow> }[] =
    input.action === "link"
      ? input.links.map((link) => ({ id: link.receipt_id, run: () => linkReceipt(ctx, tenant, link) }))
      : input.receipt_ids.map((id) => ({
          id,
          run: () =>
            input.action === "ignore"
              ? ignoreReceipt(ctx, tenant, { receipt_id: id, reason: input.reason })
              : unlinkReceipt(ctx, tenant, { receipt_id: id }),
        }));
  const known = new Set(
    await listReceiptIds(
      ctx.db,
      tenant,
      links.map((link) => link.id),
    ),
  );
  const missing = links.find((link) => !known.has(link.id));
  if (missing !== undefined)
    throw platformErrors.resource_missing({
      param: input.action === "link" ? "links" : "receipt_ids",
      message: `The receipt ${missing.id} doesn't exist here.`,
    });
  const results: BulkResult[] = [];
  for (const { id, run } of links) {
    try {
      results.push({ receipt_id: id, receipt: await run(), error: null });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const [{ param: _, ...why }] = detailsOf(error) as [ErrorDetail];
      results.push({ receipt_id: id, receipt: null, error: why });
    }
  }
  return results;
}

/**
 * Closes a set that other askings keep open: a person decides that these receipts are these approved orders' money, equally many of both,
 * and of one amount. Books nothing, and assigns no single receipt to a single order.
 */
export function linkReceiptSet(
  ctx: Ctx,
  tenant: Tenant,
  input: { receipt_ids: string[]; order_ids: string[]; is_fresh?: boolean },
): Promise<ReceiptRow[]> {
  const { receipt_ids, order_ids } = input;
  if (receipt_ids.length !== order_ids.length)
    throw platformErrors.parameter_conflict({
      param: "order_ids",
      reason: "counts_differ",
      message: "Send the same number of orders and receipts.",
    });
  return ctx.transact(async (tx) => {
    const first = await lockAccountOfReceipt(tx, { tenant, id: receipt_ids[0] ?? "" });
    const account = accountOf(first);
    await lockAccount(tx, account);
    const receipts: ReceiptRow[] = [];
    const sources: ReceiptSource[] = [];
    for (const id of [...new Set(receipt_ids)]) {
      const receipt = await lockOwnReceipt(tx, tenant, id);
      await refuseOwnWord(tx, ctx, { receipt, isConfirmed: input.is_fresh === true });
      refuseOdd(receipt, first);
      receipts.push(receipt.exception_id === null ? receipt : await freeReceipt(tx, ctx, { tenant, receipt, note: "linked" }));
      sources.push(...sourcesOf(receipt, await lockDuplicates(tx, receipt)));
    }
    const orders = [...new Set(order_ids)].map((id) => ({ project_id: tenant.project_id, id }));
    const open = (await listPieces(tx, account, { orders, keys: [] })).filter(
      (piece) => piece.amount_minor === first.amount_minor && isFree(piece, sources),
    );
    const pieces = orders.flatMap((order) => open.find((piece) => isBookedFor(piece, order.id)) ?? []);
    if (pieces.length !== orders.length || receipts.length !== receipt_ids.length || orders.length !== order_ids.length) {
      const message = "Each order must be approved with this amount and not have a receipt yet.";
      throw orderErrors.order_state_conflict({ param: "order_ids", message });
    }
    const linked = await linkSet(tx, ctx, { account, world: { receipts }, set: { pieces, receipts } });
    const detail = { receipts: receipt_ids, orders: order_ids };
    await recordAudit(tx, { ctx, tenant, action: "receipt.linked", object_type: "receipt", object_id: first.id, detail });
    return linked;
  });
}

function refuseOdd(receipt: ReceiptRow, first: ReceiptRow): void {
  if (receipt.status !== "unmatched")
    throw orderErrors.order_state_conflict({
      param: "receipt_ids",
      message: "Every receipt in a set must be unmatched.",
      fields: { receipt_id: receipt.id },
    });
  refuseUnsettled(receipt, "receipt_ids");
  if (
    receipt.amount_minor !== first.amount_minor ||
    receipt.account_ref !== first.account_ref ||
    receipt.channel !== first.channel ||
    receipt.source !== first.source
  )
    throw platformErrors.parameter_conflict({
      param: "receipt_ids",
      reason: "mixed_set",
      message: "All receipts in a set must have the same amount, account and source.",
    });
}
