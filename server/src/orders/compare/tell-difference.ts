import { atNow, type Ctx } from "#platform/index.ts";
import { openFinding } from "../asking/open-finding.ts";
import { findOrderRow } from "../rows/orders.sql.ts";
import { type Account, insertDifference } from "./sql.ts";

/** What does not fit between a provider's list and what is here. */
export interface Difference {
  /** The same for the same difference, so that a person is told of it once. */
  key: string;
  kind: "mismatch" | "unmatched";
  reason: "listed_amount" | "listed_unsettled" | "listed_unknown" | "not_listed" | "listed_refund_amount" | "listed_refund_failed" | "refund_not_listed";
  order_id: string | null;
  payment_session_id: string | null;
  /** As the provider names it. */
  external_id: string;
  amount_minor: number;
  currency: string;
  more?: Record<string, unknown>;
}

/** Tells a person of a difference, once. Nothing is booked by it. */
export async function tellDifference(ctx: Ctx, account: Account & { gateway: string }, difference: Difference): Promise<void> {
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
