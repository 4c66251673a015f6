import type { DisputeSnapshot, GatewayAmount } from "#gateways/index.ts";
import type { DisputeRow, DisputeStatus } from "../dispute-row.ts";

export type KnownDispute = Pick<
  DisputeRow,
  "status" | "told_at" | "amount_minor" | "currency" | "in_books" | "transaction_id" | "fee_minor" | "fee_currency" | "fee_transaction_id"
>;
export type ReportedDispute = Pick<DisputeSnapshot, "state" | "amount" | "fee" | "occurredAt">;

/** Which of two states reported for the same time comes later. */
const ranks: Readonly<Record<DisputeStatus, number>> = { inquiry: 0, opened: 1, won: 2, lost: 2 };

/** Whether a dispute in this state affects its order: someone has to respond to it, or the money stays gone. */
export function isEffective(status: DisputeStatus): boolean {
  return status !== "won";
}

/** Whether the provider has taken the money. */
export function isTaken(status: DisputeStatus): boolean {
  return status === "opened" || status === "lost";
}

/** All that the buyer got back since a time, from the provider or the merchant. */
export interface Counted {
  minor: number;
  since: Date;
}

type CountedDispute = Pick<DisputeRow, "counted_minor" | "counted_since" | "counted_version" | "version">;

/** What the buyer got back in all, if that is what a dispute's provider last reported, and this version of Tillpost stored it. */
export function countedOf({ counted_minor: minor, counted_since: since, counted_version, version }: CountedDispute): Counted | null {
  return minor === null || since === null || counted_version !== version ? null : { minor, since };
}

/** Whether a dispute is known with what its provider reports that the buyer got back in all. */
export function isCountedAs(known: CountedDispute, reported: Counted | null): boolean {
  const counted = countedOf(known);
  return counted?.minor === reported?.minor && counted?.since.getTime() === reported?.since.getTime();
}

/** When a dispute was first lost since it was last won, other than by refunds, also if it is open again; null if it wasn't. */
export function lostAt(known: (Pick<DisputeRow, "status" | "ended_at"> & CountedDispute) | null): Date | null {
  return known === null || (known.status === "won" && countedOf(known) === null) ? null : known.ended_at;
}

/** Providers' times may be whole seconds, and clocks differ. */
const toleranceMs = 60_000;

/** Pure: until when a refund was requested that is part of what the buyer got back by a dispute that was lost then. */
export function countedUntil(lost: Date): Date {
  return new Date(lost.getTime() + toleranceMs);
}

/** Pure: the earliest time of a request that is made after these disputes were lost; null if none was. None of them is won. */
export function afterLosses(disputes: readonly Pick<DisputeRow, "ended_at">[]): Date | null {
  const times = disputes.flatMap(({ ended_at }) => ended_at?.getTime() ?? []);
  return times.length === 0 ? null : new Date(countedUntil(new Date(Math.max(...times))).getTime() + 1);
}

/** Pure: whether a report is new, known already, or older than the known state. Callbacks arrive in any order and more than once. */
export function readNews(known: KnownDispute | null, reported: ReportedDispute): "news" | "same" | "old" {
  if (known === null) return "news";
  const later = reported.occurredAt.getTime() - known.told_at.getTime();
  if (later < 0) return "old";
  if (reported.state !== known.status) return later > 0 || ranks[reported.state] > ranks[known.status] ? "news" : "old";
  return isSameMoney(known, reported.amount) && isSameFee(known, reported.fee) ? "same" : "news";
}

function isSameMoney({ amount_minor, currency }: Pick<KnownDispute, "amount_minor" | "currency">, amount: GatewayAmount): boolean {
  return amount.amount_minor === amount_minor && amount.currency === currency;
}

function isSameFee({ fee_minor, fee_currency }: KnownDispute, fee: GatewayAmount | null | undefined): boolean {
  return fee === undefined || ((fee?.amount_minor ?? null) === fee_minor && (fee?.currency ?? null) === fee_currency);
}

/** The bookings that make the books match the provider. */
export interface DisputeSteps {
  /** The debited amount is returned. */
  returns: boolean;
  takes: boolean;
  returnsFee: boolean;
  takesFee: GatewayAmount | null;
}

/**
 * Pure: the transfers by which the books follow a dispute. If the amount changed while the money was gone, it is returned in full and
 * debited again. A fee in another currency than the dispute's isn't booked.
 */
export function stepsOf(known: KnownDispute | null, reported: ReportedDispute, inBooks: boolean): DisputeSteps {
  const wanted = inBooks && isTaken(reported.state);
  const isGone = known !== null && known.transaction_id !== null;
  const isRight = isGone && wanted && isSameMoney(known, reported.amount);
  const fee = feeAfter(known, reported);
  const isFeeBooked = known !== null && known.fee_transaction_id !== null;
  const wantedFee = inBooks && fee !== null && fee.currency === reported.amount.currency ? fee : null;
  const isFeeRight = isFeeBooked && wantedFee !== null && isSameFee(known, wantedFee);
  return {
    returns: isGone && !isRight,
    takes: wanted && !isRight,
    returnsFee: isFeeBooked && !isFeeRight,
    takesFee: isFeeRight ? null : wantedFee,
  };
}

/** The known fee: a provider that doesn't report it doesn't contradict its earlier report. */
export function feeAfter(
  known: Pick<KnownDispute, "fee_minor" | "fee_currency"> | null,
  reported: Pick<ReportedDispute, "fee">,
): GatewayAmount | null {
  if (reported.fee !== undefined) return reported.fee;
  if (known === null || known.fee_minor === null || known.fee_currency === null) return null;
  return { amount_minor: known.fee_minor, currency: known.fee_currency };
}
