import { type Account, externalKey, findReceiptOfKey, personalMethodOf } from "#collection/index.ts";
import { orderErrors, type SessionRow } from "#orders/index.ts";
import type { Tx } from "#platform/index.ts";
import { listWaitingTransfers, type WaitingTransfers } from "../receipt/match/waiting-transfers.ts";
import { findAccountOfSession } from "../receipt/sql.ts";

/**
 * Throws order_state_conflict if what the wallets reported contradicts an approval: the only transfers that fit were refunded or aren't
 * complete, or one waits in the wallet that the buyer was shown last and another wallet is approved. A reviewer who saw another transfer
 * confirms it by its number.
 */
export async function refuseContradicted(
  tx: Tx,
  given: { session: SessionRow; shown: SessionRow | null; amountMinor: number; number: string | undefined },
): Promise<void> {
  const { session, shown, amountMinor, number } = given;
  const elsewhere = shown === null || shown.gateway === session.gateway ? null : shown;
  if (number !== undefined) {
    if (elsewhere !== null && (await waitsThere(tx, elsewhere, number))) throw inOtherWallet(elsewhere);
    return;
  }
  const { received, returned } = await listTransfers(tx, session, amountMinor);
  if (received.length > 0) return;
  if (elsewhere !== null && (await listTransfers(tx, elsewhere, elsewhere.payable_amount_minor)).received.length > 0)
    throw inOtherWallet(elsewhere);
  if (returned.length > 0)
    throw orderErrors.order_state_conflict({
      message:
        "The only transfer that fits this payment was refunded or isn't complete. Send the number of the transfer that arrived as external_transaction_id, or reject the payment.",
      fields: { reason: "transfer_returned", receipt_ids: returned.map(({ id }) => id) },
    });
}

async function listTransfers(tx: Tx, session: SessionRow, amountMinor: number): Promise<WaitingTransfers> {
  const account = await accountOf(tx, session);
  const order = { project_id: session.project_id, id: session.order_id };
  return account === null ? { received: [], returned: [] } : listWaitingTransfers(tx, account, { order, amountMinor });
}

/** Whether the transfer with this number arrived in the wallet of a payment and waits there. */
async function waitsThere(tx: Tx, session: SessionRow, number: string): Promise<boolean> {
  const [account, key] = [await accountOf(tx, session), externalKey(number)];
  return account !== null && key !== null && (await findReceiptOfKey(tx, account, key))?.status === "unmatched";
}

async function accountOf(tx: Tx, session: SessionRow): Promise<Account | null> {
  const method = personalMethodOf(session.gateway);
  return method === null ? null : findAccountOfSession(tx, session, method.channel);
}

function inOtherWallet({ gateway }: SessionRow): Error {
  return orderErrors.order_state_conflict({
    param: "gateway",
    message: `A transfer that fits this order waits in the wallet of ${gateway}. Approve it with that gateway, or send the number of the transfer that arrived in this wallet as external_transaction_id.`,
    fields: { reason: "transfer_elsewhere", gateway },
  });
}
