import type { GatewayAmount, PaymentSnapshot } from "#gateways/index.ts";
import type { Money } from "../settle/decide.ts";
import type { GatewayPaymentRow, SessionRow } from "../shapes.ts";

/** The meaning of a provider's report for the payment's session. */
export type Interpretation =
  | { kind: "paid"; paid: GatewayAmount; isExact: boolean }
  /** It isn't this payment's: another reference, another account, or the other environment. */
  | { kind: "wrong"; reason: "reference" | "account" | "mode" }
  /** It succeeded, but the provider doesn't report the amount. */
  | { kind: "unclear" }
  | { kind: "pending" }
  | { kind: "processing" }
  | { kind: "ended"; to: "failed" | "expired" | "canceled" };

export interface PaymentReport {
  session: Pick<SessionRow, "id" | "livemode" | "amount_minor" | "currency">;
  payment: Pick<GatewayPaymentRow, "provider_id" | "earlier_ids">;
  /** The provider's name for the account; null if it isn't known. */
  account: string | null;
  snapshot: PaymentSnapshot;
}

/** Pure: whether a snapshot belongs to this payment, and what it means. Values that the provider doesn't report are ignored. */
export function interpretSnapshot({ session, payment, account, snapshot }: PaymentReport): Interpretation {
  if (!isOfPayment(session.id, payment, snapshot)) return { kind: "wrong", reason: "reference" };
  if (snapshot.livemode !== null && snapshot.livemode !== session.livemode) return { kind: "wrong", reason: "mode" };
  if (snapshot.account !== null && account !== null && snapshot.account !== account) return { kind: "wrong", reason: "account" };
  const { state, paid } = snapshot;
  if (state === "pending" || state === "processing") return { kind: state };
  // A payment may end partially paid: that money counts like any other.
  const isPaid = paid !== null && paid.amount_minor > 0;
  if (state !== "succeeded" && !isPaid) return { kind: "ended", to: state };
  if (!isPaid) return { kind: "unclear" };
  return { kind: "paid", paid, isExact: paid.amount_minor === session.amount_minor && paid.currency === session.currency };
}

/** Whether all that was paid was refunded again: by someone at the provider, or by a provider that was told to cancel the payment. */
export function isRefunded({ paid, refunded }: Pick<PaymentSnapshot, "paid" | "refunded">): boolean {
  return paid !== null && refunded !== null && refunded.currency === paid.currency && refunded.amount_minor >= paid.amount_minor;
}

/** Whether some of it may be gone that was paid: then it pays nothing if this is the first that is known of it. */
export function mayBeRefunded(snapshot: PaymentSnapshot): boolean {
  return snapshot.wasRefunded === true || isRefunded(snapshot);
}

/** By our reference; if the provider keeps none, by its own id. */
function isOfPayment(reference: string, payment: PaymentReport["payment"], snapshot: PaymentSnapshot): boolean {
  if (snapshot.reference !== null) return snapshot.reference === reference;
  const { providerId } = snapshot;
  const isKnown = payment.provider_id === null || payment.provider_id === providerId || isEarlierId(payment, providerId);
  return providerId !== null && isKnown;
}

/** Whether the provider's id is one that the payment had before it was requested again. */
export function isEarlierId({ provider_id, earlier_ids }: PaymentReport["payment"], id: string | null): boolean {
  return id !== null && id !== provider_id && earlier_ids?.includes(id) === true;
}

/**
 * Whether a report is about other money under a payment's reference than what was settled: a provider that was asked for the payment twice
 * may have made two, and the buyer may pay both.
 */
export function isSecond({ settled_id, provider_id }: Pick<GatewayPaymentRow, "settled_id" | "provider_id">, id: string | null): boolean {
  return settled_id !== null && provider_id !== null && id !== null && id !== provider_id;
}

/** A part of a payment's money that is in the books, for whichever order. */
export type Piece = Pick<Money, "external_id" | "amount_minor" | "currency">;

/**
 * Pure: the money that a report adds, under its number. Money keeps the number under which it was first booked: a later report may have
 * another of the provider's ids. Anything paid in addition since then (a buyer may send coins twice) is separate money with a number of its
 * own. What a person reversed as never received is no longer in `pieces`, so it is booked again.
 */
export function pieceOf(report: {
  payment: Pick<GatewayPaymentRow, "settled_id" | "provider_id" | "payment_session_id">;
  snapshot: PaymentSnapshot;
  paid: GatewayAmount;
  pieces: readonly Piece[];
}): Pick<Piece, "external_id" | "amount_minor"> {
  const { paid, pieces } = report;
  const external_id = numberOf(report);
  const { amount_minor } = paid;
  const [known] = pieces;
  if (known === undefined) return { external_id, amount_minor };
  const isTaken = (number: string) => pieces.some((piece) => piece.external_id === number);
  const bookedMinor = pieces.reduce((sum, piece) => sum + piece.amount_minor, 0);
  if (known.currency !== paid.currency || amount_minor <= bookedMinor)
    return { external_id: isTaken(external_id) ? external_id : known.external_id, amount_minor };
  let number = external_id;
  // The same sum may have been in the books before: a person may have reversed some of it since.
  for (let end = bookedMinor; isTaken(number); end += 1) number = `${external_id}+${end}`;
  return { external_id: number, amount_minor: amount_minor - bookedMinor };
}

/** The number of a payment's first money, or of other money under its reference. */
export function numberOf({
  payment,
  snapshot,
}: {
  payment: Pick<GatewayPaymentRow, "settled_id" | "provider_id" | "payment_session_id">;
  snapshot: PaymentSnapshot;
}): string {
  const { captureId, providerId } = snapshot;
  if (payment.settled_id !== null && !isSecond(payment, providerId)) return payment.settled_id;
  return captureId ?? providerId ?? payment.payment_session_id;
}

/** Whether a report is of more money than the payment's row has. */
export function isMore(
  { paid_minor, paid_currency }: Pick<GatewayPaymentRow, "paid_minor" | "paid_currency">,
  paid: GatewayAmount,
): boolean {
  return paid_minor === null || (paid.currency === paid_currency && paid.amount_minor > paid_minor);
}

/** Whether an approved payment can be captured: it is this payment, with the requested amount. */
export function mayTake(reported: PaymentReport): boolean {
  const { session, snapshot } = reported;
  const { asked } = snapshot;
  const isRequested = asked === null || (asked.amount_minor === session.amount_minor && asked.currency === session.currency);
  return isRequested && interpretSnapshot(reported).kind === "processing";
}
