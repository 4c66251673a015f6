import type { DisputeSnapshot, GatewayAmount } from "#gateways/index.ts";
import type { DisputeRow, DisputeStatus } from "../dispute-row.ts";

export type KnownDispute = Pick<
  DisputeRow,
  "status" | "told_at" | "amount_minor" | "currency" | "in_books" | "transaction_id" | "fee_minor" | "fee_currency" | "fee_transaction_id"
>;
export type ToldDispute = Pick<DisputeSnapshot, "state" | "amount" | "fee" | "occurredAt">;

/** Which of two states told for the same moment comes later. */
const ranks: Readonly<Record<DisputeStatus, number>> = { inquiry: 0, opened: 1, won: 2, lost: 2 };

/** Whether a dispute in this state stands against its order: somebody has to answer it, or the money stays gone. */
export function stands(status: DisputeStatus): boolean {
  return status !== "won";
}

/** Whether the provider has taken the money. */
export function isTaken(status: DisputeStatus): boolean {
  return status === "opened" || status === "lost";
}

/** Pure: whether what is told is new, is known already, or is older than what is known. Callbacks come in any order and more than once. */
export function readNews(known: KnownDispute | null, told: ToldDispute): "news" | "same" | "old" {
  if (known === null) return "news";
  const later = told.occurredAt.getTime() - known.told_at.getTime();
  if (later < 0) return "old";
  if (told.state !== known.status) return later > 0 || ranks[told.state] > ranks[known.status] ? "news" : "old";
  return isSameMoney(known, told.amount) && isSameFee(known, told.fee) ? "same" : "news";
}

function isSameMoney({ amount_minor, currency }: Pick<KnownDispute, "amount_minor" | "currency">, amount: GatewayAmount): boolean {
  return amount.amount_minor === amount_minor && amount.currency === currency;
}

function isSameFee({ fee_minor, fee_currency }: KnownDispute, fee: GatewayAmount | null | undefined): boolean {
  return fee === undefined || ((fee?.amount_minor ?? null) === fee_minor && (fee?.currency ?? null) === fee_currency);
}

/** What is to be booked so that the books say what the provider does. */
export interface DisputeSteps {
  /** What was taken comes back. */
  returns: boolean;
  takes: boolean;
  returnsFee: boolean;
  takesFee: GatewayAmount | null;
}

/**
 * Pure: the transfers by which the books follow a dispute. An amount that changed while the money was gone comes back whole and is taken anew. A fee in another
 * currency than the dispute's is in no books.
 */
export function stepsOf(known: KnownDispute | null, told: ToldDispute, inBooks: boolean): DisputeSteps {
  const wanted = inBooks && isTaken(told.state);
  const isGone = known !== null && known.transaction_id !== null;
  const isRight = isGone && wanted && isSameMoney(known, told.amount);
  const fee = feeAfter(known, told);
  const isFeeBooked = known !== null && known.fee_transaction_id !== null;
  const wantedFee = inBooks && fee !== null && fee.currency === told.amount.currency ? fee : null;
  const isFeeRight = isFeeBooked && wantedFee !== null && isSameFee(known, wantedFee);
  return {
    returns: isGone && !isRight,
    takes: wanted && !isRight,
    returnsFee: isFeeBooked && !isFeeRight,
    takesFee: isFeeRight ? null : wantedFee,
  };
}

/** The fee as it is known now: a provider that doesn't tell it says nothing against what it told before. */
export function feeAfter(known: Pick<KnownDispute, "fee_minor" | "fee_currency"> | null, told: Pick<ToldDispute, "fee">): GatewayAmount | null {
  if (told.fee !== undefined) return told.fee;
  if (known === null || known.fee_minor === null || known.fee_currency === null) return null;
  return { amount_minor: known.fee_minor, currency: known.fee_currency };
}
