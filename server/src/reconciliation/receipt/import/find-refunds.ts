import { type Account, externalKey, type ReceiptState, type Statement } from "#collection/index.ts";
import type { Db, Tenant } from "#platform/index.ts";
import type { RefundHint } from "./count-rows.ts";
import { type KnownReceipt, listReceiptsOfKeys, listReceiptsOfPayers } from "./sql.ts";

const lookBackMs = 60 * 86_400_000;

/**
 * Which paid orders of the project a statement shows as refunded: by the number that the row names, by a row that was recorded as received
 * and is refunded since, or, without a number, by the only payment of that payer that is large enough. Payments that paid no order count
 * too, because one of them may be the refunded one.
 */
export async function findRefunds(db: Db, tenant: Tenant, given: { account: Account; statement: Statement }): Promise<RefundHint[]> {
  const { account, statement } = given;
  const back = statement.rows.filter((row) => row.refunded_minor !== null);
  const numbers = [...back.map((row) => row.external_id), ...statement.refunds.map((refund) => refund.returns)];
  const keys = numbers.flatMap((number) => externalKey(number) ?? []);
  const byKey = new Map((keys.length === 0 ? [] : await listReceiptsOfKeys(db, account, keys)).map((one) => [one.external_key, one]));
  const hints: RefundHint[] = [];
  const hinted = new Set<string>();
  const add = (line: number, receipt: KnownReceipt | undefined, amount_minor: number) => {
    if (receipt?.order_id == null || receipt.project_id !== tenant.project_id) return;
    hinted.add(receipt.id);
    hints.push({ line, order_id: receipt.order_id, receipt_id: receipt.id, amount_minor: Math.min(amount_minor, receipt.amount_minor) });
  };
  const returned = new Set(statement.refunds.flatMap((refund) => externalKey(refund.returns) ?? []));
  for (const refund of statement.refunds)
    if (refund.returns !== null) add(refund.line, byKey.get(externalKey(refund.returns) ?? ""), refund.amount_minor);
  for (const row of back) {
    const key = externalKey(row.external_id) ?? "";
    if (!returned.has(key)) add(row.line, byKey.get(key), row.refunded_minor ?? 0);
  }
  const nameless = statement.refunds.filter((refund) => refund.returns === null && refund.payer_hint !== null);
  const paid = nameless.length === 0 ? [] : await listPaidBy(db, { account, statement, nameless });
  for (const refund of nameless) {
    const fits = paid.filter((one) => one.payer_hint === refund.payer_hint && !returned.has(one.external_key) && isReturnable(one, refund));
    const [only] = fits;
    // The row of the payment itself may have reported this refund.
    if (fits.length === 1 && only !== undefined && !hinted.has(only.id)) add(refund.line, only, refund.amount_minor);
  }
  return hints;
}

/** The states of known transfers that the file shows as refunded by rows of their own, whose payment it may not have. */
export async function listReturned(
  db: Db,
  given: { account: Account; statement: Statement },
): Promise<{ key: string; amount_minor: number; state: ReceiptState }[]> {
  const back = new Map<string, number>();
  for (const { returns, amount_minor } of given.statement.refunds) {
    const key = externalKey(returns);
    if (key !== null) back.set(key, (back.get(key) ?? 0) + amount_minor);
  }
  const known = back.size === 0 ? [] : await listReceiptsOfKeys(db, given.account, [...back.keys()]);
  return known.map(({ external_key: key, amount_minor }) => {
    const state = (back.get(key) ?? 0) < amount_minor ? "partly_refunded" : "refunded";
    return { key, amount_minor, state };
  });
}

type Refund = Statement["refunds"][number];

function isReturnable(paid: Pick<KnownReceipt, "amount_minor" | "occurred_at">, refund: Refund): boolean {
  return paid.amount_minor >= refund.amount_minor && paid.occurred_at <= refund.occurred_at;
}

/** Payments of these payers: known receipts, and rows of the file that aren't recorded yet. */
async function listPaidBy(db: Db, given: { account: Account; statement: Statement; nameless: Refund[] }): Promise<KnownReceipt[]> {
  const { account, statement, nameless } = given;
  const payers = [...new Set(nameless.flatMap((refund) => refund.payer_hint ?? []))];
  const since = new Date(Math.min(...nameless.map((refund) => refund.occurred_at.getTime())) - lookBackMs);
  const known = await listReceiptsOfPayers(db, account, { payers, since });
  const keys = new Set(known.map((one) => one.external_key));
  const rows = statement.rows.flatMap((row): KnownReceipt[] => {
    const external_key = externalKey(row.external_id) ?? "";
    if (row.payer_hint === null || !payers.includes(row.payer_hint) || keys.has(external_key)) return [];
    return [{ project_id: "", livemode: account.livemode, id: "", external_key, order_id: null, ...row }];
  });
  return [...known, ...rows];
}
