import type { Objects } from "../../data/client.ts";

type TransactionType = Objects["Transaction"]["type"];

/** A type that is booked today; the API reserves one more. */
export type BookedType = Exclude<TransactionType, "payout">;

export const bookedTypes: readonly BookedType[] = ["payment", "refund", "fee", "adjustment", "reversal"];

export function isBooked(type: TransactionType): type is BookedType {
  return type !== "payout";
}
