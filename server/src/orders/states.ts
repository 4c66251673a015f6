import { defineStates } from "#platform/index.ts";

export type OrderStatus = "unpaid" | "pending_verify" | "paid" | "failed" | "expired" | "canceled";
export type SessionStatus = "pending" | "processing" | "pending_verify" | "succeeded" | "failed" | "expired" | "canceled";
export type RefundStatus = "pending" | "requires_action" | "unknown" | "succeeded" | "failed";
/**
 * `creating`: asked for, and no answer has been written down. `unknown`: the answer was lost. `done`: nothing more is expected of the
 * provider.
 */
export type GatewayPaymentStatus = "creating" | "open" | "unknown" | "done";
export type VoucherStatus = "submitted" | "approved" | "rejected" | "superseded";

/** `paid` and `canceled` are final: paid is never undone, and money for a canceled order is an exception. */
export const orderStates = defineStates<OrderStatus>("order", {
  unpaid: ["pending_verify", "paid", "failed", "expired", "canceled"],
  pending_verify: ["paid", "unpaid", "failed"],
  expired: ["unpaid", "pending_verify", "paid"],
  failed: ["pending_verify", "paid"],
  paid: [],
  canceled: [],
});

/** A failed, expired or canceled session can still be paid late; `succeeded` is final. */
export const sessionStates = defineStates<SessionStatus>("payment session", {
  pending: ["processing", "pending_verify", "succeeded", "failed", "expired", "canceled"],
  processing: ["pending", "pending_verify", "succeeded", "failed", "expired", "canceled"],
  pending_verify: ["pending", "succeeded", "failed", "expired", "canceled"],
  failed: ["succeeded"],
  expired: ["succeeded"],
  canceled: ["pending", "succeeded"],
  succeeded: [],
});

/** A proof is decided once; a later one supersedes it only while it waits. */
export const voucherStates = defineStates<VoucherStatus>("voucher", {
  submitted: ["approved", "rejected", "superseded"],
  approved: [],
  rejected: [],
  superseded: [],
});

/** A bank may return a refund: a successful one can still fail. `failed` is final. */
export const refundStates = defineStates<RefundStatus>("refund", {
  pending: ["requires_action", "unknown", "succeeded", "failed"],
  requires_action: ["pending", "unknown", "succeeded", "failed"],
  unknown: ["pending", "requires_action", "succeeded", "failed"],
  succeeded: ["failed"],
  failed: [],
});

/** A payment that was open at its provider doesn't return to an earlier state because of a lost response. */
export const gatewayPaymentStates = defineStates<GatewayPaymentStatus>("gateway payment", {
  creating: ["open", "unknown", "done"],
  open: ["done"],
  unknown: ["open", "done"],
  done: [],
});

/** As `pollStates`, of a refund: one that succeeded is polled again where its payment says otherwise, because banks return money. */
export const refundPollStates = defineStates<"due" | "leased" | "set_aside" | "done">("question about a refund", {
  due: ["leased", "done"],
  leased: ["due", "set_aside", "done"],
  set_aside: ["due", "done"],
  done: ["due"],
});
