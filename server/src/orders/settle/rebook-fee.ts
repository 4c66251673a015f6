import { emitAll } from "#events/index.ts";
import { recordTransfers } from "#ledger/index.ts";
import type { Tx } from "#platform/index.ts";
import { transactionEvent } from "../order-events.ts";
import { findReversedFee } from "../rows/bookings.sql.ts";
import type { OrderRow } from "../shapes.ts";
import { type Arrival, transferOf } from "./arrival.ts";

interface Again {
  arrival: Arrival;
  /** How often a payment with its number was booked and reversed. */
  reversals: number;
  /** The order after the payment. */
  order: OrderRow | null;
}

/** Books the fee of money that was reversed as never received and is booked again: it left the books with that money. */
export async function rebookFee(tx: Tx, { arrival, reversals, order }: Again): Promise<void> {
  const { tenant, money, ctx } = arrival;
  const source = `${money.gateway}:${money.external_id}`;
  const sources = [source, ...Array.from({ length: reversals - 1 }, (_, index) => `${source}#${index + 1}`)];
  const fee = await findReversedFee(tx, tenant, sources);
  if (fee === null || fee.currency !== money.currency) return;
  const booked = {
    debit: "fees",
    credit: "custody",
    kind: "fee",
    source: `${source}#${reversals}`,
    amount_minor: fee.amount_minor,
  } as const;
  const transactions = await recordTransfers(tx, [{ ...transferOf(arrival), ...booked, tenant }]);
  await emitAll(
    tx,
    ctx,
    transactions.map((transaction) => ({ ...transactionEvent(transaction, order), tenant })),
  );
}
