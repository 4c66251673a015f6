import type { PaymentSnapshot, StoredCallback } from "#gateways/index.ts";
import type { Ctx } from "#platform/index.ts";
import { settleTogether } from "../settle/groups.ts";
import type { GatewayPaymentRow, SessionRow } from "../shapes.ts";
import { applySnapshot, moneyOf, noteTaken, numberOf, type Taking } from "./apply-snapshot.ts";
import { judgeSnapshot } from "./judge-snapshot.ts";

interface Told {
  callback: StoredCallback;
  session: SessionRow;
  payment: GatewayPaymentRow;
  account: string | null;
  snapshot: PaymentSnapshot;
}

/**
 * Settles the money that a callback tells of, together with whatever else waits: the money, the payment's row and the callback's in one transaction. Where the order
 * or the payment is busy, or the word means something else once they are locked, it is applied alone.
 */
export async function settleTold(ctx: Ctx, told: Told): Promise<void> {
  const { callback, session, payment, account, snapshot } = told;
  const { project_id, livemode, gateway, order_id } = payment;
  const external_id = numberOf(told);
  const alone = () => applySnapshot(ctx, { session, account, snapshot, callback }).then(() => null);
  await settleTogether<null>({
    ctx,
    tenant: { project_id, livemode },
    order_id,
    number: { gateway, external_id },
    payment: session.id,
    isShown: false,
    come({ ctx: timed, order, sessions, payment: locked }) {
      const current = sessions.find(({ id }) => id === session.id);
      if (order === null || current === undefined || locked === null) return null;
      const judgement = judgeSnapshot({ session: current, payment: locked, account, snapshot });
      if (judgement.kind !== "paid") return null;
      const note: Taking = { timed, order, session: current, payment: locked, snapshot, paid: judgement.paid, callback };
      const money = moneyOf(note);
      // A group holds each number once, by the name that was given above.
      return money.external_id === external_id ? { money, session: current, isNewSession: false, beside: { note, write: noteTaken } } : null;
    },
    answer: () => null,
    alone,
  });
}
