import type { GatewayAmount, PaymentSnapshot } from "#gateways/index.ts";
import type { GatewayPaymentRow, SessionRow } from "../shapes.ts";

/** What a provider's word on a payment means for its session. */
export type Judgement =
  | { kind: "paid"; paid: GatewayAmount; isExact: boolean }
  /** It is not this payment's: another reference, another account, or the other environment. */
  | { kind: "wrong"; reason: "reference" | "account" | "mode" }
  /** It succeeded, and the provider doesn't tell with how much. */
  | { kind: "unclear" }
  | { kind: "pending" }
  | { kind: "processing" }
  | { kind: "ended"; to: "failed" | "expired" | "canceled" };

export interface Told {
  session: Pick<SessionRow, "id" | "livemode" | "amount_minor" | "currency">;
  payment: Pick<GatewayPaymentRow, "provider_id">;
  /** The account as the provider names it; null where that isn't known. */
  account: string | null;
  snapshot: PaymentSnapshot;
}

/** Pure: whether a snapshot is this payment's at all, and what it says. What a provider doesn't tell is held against nobody. */
export function judgeSnapshot({ session, payment, account, snapshot }: Told): Judgement {
  if (!isOfPayment(session.id, payment, snapshot)) return { kind: "wrong", reason: "reference" };
  if (snapshot.livemode !== null && snapshot.livemode !== session.livemode) return { kind: "wrong", reason: "mode" };
  if (snapshot.account !== null && account !== null && snapshot.account !== account) return { kind: "wrong", reason: "account" };
  const { state, paid } = snapshot;
  if (state === "pending" || state === "processing") return { kind: state };
  // A payment may end with a part of it paid: that is money like any other.
  const isPaid = paid !== null && paid.amount_minor > 0;
  if (state !== "succeeded" && !isPaid) return { kind: "ended", to: state };
  if (!isPaid) return { kind: "unclear" };
  return { kind: "paid", paid, isExact: paid.amount_minor === session.amount_minor && paid.currency === session.currency };
}

/** By our reference; where the provider keeps none, by its own id. */
function isOfPayment(reference: string, payment: Told["payment"], snapshot: PaymentSnapshot): boolean {
  if (snapshot.reference !== null) return snapshot.reference === reference;
  return snapshot.providerId !== null && (payment.provider_id === null || payment.provider_id === snapshot.providerId);
}

/** Whether the money that a buyer approved may be taken: it is this payment's, and as much as was asked. */
export function mayTake(told: Told): boolean {
  const { session, snapshot } = told;
  const { asked } = snapshot;
  const isAsked = asked === null || (asked.amount_minor === session.amount_minor && asked.currency === session.currency);
  return isAsked && judgeSnapshot(told).kind === "processing";
}
