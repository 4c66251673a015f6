export type OrderStatus = "unpaid" | "pending_verify" | "paid" | "failed" | "expired" | "canceled";
export type SessionStatus = "pending" | "processing" | "pending_verify" | "succeeded" | "failed" | "expired" | "canceled";

/** Every legal move of an order. `paid` and `canceled` are ends: paid never moves down, and money for a canceled order is an exception. */
export const orderMoves: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  unpaid: ["pending_verify", "paid", "failed", "expired", "canceled"],
  pending_verify: ["paid", "unpaid", "failed"],
  expired: ["unpaid", "pending_verify", "paid"],
  failed: ["pending_verify", "paid"],
  paid: [],
  canceled: [],
};

/** True when an order may go from one state to another; every move is checked by it, and by the database once more. */
export function canMove(from: OrderStatus, to: OrderStatus): boolean {
  return orderMoves[from].includes(to);
}

/** Every legal move of a payment session. What failed, ran out or was canceled can still be paid late; `succeeded` is an end. */
export const sessionMoves: Readonly<Record<SessionStatus, readonly SessionStatus[]>> = {
  pending: ["pending_verify", "succeeded", "failed", "expired", "canceled"],
  processing: ["pending_verify", "succeeded", "failed", "expired", "canceled"],
  pending_verify: ["pending", "succeeded", "failed", "expired", "canceled"],
  failed: ["succeeded"],
  expired: ["succeeded"],
  canceled: ["pending", "succeeded"],
  succeeded: [],
};

/** True when a payment session may go from one state to another; every move is checked by it. */
export function canMoveSession(from: SessionStatus, to: SessionStatus): boolean {
  return sessionMoves[from].includes(to);
}
