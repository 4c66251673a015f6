import { emitAll } from "#events/index.ts";
import type { GatewayAmount } from "#gateways/index.ts";
import { recordTransfers } from "#ledger/index.ts";
import type { Ctx, Tx } from "#platform/index.ts";
import { transactionEvent } from "../order-events.ts";
import type { OrderRow, SessionRow } from "../shapes.ts";

interface Fee {
  pinned: Ctx;
  order: OrderRow;
  session: SessionRow;
  externalId: string;
  paid: GatewayAmount;
  fee: GatewayAmount | null;
}

/** Books providers' fees if they are reported in the payment's own currency. A fee in another currency is only stored with the payment. */
export async function bookFees(tx: Tx, fees: readonly Fee[]): Promise<void> {
  const booked = fees.flatMap((one) => (one.fee !== null && isBooked(one.paid, one.fee) ? [{ ...one, fee: one.fee }] : []));
  const [first] = booked;
  if (first === undefined) return;
  const transactions = await recordTransfers(tx, booked.map(transferOf));
  const events = booked.flatMap(({ order }, index) => {
    const transaction = transactions[index];
    return transaction === undefined ? [] : [{ ...transactionEvent(transaction, order), tenant: order }];
  });
  await emitAll(tx, first.pinned, events);
}

function isBooked(paid: GatewayAmount, fee: GatewayAmount): boolean {
  return fee.currency === paid.currency && fee.amount_minor > 0 && fee.amount_minor <= paid.amount_minor;
}

function transferOf({ pinned, order, session, externalId, fee }: Fee & { fee: GatewayAmount }) {
  return {
    tenant: { project_id: order.project_id, livemode: order.livemode },
    id: pinned.id("txn"),
    kind: "fee" as const,
    source: `${session.gateway}:${externalId}`,
    debit: "fees" as const,
    credit: "custody" as const,
    ...fee,
    gateway: session.gateway,
    order_id: order.id,
    reference: order.reference,
    payment_session_id: session.id,
    external_transaction_id: externalId,
    created_by: pinned.actor.id,
    now: pinned.now(),
  };
}
