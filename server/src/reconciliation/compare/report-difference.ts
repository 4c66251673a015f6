import { findOrderRow, openFinding } from "#orders/index.ts";
import { atNow, type Ctx } from "#platform/index.ts";
import { type Account, insertDifference } from "./sql.ts";

/** A difference between a provider's list and the database. */
export interface Difference {
  /** The same for the same difference, so that it is reported once. */
  key: string;
  kind: "mismatch" | "unmatched";
  reason:
    | "listed_amount"
    | "listed_unsettled"
    | "listed_unknown"
    | "listed_unreadable"
    | "days_not_compared"
    | "not_listed"
    | "listed_refund_amount"
    | "listed_refund_failed"
    | "refund_not_listed";
  order_id: string | null;
  payment_session_id: string | null;
  /** The provider's id. */
  external_id: string;
  /** 0 if it isn't known. */
  amount_minor: number;
  currency: string;
  more?: Record<string, unknown>;
}

/** Reports a difference to a person, once. Books nothing. */
export async function reportDifference(ctx: Ctx, account: Account & { gateway: string }, difference: Difference): Promise<void> {
  const tenant = { project_id: account.project_id, livemode: account.livemode };
  const { key, kind, order_id, reason, more, payment_session_id: sessionId, external_id: externalId, amount_minor, currency } = difference;
  await ctx.transactUnclaimed(async (tx) => {
    if (!(await insertDifference(tx, account, key))) return;
    const order = order_id === null ? null : await findOrderRow(tx, account, order_id);
    const detail = { reason, source: "comparison", ...more };
    const about = { tenant, order, sessionId, gateway: account.gateway, externalId, kind, amount: { amount_minor, currency }, detail };
    await openFinding(tx, await atNow(ctx, tx), about);
  });
}
