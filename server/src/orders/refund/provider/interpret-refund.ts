import type { RefundSnapshot } from "#gateways/index.ts";
import type { GatewayRefundRow, RefundRow } from "../../shapes.ts";

/** The meaning of a provider's report for a refund. */
export type RefundVerdict =
  /** It is about another refund, or contradicts this one. */
  | { kind: "odd" }
  /** It repeats the known state, or an earlier one. */
  | { kind: "known" }
  | { kind: "pending" }
  | { kind: "requires_action"; url: string }
  | { kind: "succeeded"; amountMinor: number }
  | { kind: "failed"; code: string; message: string };

export interface RefundReport {
  refund: Pick<RefundRow, "id" | "status" | "amount_minor" | "currency" | "exception_id">;
  question: Pick<GatewayRefundRow, "provider_refund_id">;
  snapshot: RefundSnapshot;
}

/**
 * Pure: whether a provider's report belongs to this refund, and what it means. Statuses don't move back, except that a success may fail.
 */
export function interpretRefund({ refund, question, snapshot }: RefundReport): RefundVerdict {
  const { state, amount, failure } = snapshot;
  if (!isOfRefund(refund, question, snapshot)) return { kind: "odd" };
  const isPart = amount !== null && amount.amount_minor < refund.amount_minor;
  if (refund.status === "failed") return state === "failed" ? { kind: "known" } : { kind: "odd" };
  if (state === "failed") return { kind: "failed", code: failure?.code ?? snapshot.providerState, message: failure?.message ?? "" };
  if (refund.status === "succeeded") return { kind: "known" };
  if (state === "pending") return { kind: "pending" };
  if (state === "requires_action")
    return isPage(snapshot.claimUrl) ? { kind: "requires_action", url: snapshot.claimUrl } : { kind: "pending" };
  // An exception's money is refunded in full or not at all.
  if (isPart && refund.exception_id !== null) return { kind: "odd" };
  return { kind: "succeeded", amountMinor: isPart ? amount.amount_minor : refund.amount_minor };
}

function isOfRefund(refund: RefundReport["refund"], question: RefundReport["question"], snapshot: RefundSnapshot): boolean {
  const { refundReference, providerRefundId, amount } = snapshot;
  if (refundReference !== null && refundReference !== refund.id) return false;
  if (question.provider_refund_id !== null && providerRefundId !== null && providerRefundId !== question.provider_refund_id) return false;
  return amount === null || (amount.currency === refund.currency && amount.amount_minor > 0 && amount.amount_minor <= refund.amount_minor);
}

/** Buyers are only sent to web pages. */
function isPage(url: string | null): url is string {
  const { protocol } = URL.parse(url ?? "") ?? {};
  return protocol === "https:" || protocol === "http:";
}
