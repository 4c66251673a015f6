import type { PaymentSnapshot, StoredCallback } from "#gateways/index.ts";
import type { Ctx } from "#platform/index.ts";
import { findSession } from "../rows/sessions.sql.ts";
import { settleTogether } from "../settle/groups.ts";
import type { GatewayPaymentRow } from "../shapes.ts";
import { applySnapshot, moneyOf, noteTaken, type Taking } from "./apply-snapshot.ts";
import { interpretSnapshot, numberOf } from "./interpret-snapshot.ts";

interface PaymentReport {
  callback: StoredCallback;
  payment: GatewayPaymentRow;
  account: string | null;
  snapshot: PaymentSnapshot;
}

/**
 * Settles the money that a callback reports together with other waiting payments: the money, the payment's row and the callback's in one
 * transaction. A payment that is locked, whose order is, or that was reported before is applied individually. False if it isn't exactly
 * what was requested, so that the provider has to be asked.
 */
export function settleReported(ctx: Ctx, report: PaymentReport): Promise<boolean> {
  const { callback, payment, account, snapshot } = report;
  const { project_id, livemode, gateway, order_id, payment_session_id } = payment;
  if (payment.settled_id !== null) return settleAlone(ctx, report);
  const external_id = numberOf(report);
  return settleTogether<boolean>({
    ctx,
    tenant: { project_id, livemode },
    order_id,
    number: { gateway, external_id },
    payment: payment_session_id,
    isShown: false,
    come({ ctx: pinned, order, sessions, payment: locked }) {
      const session = sessions.find(({ id }) => id === payment_session_id);
      if (order === null || session === undefined || locked === null) return null;
      const interpretation = interpretSnapshot({ session, payment: locked, account, snapshot });
      if (interpretation.kind !== "paid" || !interpretation.isExact) return null;
      const { paid } = interpretation;
      // How much of a later report is new depends on what is still in the books, perhaps for another order.
      if (locked.settled_id !== null) return null;
      const note: Taking = { pinned, order, session, payment: locked, pieces: [], snapshot, paid, callback };
      const money = moneyOf(note);
      // A group has each number once, under the name given above.
      return money.external_id === external_id ? { money, session, isNewSession: false, followUp: { note, write: noteTaken } } : null;
    },
    answer: () => true,
    alone: () => settleAlone(ctx, report),
  });
}

async function settleAlone(ctx: Ctx, { callback, payment, account, snapshot }: PaymentReport): Promise<boolean> {
  const session = await findSession(ctx.db, payment, payment.payment_session_id);
  const interpretation = session === null ? null : interpretSnapshot({ session, payment, account, snapshot });
  if (session === null || interpretation?.kind !== "paid" || !interpretation.isExact) return false;
  await applySnapshot(ctx, { session, account, snapshot, callback });
  return true;
}
