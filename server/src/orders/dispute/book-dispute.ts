import { type NewTransfer, recordTransfers, reverseTransfer, type Transaction } from "#ledger/index.ts";
import type { Ctx, Tx } from "#platform/index.ts";
import type { DisputeRow } from "../dispute-row.ts";
import type { OrderRow } from "../shapes.ts";
import type { DisputeSteps } from "./decide-dispute.ts";

interface Booking {
  /** The previous state; null for a new one. */
  known: DisputeRow | null;
  /** The new state, without its transfers. */
  next: DisputeRow;
  order: OrderRow | null;
  steps: DisputeSteps;
}

/**
 * Books a dispute's debit or credit in the payment's wallet, and returns the dispute with its transfers. Each debit has a unique name in
 * the ledger.
 */
export async function bookDispute(tx: Tx, pinned: Ctx, given: Booking): Promise<{ dispute: DisputeRow; transactions: Transaction[] }> {
  const { known, next, order, steps } = given;
  const transactions: Transaction[] = [];
  const dispute = { ...next };
  const book = async (transfer: Pick<NewTransfer, "kind" | "source" | "debit" | "credit" | "amount_minor" | "currency">) => {
    const [booked] = await recordTransfers(tx, [{ ...transfer, ...usual(pinned, dispute, order), tenant: tenantOf(dispute) }]);
    if (booked === undefined) throw new Error("a transfer was not booked");
    transactions.push(booked);
    return booked.id;
  };
  if (known !== null && steps.returns) {
    const { amount_minor, currency } = known;
    const source = `${known.id}:${known.takings}`;
    await book({ kind: "dispute_reversal", source, debit: "custody", credit: "disputes", amount_minor, currency });
    dispute.transaction_id = null;
  }
  if (steps.takes) {
    const { amount_minor, currency } = dispute;
    dispute.takings += 1;
    const source = `${dispute.id}:${dispute.takings}`;
    dispute.transaction_id = await book({ kind: "dispute", source, debit: "disputes", credit: "custody", amount_minor, currency });
  }
  if (steps.returnsFee) {
    const source = `${dispute.id}:fee:${dispute.fee_takings}`;
    const reversal = {
      id: pinned.id("txn"),
      reverses: dispute.fee_transaction_id ?? "",
      source,
      created_by: pinned.actor.id,
      now: pinned.now(),
    };
    transactions.push(await reverseTransfer(tx, tenantOf(dispute), reversal));
    dispute.fee_transaction_id = null;
  }
  if (steps.takesFee !== null) {
    dispute.fee_takings += 1;
    const source = `${dispute.id}:fee:${dispute.fee_takings}`;
    dispute.fee_transaction_id = await book({ kind: "fee", source, debit: "fees", credit: "custody", ...steps.takesFee });
  }
  return { dispute, transactions };
}

function tenantOf({ project_id, livemode }: DisputeRow): { project_id: string; livemode: boolean } {
  return { project_id, livemode };
}

function usual(
  pinned: Ctx,
  dispute: DisputeRow,
  order: OrderRow | null,
): Omit<NewTransfer, "kind" | "source" | "debit" | "credit" | "amount_minor" | "currency"> {
  return {
    id: pinned.id("txn"),
    gateway: dispute.gateway,
    order_id: dispute.order_id,
    reference: order?.reference ?? null,
    payment_session_id: dispute.payment_session_id,
    external_transaction_id: dispute.provider_dispute_id,
    created_by: pinned.actor.id,
    now: pinned.now(),
  };
}
