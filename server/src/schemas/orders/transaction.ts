import type { Transaction, Wallet } from "#ledger/index.ts";
import { amountOut, currencyOut, flag, gatewayField, idOf, instant, oneOf, shape, text, textOrNull } from "../fields/fields.ts";

export type TransactionShape = Transaction;
export type WalletShape = Wallet;
export const transactionTypes = ["payment", "refund", "fee", "adjustment", "reversal", "payout"] as const;

export const transactionSchema = shape("Transaction", "One entry in the ledger.", {
  id: idOf("txn", "The transaction's ID."),
  object: oneOf(["transaction"], "Always `transaction`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
  type: oneOf(
    transactionTypes,
    "The type: `payment`, `refund`, `fee`, `adjustment` or `reversal`. Money a dispute takes or returns is an adjustment. `payout` is reserved and not used.",
  ),
  status: text("`completed`, `held` until someone decides about it, or `reversed`.", ["completed"]),
  gateway: gatewayField("The gateway where the money is."),
  currency: currencyOut("The currency."),
  amount_minor: amountOut("Signed from the wallet's perspective: money that leaves it is negative."),
  fee_minor: amountOut("Always 0: gateway fees are separate transactions."),
  net_minor: amountOut("The change in the wallet's balance, which is the sum of these."),
  forgiven_minor: amountOut(
    "On an adjustment: the amount that completes a payment although it never arrived, because a lower amount was asked for or a reviewer accepted less. It doesn't enter the wallet, so `amount_minor` is 0.",
    0,
  ),
  order_id: textOrNull("The order."),
  reference: textOrNull("The order's reference."),
  payment_session_id: textOrNull("The payment attempt."),
  external_transaction_id: textOrNull("The transfer number at the gateway.", { examples: ["4200002026112014300001"] }),
  reverses: textOrNull("The transaction this one reverses."),
  description: textOrNull("A description."),
  created_by: text("The person or process that booked it."),
  created_at: instant("When it was booked."),
});

export const walletSchema = shape("Wallet", "The ledger's record of the money at one gateway in one currency.", {
  id: idOf("wal", "The wallet's ID."),
  object: oneOf(["wallet"], "Always `wallet`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
  currency: currencyOut("The currency."),
  gateway: gatewayField("The gateway where the money is."),
  custody: oneOf(
    ["external", "platform"],
    "Always `external`: the money is in the merchant's own account, and the wallet is a record of it. `platform` is reserved.",
  ),
  balance_minor: amountOut("The total balance."),
  available_minor: amountOut("The part that is booked to orders."),
  pending_minor: amountOut("The part that waits for a decision.", 0),
  refunded_minor: amountOut("The amount of payments that was refunded. Refunds of held money don't count.", 0),
  created_at: instant("When the first money arrived."),
  updated_at: instant("When it last changed."),
});
