import { emit } from "#events/index.ts";
import type { GatewayAmount } from "#gateways/index.ts";
import { recordTransfers } from "#ledger/index.ts";
import type { Ctx, Tx } from "#platform/index.ts";
import { transactionEvent } from "../order-events.ts";
import type { OrderRow, SessionRow } from "../shapes.ts";

interface Fee {
  order: OrderRow;
  session: SessionRow;
  externalId: string;
  paid: GatewayAmount;
  fee: GatewayAmount | null;
}

/** Books what the provider keeps of a payment, where it tells so in the payment's own currency. A fee in another one is a fact of the payment and in no books. */
export async function bookFee(tx: Tx, timed: Ctx, { order, session, externalId, paid, fee }: Fee): Promise<void> {
  if (fee === null || fee.currency !== paid.currency || fee.amount_minor <= 0 || fee.amount_minor > paid.amount_minor) return;
  const [booked] = await recordTransfers(tx, [
    {
      tenant: { project_id: order.project_id, livemode: order.livemode },
      id: timed.id("txn"),
      kind: "fee",
      source: `${session.gateway}:${externalId}`,
      debit: "fees",
      credit: "custody",
      ...fee,
      gateway: session.gateway,
      order_id: order.id,
      reference: order.reference,
      payment_session_id: session.id,
      external_transaction_id: externalId,
      created_by: timed.actor.id,
      now: timed.now(),
    },
  ]);
  if (booked !== undefined) await emit(tx, timed, { tenant: order, events: [transactionEvent(booked, order)] });
}
