/** Why money moved, as the ledger keeps it. */
export type TransferKind = "order_payment" | "suspense" | "excess" | "refund" | "fee" | "adjustment" | "reversal" | "dispute" | "dispute_reversal";

/**
 * The accounts that every wallet (project, environment, currency, gateway) has. `custody` is what the merchant holds at the gateway;
 * `suspense` and `excess` is money in it that no order may claim yet; `disputes` is what the gateway took back for disputed payments.
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

/** What completes a payment without money is an adjustment; it was booked as an `order_payment` once. */
export function typeOf({ kind, debit }: { kind: TransferKind; debit: AccountCode }): TransactionType {
  return debit === "shortfall" ? "adjustment" : types[kind];
}

/** The kinds behind public types, money alone; a type that nothing books yet has none. */
export function kindsOf(wanted: readonly TransactionType[]): TransferKind[] {
  return (Object.keys(types) as TransferKind[]).filter((kind) => wanted.includes(types[kind]));
}

export function statusOf(kind: TransferKind, reversed: boolean): TransactionStatus {
  if (reversed) return "reversed";
  return kind === "suspense" || kind === "excess" ? "held" : "completed";
}

/** +1 when the wallet gains, -1 when it loses. A transfer that does not touch custody counts by what it does to the sales. */
export function signOf(debit: AccountCode, credit: AccountCode): 1 | -1 {
  return credit === "custody" || debit === "sales" ? -1 : 1;
}
