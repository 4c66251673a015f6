import type { Transaction, Wallet } from "#ledger/index.ts";
import { amountOut, currencyOut, flag, gatewayField, idOf, instant, oneOf, shape, text, textOrNull } from "../fields/fields.ts";

export type TransactionShape = Transaction;
export type WalletShape = Wallet;
export const transactionTypes = ["payment", "refund", "fee", "adjustment", "reversal", "payout"] as const;

export const transactionSchema = shape("Transaction", "One movement of money in the ledger.", {
  id: idOf("txn", "The transaction's id."),
  object: oneOf(["transaction"], "Always `transaction`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
  type: oneOf(
    transactionTypes,
    "What moved: `payment`, `refund`, `fee`, `adjustment` or `reversal`. What a dispute takes and gives back is an adjustment. `payout` is reserved; nothing is booked with it.",
  ),
  status: text("`completed`, `held` until somebody decides about it, or `reversed`.", ["completed"]),
  gateway: gatewayField("Where the money is."),
  currency: currencyOut("The currency."),
  amount_minor: amountOut("Signed, seen from the wallet: what leaves it is negative."),
  fee_minor: amountOut("Always 0: a gateway's fees are transactions of their own."),
  net_minor: amountOut("What the wallet gained or lost. The wallet's balance is the sum of these."),
  forgiven_minor: amountOut(
    "On an adjustment: what completes a payment although it never arrived, because a lower amount was asked for or a person accepted less. It reaches no wallet, so `amount_minor` is 0.",
    0,
  ),
  order_id: textOrNull("The order."),
  reference: textOrNull("The order's reference."),
  payment_session_id: textOrNull("The attempt to pay."),
  external_transaction_id: textOrNull("The transfer's number at the gateway.", { examples: ["4200002026112014300001"] }),
  reverses: textOrNull("The transaction that this one takes back."),
  description: textOrNull("In words."),
  created_by: text("Who or what booked it."),
  created_at: instant("When it was booked."),
});

export const walletSchema = shape("Wallet", "What the ledger knows of the money at one gateway in one currency.", {
  id: idOf("wal", "The wallet's id."),
  object: oneOf(["wallet"], "Always `wallet`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
  currency: currencyOut("The currency."),
  gateway: gatewayField("Where the money is."),
  custody: oneOf(
    ["external", "platform"],
    "Always `external`: the money lies in the merchant's own account, and the wallet is a record of it. `platform` is reserved.",
  ),
  balance_minor: amountOut("All of it."),
  available_minor: amountOut("What is booked to orders."),
  pending_minor: amountOut("What waits for somebody's decision.", 0),
  refunded_minor: amountOut("What was refunded of payments. Held money that went back isn't part of it.", 0),
  created_at: instant("When the first money came."),
  updated_at: instant("When it last changed."),
});
