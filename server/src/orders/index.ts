export { auditBooks } from "./audit-books.ts";
export { createComparer } from "./compare/compare-accounts.ts";
export { listOrderDisputes } from "./dispute/list-disputes.ts";
export { orderErrors } from "./errors.ts";
export { findExceptionOf } from "./exception/find-exception.ts";
export { listExceptions } from "./exception/list-exceptions.ts";
export { resolveException } from "./exception/resolve-exception.ts";
export { findFigures } from "./figures/find-figures.ts";
export type { GatewayBuyer } from "./gateway/buyer/buyer.ts";
export { readIdentity, requestIdentity } from "./gateway/buyer/identify-buyer.ts";
export { createPaymentPoller, reviveGatewayPayments, watchPayments } from "./gateway/process-payments.ts";
export { paymentQueue } from "./gateway/queue.sql.ts";
export { createCallbackApplier, receiveCallback } from "./gateway/receive-callback.ts";
export { findByToken, type Linked } from "./link/find-by-token.ts";
export { issuePaymentLink, revokePaymentLink } from "./link/issue-payment-link.ts";
export { findOpenMethods, listMethodStates, type MethodState } from "./method/open-methods.ts";
export { cancelOrder } from "./order/cancel-order.ts";
export { changeOrder, type OrderChange } from "./order/change-order.ts";
export type { OrderInput } from "./order/check-new-order.ts";
export { createOrder } from "./order/create-order.ts";
export { expireDue } from "./order/expire-due.ts";
export { findOrder, listExpansions, listOrders } from "./order/find-order.ts";
export { gatewayPaymentView } from "./order/gateway-payment-view.ts";
export { listGatewayPayments, listOrderEvents, listPayments, listVouchers } from "./order/list-parts.ts";
export { listReviews, type ReviewRow } from "./order/list-reviews.ts";
export { listOrderVersions } from "./order/versions.sql.ts";
export { disputeView, exceptionView, linkView, orderView, orderViews, refundView, sessionView, voucherView } from "./order/views.ts";
export { createGatewayPayment, findGatewayPaymentOf } from "./payment/create-gateway-payment.ts";
export { reportPayment } from "./payment/report-payment.ts";
export { startPayment } from "./payment/start-payment.ts";
export { applyStatement } from "./receipt/import/apply-statement.ts";
export type { ImportResult } from "./receipt/import/count-rows.ts";
export { deletePreviews } from "./receipt/import/delete-previews.ts";
export { previewStatement, type StatementPreview } from "./receipt/import/preview-statement.ts";
export { type LinkInput, linkReceipt } from "./receipt/link-receipt.ts";
export { type BulkInput, type BulkResult, changeReceipts, linkReceiptSet } from "./receipt/link-receipts.ts";
export { nameOrders, type OrderNames } from "./receipt/name-orders.ts";
export { matchWaitingReceipts, type ReceiptInput, recordReceipt } from "./receipt/record-receipt.ts";
export { listSuggestions, type Suggestion } from "./receipt/suggest.ts";
export { ignoreReceipt, unlinkReceipt } from "./receipt/undo-receipt.ts";
export { failRefund } from "./refund/fail-refund.ts";
export { findRefund, listOrderRefunds, listRefunds } from "./refund/list-refunds.ts";
export { createRefundPoller, reviveGatewayRefunds } from "./refund/provider/process-refunds.ts";
export { refundQueue } from "./refund/provider/queue.sql.ts";
export { refundOrder } from "./refund/refund-order.ts";
export { reversePayment } from "./reverse/reverse-payment.ts";
export { listReviewQueue } from "./review/list-review-queue.ts";
export type { ReviewInput } from "./review/review-input.ts";
export { reviewOrder } from "./review/review-order.ts";
export { dismissClaim } from "./session/dismiss-claim.ts";
export { findPayment } from "./session/find-payment.ts";
export { awayOf, codeOf, gatewayData, isDemo, personalData } from "./session/method-data.ts";
export { findUsualReviewMinutes } from "./session/usual-review.sql.ts";
export { withdrawReport } from "./session/withdraw-report.ts";
export { simulatePayment } from "./settle/simulate-payment.ts";
export {
  type OrderBundle,
  type OrderRow,
  type RefundRow,
  refundChannels,
  refundFailures,
  refundReasons,
  type SessionRow,
  type VoucherRow,
} from "./shapes.ts";
export { listSharedNumbers } from "./shared-numbers.sql.ts";
export { findProofOwner, listWaitingProofs } from "./voucher/list-waiting-proofs.ts";
export { type Submitted, submitVoucher, type VoucherInput } from "./voucher/submit-voucher.ts";
export type { WaitingProofRow } from "./voucher/waiting.sql.ts";
