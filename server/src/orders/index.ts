export type { BookFault } from "./audit-books.sql.ts";
export { auditBooks } from "./audit-books.ts";
export { orderErrors } from "./errors.ts";
export { listExceptions } from "./exception/list-exceptions.ts";
export { type Resolution, resolveException } from "./exception/resolve-exception.ts";
export type { ExceptionFilters } from "./exception/sql.ts";
export { findFigures } from "./figures/find-figures.ts";
export { findByToken, type Linked } from "./link/find-by-token.ts";
export { issuePaymentLink, revokePaymentLink } from "./link/issue-payment-link.ts";
export { cancelOrder } from "./order/cancel-order.ts";
export type { OrderInput } from "./order/check-new-order.ts";
export { createOrder } from "./order/create-order.ts";
export { expireDue } from "./order/expire-due.ts";
export { findOrder, listExpansions, listOrders, type OrderList } from "./order/find-order.ts";
export type { Cursor, OrderFilters } from "./order/list.sql.ts";
export { listOrderEvents, listPayments, listVouchers } from "./order/list-parts.ts";
export { listOrderVersions } from "./order/versions.sql.ts";
export { type ImportedStatement, importStatement } from "./receipt/import-statement.ts";
export type { Matched } from "./receipt/match-receipt.ts";
export { matchWaitingReceipts, type ReceiptInput, type Recorded, recordReceipt } from "./receipt/record-receipt.ts";
export { type Reported, reportPayment } from "./session/report-payment.ts";
export { type StartedPayment, startPayment } from "./session/start-payment.ts";
export { findUsualReviewMinutes } from "./session/usual-review.sql.ts";
export type { Money } from "./settle/decide.ts";
export { type ReasonCode, type ReviewInput, reviewOrder } from "./settle/review-order.ts";
export { type Settled, settle } from "./settle/settle.ts";
export { type SimulatedOutcome, type SimulationInput, simulatePayment } from "./settle/simulate-payment.ts";
export type {
  Channel,
  ExceptionRow,
  LinkRow,
  OrderBundle,
  OrderRow,
  Page,
  QrGateway,
  SessionRow,
  VoucherRow,
} from "./shapes.ts";
export type { OrderStatus, SessionStatus } from "./states.ts";
export { exceptionView, linkView, orderView, sessionView, voucherView } from "./views.ts";
export { findProofOwner, listWaitingProofs } from "./voucher/list-waiting-proofs.ts";
export { type Submitted, submitVoucher, type VoucherInput } from "./voucher/submit-voucher.ts";
export type { WaitingProofRow } from "./voucher/waiting.sql.ts";
