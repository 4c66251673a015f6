export { auditBooks } from "./audit-books.ts";
export { listOrderDisputes } from "./dispute/list-disputes.ts";
export { orderErrors } from "./errors.ts";
export { findFigures } from "./figures/find-figures.ts";
export { bookFees } from "./gateway/book-fees.ts";
export type { GatewayBuyer } from "./gateway/buyer/buyer.ts";
export { readIdentity, requestIdentity } from "./gateway/buyer/identify-buyer.ts";
export { isEarlierId } from "./gateway/interpret-snapshot.ts";
export { pollPayment } from "./gateway/poll-payment.ts";
export { createPaymentPoller, reviveGatewayPayments, watchPayments } from "./gateway/process-payments.ts";
export { paymentQueue } from "./gateway/queue.sql.ts";
export { createCallbackApplier, receiveCallback } from "./gateway/receive-callback.ts";
export { updateListed, updateListedFees, updateRefundNamed } from "./gateway/reported/listed.sql.ts";
export { lostReference, takeStrangeMoney } from "./gateway/reported/strange-money.ts";
export { findByToken, type Linked } from "./link/find-by-token.ts";
export { issuePaymentLink, revokePaymentLink } from "./link/issue-payment-link.ts";
export { inBuyersOrder } from "./method/buyers-order.ts";
export { findPersonal } from "./method/find-method.ts";
export { findOpenMethods, listMethodStates, type MethodState } from "./method/open-methods.ts";
export { refuseCurrency } from "./method/refuse-currency.ts";
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
export { exceptionEvent, failureEvents, orderEvent, paymentsReadEvents, sessionEvent, transactionEvent } from "./order-events.ts";
export { createGatewayPayment, findGatewayPaymentOf } from "./payment/create-gateway-payment.ts";
export { reportPayment } from "./payment/report-payment.ts";
export { startPayment } from "./payment/start-payment.ts";
export { openFinding } from "./polling/open-finding.ts";
export { findPaymentOfHeld, refuseTaken } from "./refund/booking/held.ts";
export { type ManualDetails, refuseOddDetails } from "./refund/booking/manual-details.ts";
export { failRefund } from "./refund/fail-refund.ts";
export { findRefund, listOrderRefunds, listRefunds } from "./refund/list-refunds.ts";
export { findRequested, refuseManualDetails } from "./refund/provider/begin-refund.ts";
export { findAtProvider } from "./refund/provider/poll-refund.ts";
export { createRefundPoller, reviveGatewayRefunds } from "./refund/provider/process-refunds.ts";
export { refundQueue } from "./refund/provider/queue.sql.ts";
export { recordStranger } from "./refund/provider/record-stranger.ts";
export { writeHeldRequest } from "./refund/provider/refund-by-provider.ts";
export { requestRefund } from "./refund/provider/request-refund.ts";
export { refundHeld } from "./refund/refund-held.ts";
export { refundOrder } from "./refund/refund-order.ts";
export { type Booking, listBookings, listFees, listSideBookings } from "./rows/bookings.sql.ts";
export { listEffectiveDisputes } from "./rows/disputes.sql.ts";
export {
  countDuplicates,
  type ExceptionFilters,
  findException,
  findExceptionTenant,
  insertException,
  listExceptionRows,
  listOwnExceptions,
  lockException,
  lockExcess,
  lockHeldParts,
  lockHeldReceipts,
  updateExceptionReleased,
  updateExceptionResolved,
} from "./rows/exceptions.sql.ts";
export {
  findGatewayPayment,
  lockFreeGatewayPayments,
  lockGatewayPayment,
  updateLockedGatewayPayment,
} from "./rows/gateway-payments.sql.ts";
export { findLink } from "./rows/links.sql.ts";
export {
  type BundleRow,
  bundleOf,
  findNewestParts,
  findOrderRow,
  lockFreeOrders,
  lockOrder,
  orderColumns,
  updateOrder,
} from "./rows/orders.sql.ts";
export {
  deleteReceived,
  findReceived,
  listProjectsOfSet,
  lockBooked,
  lockPieces,
  lockReceived,
  type ReceivedRow,
  receivedColumns,
  updateReceivedHeld,
  updateReceivedOfSet,
  updateReceivedReceipt,
  updateReceivedSet,
  updateReceivedUnlinked,
} from "./rows/received.sql.ts";
export { listEffectiveRefunds } from "./rows/refunds.sql.ts";
export {
  findLatestSession,
  findLatestSessionOf,
  findSession,
  listSessionRows,
  listSessionsOfOrders,
  lockOpenSession,
  updateSession,
} from "./rows/sessions.sql.ts";
export { findLatestVoucher, listVoucherRows, updateSubmittedVoucher } from "./rows/vouchers.sql.ts";
export { dismissClaim } from "./session/dismiss-claim.ts";
export { findPayment } from "./session/find-payment.ts";
export { awayOf, codeOf, gatewayData, isDemo, personalData } from "./session/method-data.ts";
export { recordSession } from "./session/record-session.ts";
export { findUsualReviewMinutes } from "./session/usual-review.sql.ts";
export { withdrawReport } from "./session/withdraw-report.ts";
export type { Settled } from "./settle/arrival.ts";
export { effectOf, type Forgiveness, type Money, requestedOf } from "./settle/decide.ts";
export { releaseOf } from "./settle/plan.ts";
export { oddTimeOf, refuseOddTime } from "./settle/refuse-odd-time.ts";
export { settle } from "./settle/settle.ts";
export { simulatePayment } from "./settle/simulate-payment.ts";
export { uncountPart } from "./settle/uncount-part.ts";
export {
  type ExceptionRow,
  type GatewayPaymentRow,
  isPersonal,
  type OrderBundle,
  type OrderRow,
  owesAgain,
  type RefundRow,
  refundChannels,
  refundFailures,
  refundReasons,
  type SessionRow,
  type ShownException,
  type VoucherRow,
} from "./shapes.ts";
export { listSharedNumbers } from "./shared-numbers.sql.ts";
export { findProofOwner, listWaitingProofs } from "./voucher/list-waiting-proofs.ts";
export { refuseUsedProof } from "./voucher/lookalikes.ts";
export { type Submitted, submitVoucher, type VoucherInput } from "./voucher/submit-voucher.ts";
export type { WaitingProofRow } from "./voucher/waiting.sql.ts";
