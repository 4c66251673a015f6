/** Why money moved, as the ledger stores it. */
export type TransferKind =
  | "order_payment"
  | "suspense"
  | "excess"
  | "refund"
  | "fee"
  | "adjustment"
  | "reversal"
  | "dispute"
  | "dispute_reversal";

/**
 * The accounts that every wallet (project, environment, currency, gateway) has. `custody` is what the merchant holds at the gateway;
 * `suspense` and `excess` hold money that no order may claim yet; `disputes` is what the gateway debited for disputed payments.
 */
export type AccountCode = "custody" | "sales" | "suspense" | "excess" | "shortfall" | "refunds" | "fees" | "disputes";

export type TransactionType = "payment" | "refund" | "fee" | "adjustment" | "reversal" | "payout";
export type TransactionStatus = "completed" | "held" | "reversed";

const types: Record<TransferKind, TransactionType> = {
  order_payment: "payment",
  suspense: "payment",
  excess: "payment",
  refund: "refund",
  fee: "fee",
  adjustment: "adjustment",
  reversal: "reversal",
  dispute: "adjustment",
  dispute_reversal: "adjustment",
};

/** What completes a payment without money is an adjustment; earlier versions booked it as an `order_payment`. */
export function typeOf({ kind, debit }: { kind: TransferKind; debit: AccountCode }): TransactionType {
  return debit === "shortfall" ? "adjustment" : types[kind];
}

/** The kinds behind the public types, money only; a type that is not booked yet has none. */
export function kindsOf(wanted: readonly TransactionType[]): TransferKind[] {
  return (Object.keys(types) as TransferKind[]).filter((kind) => wanted.includes(types[kind]));
}

export function statusOf(kind: TransferKind, reversed: boolean): TransactionStatus {
  if (reversed) return "reversed";
  return kind === "suspense" || kind === "excess" ? "held" : "completed";
}

/** +1 if the wallet gains, -1 if it loses. A transfer that does not involve custody counts by its effect on sales. */
export function signOf(debit: AccountCode, credit: AccountCode): 1 | -1 {
  return credit === "custody" || debit === "sales" ? -1 : 1;
}
