export { type CallShape, type RecordingShape, showCall } from "./calls/call.ts";
export { callIn } from "./calls/call-in.ts";
export { type AssetShape, assetForm, assetFormDocument, showAsset } from "./collection/asset.ts";
export { type ProfileShape, profileIn, showProfile } from "./collection/collection-profile.ts";
export { type ReceiptShape, receiptIn, receiptStatuses, showReceipt } from "./collection/receipt.ts";
export { type BulkShape, bulkIn, ignoreIn, receiptLinkIn, showBulk } from "./collection/receipt-actions.ts";
export {
  type ImportPreviewShape,
  type ImportShape,
  importForm,
  importFormDocument,
  showImport,
  showPreview,
} from "./collection/receipt-import.ts";
export { idOf, instant, instantOrNull, oneOf, pathOf, refTo, streamOut, strict, text, textOrNull } from "./fields/fields.ts";
export { type GatewayShape, gatewayIn, showGateway } from "./fields/gateway.ts";
export { attemptOutcomes, attemptVerbs, type GatewayAttemptShape, showGatewayAttempt } from "./gateways/attempt.ts";
export { credentialChangeIn, credentialIn, type GatewayCredentialShape, showGatewayCredential } from "./gateways/credential.ts";
export { callbackRefusals, type RefusedCallbackShape, showRefusedCallback } from "./gateways/refused-callback.ts";
export { type GatewaySetupShape, showGatewaySetup } from "./gateways/setup.ts";
export { type LimitsShape, limitsChangeIn, operatorCapsIn, type SpendingShape, showLimits, showSpending } from "./guards/limits.ts";
export { type PauseOverviewShape, type PauseShape, showPause, showPauseOverview } from "./guards/pause.ts";
export { type PolicyShape, type PricesShape, policyIn, pricesIn, showPolicy, showPrices } from "./guards/policy.ts";
export { type EmailAttemptShape, showEmailAttempt } from "./mail/attempt.ts";
export { type BatchShape, batchIn, emailBatchDocument, emailBatchIn, showBatch, showCreatedBatch } from "./mail/batch.ts";
export { type DomainShape, domainIn, domainStatuses, showDomain } from "./mail/domain.ts";
export { type EmailShape, showEmail, showFullEmail } from "./mail/email.ts";
export { emailIn, rescheduleIn } from "./mail/email-in.ts";
export { channels, type SuppressionShape, showSuppression, suppressionIn, suppressionReasons } from "./mail/suppression.ts";
export { showUsage, type UsageShape } from "./mail/usage.ts";
export { fixedSchemas, namedSchemas } from "./named-schemas.ts";
export type { DisputeShape } from "./orders/dispute.ts";
export { type ExceptionShape, exceptionKinds, readResolution, resolutionIn } from "./orders/exception.ts";
export type { FiguresShape } from "./orders/figures.ts";
export { type GatewayPaymentShape, gatewayPaymentIn } from "./orders/gateway-payment.ts";
export { type OrderShape, orderChangeIn, orderExpansions, orderIn, orderStatuses } from "./orders/order.ts";
export { dismissIn, newLinkIn, paymentIn, readReview, reversalIn, reviewIn, simulationIn } from "./orders/order-actions.ts";
export type { PaymentSessionShape } from "./orders/payment-session.ts";
export { type RefundShape, readRefund, refundFailureIn, refundIn, refundStatuses } from "./orders/refund.ts";
export { type TransactionShape, transactionTypes, type WalletShape } from "./orders/transaction.ts";
export { type VoucherShape, voucherForm, voucherFormDocument, voucherIn } from "./orders/voucher.ts";
export { eventParts, eventSchemas, payloadName, sentenceOf } from "./payloads/index.ts";
export {
  type HealthShape,
  type MerchantOverviewShape,
  rejectionIn,
  showMerchantOverview,
  showWaitingProof,
  suspensionIn,
  tierIn,
  verificationStatuses,
  type WaitingProofShape,
} from "./people/admin.ts";
export { type ApiKeyShape, type FlatUseShape, keyChangeIn, keyIn, rotationIn, showKey } from "./people/api-key.ts";
export { type MerchantShape, showMerchant } from "./people/merchant.ts";
export { type ActiveShape, type MeShape, type SessionShape, showActive, showMe, showSession } from "./people/person.ts";
export { type ProjectShape, showProject } from "./people/project.ts";
export { activeEnvironmentIn, activeProjectIn, projectChangeIn, projectIn } from "./people/project-in.ts";
export {
  acceptIn,
  addressIn,
  type ConfirmationIn,
  type ConfirmationShape,
  changePasswordIn,
  codeIn,
  confirmationIn,
  type DoneShape,
  meChangeIn,
  type PasskeyOptionsShape,
  type PasskeyShape,
  passkeyAnswerIn,
  passkeyIn,
  passwordIn,
  type RecoveryCodesShape,
  resetIn,
  type SignInOptionsShape,
  type SignInShape,
  showPasskey,
  signInIn,
  signUpIn,
  type TwoFactorSetupShape,
  tokenIn,
} from "./people/sign-in.ts";
export {
  type AuditShape,
  type InvitationShape,
  invitationIn,
  type MemberShape,
  memberChangeIn,
  merchantChangeIn,
  type RemovalShape,
  showAudit,
  showInvitation,
  showMember,
  showRemoval,
} from "./people/team.ts";
export { showTransportHealth, type TransportHealthShape } from "./people/transport-health.ts";
export {
  approvalIn,
  assignmentIn,
  type NumberOverviewShape,
  type NumberShape,
  numberIn,
  numberKinds,
  numberStatuses,
  showNumber,
  showNumberOverview,
} from "./sms/number.ts";
export {
  type SmsAttemptShape,
  type SmsEstimateShape,
  type SmsPartShape,
  type SmsShape,
  showSms,
  showSmsAttempt,
  showSmsEstimate,
  showSmsPart,
} from "./sms/sms.ts";
export { smsAliases, smsBatchDocument, smsBatchIn, smsEstimateIn, smsIn } from "./sms/sms-in.ts";
export { type SmsThreadShape, showSmsThread } from "./sms/thread.ts";
export { type ConversionShape, conversionDaysMax, showConversion } from "./verifications/conversion.ts";
export {
  givenCodeIn,
  givenCodeOfIn,
  resendIn,
  showVerification,
  type VerificationShape,
  verificationIn,
} from "./verifications/verification.ts";
export { type EventShape, showEvent } from "./webhooks/event.ts";
export {
  type CallbackSecretShape,
  promoteIn,
  type ReplayShape,
  replayIn,
  rollIn,
  showCallbackSecret,
  showReplay,
  showWebhook,
  testIn,
  type WebhookShape,
  webhookChangeIn,
  webhookIn,
} from "./webhooks/webhook.ts";
export {
  type AttemptShape,
  attemptStatuses,
  attemptTriggers,
  type DeliveryShape,
  showAttempt,
  showDelivery,
} from "./webhooks/webhook-history.ts";
