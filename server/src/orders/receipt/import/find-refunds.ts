import { type Account, externalKey, type Statement } from "#collection/index.ts";
import type { Db, Tenant } from "#platform/index.ts";
import type { RefundHint } from "./count-rows.ts";
import { type KnownReceipt, listReceiptsOfKeys, listReceiptsOfPayers } from "./sql.ts";

const lookBackMs = 60 * 86_400_000;

/**
 * Which paid orders of the project a statement shows to be given back: by the number that the row names, by a row that was taken in as received and
 * is refunded since, or, without a number, by the only payment of that payer that is large enough.
 */
export async function findRefunds(db: Db, tenant: Tenant, given: { account: Account; statement: Statement }): Promise<RefundHint[]> {
  const { account, statement } = given;
  const back = statement.rows.filter((row) => row.refunded_minor !== null);
  const numbers = [...back.map((row) => row.external_id), ...statement.refunds.map((refund) => refund.returns)];
  const keys = numbers.flatMap((number) => externalKey(number) ?? []);
  const byKey = new Map((keys.length === 0 ? [] : await listReceiptsOfKeys(db, account, keys)).map((one) => [one.external_key, one]));
  const hints: RefundHint[] = [];
  const named = new Set<string>();
  const add = (line: number, receipt: KnownReceipt | undefined, amount_minor: number) => {
    if (receipt?.order_id == null || receipt.project_id !== tenant.project_id) return;
    named.add(receipt.external_key);
    hints.push({ line, order_id: receipt.order_id, receipt_id: receipt.id, amount_minor: Math.min(amount_minor, receipt.amount_minor) });
  };
  for (const refund of statement.refunds) if (refund.returns !== null) add(refund.line, byKey.get(externalKey(refund.returns) ?? ""), refund.amount_minor);
  for (const row of back) {
    const key = externalKey(row.external_id) ?? "";
    if (!named.has(key)) add(row.line, byKey.get(key), row.refunded_minor ?? 0);
  }
  const nameless = statement.refunds.filter((refund) => refund.returns === null && refund.payer_hint !== null);
  if (nameless.length === 0) return hints;
  const payers = [...new Set(nameless.flatMap((refund) => refund.payer_hint ?? []))];
  const since = new Date(Math.min(...nameless.map((refund) => refund.occurred_at.getTime())) - lookBackMs);
  const paid = await listReceiptsOfPayers(db, account, { payers, since });
  for (const refund of nameless) {
    const fits = paid.filter(
      (one) =>
        one.payer_hint === refund.payer_hint &&
        one.amount_minor >= refund.amount_minor &&
        one.occurred_at <= refund.occurred_at &&
        !named.has(one.external_key),
    );
    if (fits.length === 1) add(refund.line, fits[0], refund.amount_minor);
  }
  return hints;
}
