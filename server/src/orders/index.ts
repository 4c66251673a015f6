export { auditBooks } from "./audit-books.ts";
export type { BookFault } from "./audit-books.sql.ts";
export { orderErrors } from "./errors.ts";
export { listExceptions } from "./exception/list-exceptions.ts";
export { type Resolution, resolveException } from "./exception/resolve-exception.ts";
export type { ExceptionFilters } from "./exception/sql.ts";
export { findByToken, type Linked, linkStatus } from "./link/find-by-token.ts";
export { issuePaymentLink, revokePaymentLink } from "./link/issue-payment-link.ts";
export { cancelOrder } from "./order/cancel-order.ts";
export type { OrderInput } from "./order/check-new-order.ts";
export { createOrder } from "./order/create-order.ts";
export { expireDue } from "./order/expire-due.ts";
export { findOrder, listExpansions, listOrders, type OrderList } from "./order/find-order.ts";
export { listOrderEvents, listPayments, listVouchers } from "./order/list-parts.ts";
export type { Cursor, OrderFilters } from "./order/list.sql.ts";
export { reportPayment, type Reported } from "./session/report-payment.ts";
export { type StartedPayment, startPayment } from "./session/start-payment.ts";
export type { Money } from "./settle/decide.ts";
export { type ReasonCode, type ReviewInput, reviewOrder } from "./settle/review-order.ts";
export { settle, type Settled } from "./settle/settle.ts";
export { type SimulatedOutcome, type SimulationInput, simulatePayment } from "./settle/simulate-payment.ts";
export {
  type Channel, channelOf, type ExceptionRow, gatewayOf, type LinkRow, type OrderBundle, type OrderRow, type Page, type QrGateway, type SessionRow, type VoucherRow,
} from "./shapes.ts";
export { isOpenSession, type OrderStatus, type SessionStatus } from "./states.ts";
export { exceptionView, linkView, orderView, payUrl, sessionView, voucherView } from "./views.ts";
export { type Submitted, submitVoucher, type VoucherInput } from "./voucher/submit-voucher.ts";
