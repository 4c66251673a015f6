import {
  type Account,
  externalKey,
  findAccount,
  findProfile,
  findReceiptOfKey,
  lockAccount,
  lockReceipt,
  personalMethodOf,
} from "#collection/index.ts";
import { orderErrors, type SessionRow } from "#orders/index.ts";
import { type Ctx, platformErrors, type Tenant, type Tx } from "#platform/index.ts";
import { closeAmount } from "./close-amount.ts";
import { freeReceipt } from "./free-receipt.ts";
import { findPieceOf } from "./match/find-piece.ts";
import { linkToPiece, refuseUnsettled } from "./settle-receipt.ts";
import { findAccountOfSession, listAccountsOfOrder } from "./sql.ts";

/**
 * Locks the accounts that a decision about an order may concern: those that it was asked to pay into, and the project's own of `gateway`. A
 * decision locks them before the order, as receipts do, so that neither misses the other's bookings and they can't deadlock.
 */
export async function lockAccountsOfOrder(
  tx: Tx,
  given: { tenant: Tenant; order_id: string; gateway?: string | undefined },
): Promise<void> {
  const { tenant, order_id, gateway } = given;
  const channel = gateway === undefined ? null : (personalMethodOf(gateway)?.channel ?? null);
  const hasProfile = channel !== null && (await findProfile(tx, tenant, channel)) !== null;
  const own = hasProfile ? [await findAccount(tx, tenant, { channel })] : [];
  await lockAccounts(tx, [...(await listAccountsOfOrder(tx, tenant, order_id)), ...own]);
}

/** Locks accounts, always in the same order. */
export async function lockAccounts(tx: Tx, accounts: readonly Account[]): Promise<void> {
  const byName = new Map(accounts.map((account) => [`${account.channel} ${account.account_ref}`, account]));
  for (const [, account] of [...byName].sort(([one], [other]) => (one < other ? -1 : 1))) await lockAccount(tx, account);
}

/**
 * Links an approval to the receipts that show the same transfer: the one with the entered number, or those that now close as a set. Books
 * nothing. Throws review_exists if the number is that of another order's receipt, parameter_conflict if that receipt shows another amount,
 * and order_state_conflict if its transfer isn't final.
 */
export async function linkWaitingReceipt(
  tx: Tx,
  ctx: Ctx,
  given: { session: SessionRow; amountMinor: number; externalId: string; occurredAt: Date },
): Promise<void> {
  const { session, amountMinor } = given;
  const method = personalMethodOf(session.gateway);
  if (method === null) return;
  const account =
    (await findAccountOfSession(tx, session, method.channel)) ?? (await findAccount(tx, session, { channel: method.channel }));
  await linkNumbered(tx, ctx, { ...given, account });
  await closeAmount(tx, ctx, { account, amount: amountMinor, at: given.occurredAt });
}

async function linkNumbered(
  tx: Tx,
  ctx: Ctx,
  given: { session: SessionRow; amountMinor: number; externalId: string; account: Account },
): Promise<void> {
  const { session, externalId, account } = given;
  const key = externalKey(externalId);
  const seen = key === null ? null : await findReceiptOfKey(tx, account, key);
  const receipt = seen === null ? null : await lockReceipt(tx, seen, seen.id);
  if (receipt === null || key === null) return;
  if (receipt.status === "linked" || receipt.status === "matched") throw orderErrors.review_exists({ param: "external_transaction_id" });
  const param = "external_transaction_id";
  refuseUnsettled(receipt, param);
  const piece = await findPieceOf(tx, { receipt, order: { project_id: session.project_id, id: session.order_id }, key });
  if (piece === null) {
    const message =
      "The receipt with this transfer number has a different amount. Send the amount that arrived as received_amount_minor, or check the number.";
    throw platformErrors.parameter_conflict({
      param,
      reason: "receipt_differs",
      message,
      fields: { receipt_id: receipt.id, receipt_amount_minor: receipt.amount_minor },
    });
  }
  const free = receipt.exception_id === null ? receipt : await freeReceipt(tx, ctx, { tenant: session, receipt, note: "linked" });
  await linkToPiece(tx, ctx, { receipt: free, piece });
}

/** How often money with this transfer number was booked from its receipt and reversed: each booking has a unique name in the ledger. */
export async function findReleases(tx: Tx, session: SessionRow, externalId: string): Promise<number> {
  const [method, key] = [personalMethodOf(session.gateway), externalKey(externalId)];
  if (method === null || key === null) return 0;
  const receipt = await findReceiptOfKey(tx, await findAccount(tx, session, { channel: method.channel }), key);
  return receipt?.releases ?? 0;
}
