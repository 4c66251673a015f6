import { type GatewayAmount, GatewayError, type NewGatewayRefund, type RefundKey, type RefundSnapshot } from "#gateways/index.ts";

/** A refund in the records of `payingGateway`'s provider. */
export interface RefundThere extends RefundSnapshot {
  wanted: NewGatewayRefund;
}

/** What the provider knows of the payment that is refunded. */
interface Paid {
  paid: GatewayAmount | null;
}

/** Makes a refund under its reference, once, and never more in total than was paid. */
export function refundAt(
  refunds: Map<string, RefundThere>,
  given: { wanted: NewGatewayRefund; payment: Paid; first: Partial<RefundSnapshot> },
): RefundSnapshot {
  const { wanted, payment, first } = given;
  const { refundReference, amount } = wanted;
  const known = refunds.get(refundReference);
  if (known !== undefined) return shown(known);
  const others = [...refunds.values()].filter(({ wanted: other, state }) => other.reference === wanted.reference && state !== "failed");
  const sum = others.reduce((total, other) => total + other.wanted.amount.amount_minor, amount.amount_minor);
  if (payment.paid === null || sum > payment.paid.amount_minor || amount.currency !== payment.paid.currency)
    throw new GatewayError("declined", { code: "refund_exceeds_paid", message: "More than was paid." });
  const made: RefundThere = {
    wanted,
    refundReference,
    providerRefundId: `re_${refundReference.slice(3)}`,
    state: "succeeded",
    amount,
    claimUrl: null,
    providerState: "DONE",
    failure: null,
    ...first,
  };
  refunds.set(refundReference, made);
  return shown(made);
}

/** A refund by our reference, or by the provider's id. */
export function refundBy(refunds: ReadonlyMap<string, RefundThere>, { refundReference, providerRefundId }: RefundKey): RefundSnapshot {
  const found = refunds.get(refundReference) ?? [...refunds.values()].find((one) => one.providerRefundId === providerRefundId);
  if (found === undefined) throw new GatewayError("not_found", { code: "no_such_refund", message: "No such refund." });
  return shown(found);
}

export function shown({ wanted: _wanted, ...snapshot }: RefundThere): RefundSnapshot {
  return { ...snapshot };
}

/** A refund that someone made at the provider directly. */
export function strangeRefund(
  { wanted, providerId }: { wanted: { reference: string; amount: GatewayAmount }; providerId: string | null },
  { id, amountMinor, refundReference }: { id: string; amountMinor: number; refundReference?: string },
): RefundThere {
  const amount = { ...wanted.amount, amount_minor: amountMinor };
  const { reference, amount: total } = wanted;
  return {
    wanted: { reference, providerId, captureId: null, refundReference: id, amount, total, reason: null, notifyUrl: "" },
    ...{
      refundReference: refundReference ?? null,
      providerRefundId: `re_${id}`,
      state: "succeeded",
      amount,
      claimUrl: null,
      providerState: "DONE",
      failure: null,
    },
  };
}
