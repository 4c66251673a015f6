import type { AnySchema } from "ajv";
import type { PaymentMethods } from "#gateways/index.ts";
import type { Ctx } from "#platform/index.ts";
import { callSchema, recordingSchema } from "./calls/call.ts";
import { assetSchema } from "./collection/asset.ts";
import { profileSchema } from "./collection/collection-profile.ts";
import { receiptSchema } from "./collection/receipt.ts";
import { bulkSchema } from "./collection/receipt-actions.ts";
import { importPreviewSchema, importSchema } from "./collection/receipt-import.ts";
import { errorSchema } from "./fields/error.ts";
import { gatewaySchema, gatewaySlugs } from "./fields/gateway.ts";
import { gatewayAttemptSchema } from "./gateways/attempt.ts";
import { gatewayCredentialSchema } from "./gateways/credential.ts";
import { refusedCallbackSchema } from "./gateways/refused-callback.ts";
import { gatewaySetupSchema } from "./gateways/setup.ts";
import { limitsSchema, spendingSchema } from "./guards/limits.ts";
import { pauseOverviewSchema, pauseSchema } from "./guards/pause.ts";
import { policySchema, pricesSchema } from "./guards/policy.ts";
import { emailAttemptSchema } from "./mail/attempt.ts";
import { batchSchema } from "./mail/batch.ts";
import { domainSchema } from "./mail/domain.ts";
import { emailSchema } from "./mail/email.ts";
import { inboundSchema } from "./mail/inbound.ts";
import { suppressionSchema } from "./mail/suppression.ts";
import { usageSchema } from "./mail/usage.ts";
import { disputeSchema } from "./orders/dispute.ts";
import { exceptionSchema } from "./orders/exception.ts";
import { figuresSchema } from "./orders/figures.ts";
import { gatewayPaymentSchema } from "./orders/gateway-payment.ts";
import { orderSchema } from "./orders/order.ts";
import { paymentSessionSchema } from "./orders/payment-session.ts";
import { refundSchema } from "./orders/refund.ts";
import { reviewSchema } from "./orders/review.ts";
import { transactionSchema, walletSchema } from "./orders/transaction.ts";
import { voucherSchema } from "./orders/voucher.ts";
import { healthSchema, merchantOverviewSchema, waitingProofSchema } from "./people/admin.ts";
import { apiKeySchema, flatUseSchema } from "./people/api-key.ts";
import { merchantSchema } from "./people/merchant.ts";
import { activeProjectSchema, meSchema, sessionSchema } from "./people/person.ts";
import { projectSchema } from "./people/project.ts";
import {
  confirmationSchema,
  doneSchema,
  openInvitationSchema,
  passkeyOptionsSchema,
  passkeySchema,
  recoveryCodesSchema,
  signInOptionsSchema,
  signInSchema,
  twoFactorSetupSchema,
} from "./people/sign-in.ts";
import { auditSchema, invitationSchema, memberSchema, removalSchema } from "./people/team.ts";
import { transportHealthSchema } from "./people/transport-health.ts";
import { numberOverviewSchema, numberSchema } from "./sms/number.ts";
import { smsAttemptSchema, smsEstimateSchema, smsPartSchema, smsSchema } from "./sms/sms.ts";
import { smsThreadSchema } from "./sms/thread.ts";
import { conversionSchema } from "./verifications/conversion.ts";
import { verificationSchema } from "./verifications/verification.ts";
import { deletedSchema, eventSchema } from "./webhooks/event.ts";
import { callbackSecretSchema, replaySchema, webhookSchema } from "./webhooks/webhook.ts";
import { attemptSchema, deliverySchema } from "./webhooks/webhook-history.ts";

const schemas = [
  errorSchema,
  merchantSchema,
  projectSchema,
  apiKeySchema,
  flatUseSchema,
  memberSchema,
  invitationSchema,
  removalSchema,
  auditSchema,
  merchantOverviewSchema,
  waitingProofSchema,
  healthSchema,
  transportHealthSchema,
  activeProjectSchema,
  meSchema,
  sessionSchema,
  signInSchema,
  signInOptionsSchema,
  doneSchema,
  twoFactorSetupSchema,
  recoveryCodesSchema,
  confirmationSchema,
  openInvitationSchema,
  passkeyOptionsSchema,
  passkeySchema,
  orderSchema,
  paymentSessionSchema,
  gatewayPaymentSchema,
  voucherSchema,
  reviewSchema,
  exceptionSchema,
  refundSchema,
  disputeSchema,
  figuresSchema,
  transactionSchema,
  walletSchema,
  eventSchema,
  deletedSchema,
  assetSchema,
  profileSchema,
  gatewaySchema,
  gatewayCredentialSchema,
  gatewayAttemptSchema,
  gatewaySetupSchema,
  refusedCallbackSchema,
  receiptSchema,
  importSchema,
  importPreviewSchema,
  bulkSchema,
  webhookSchema,
  attemptSchema,
  deliverySchema,
  replaySchema,
  callbackSecretSchema,
  emailSchema,
  emailAttemptSchema,
  smsSchema,
  smsAttemptSchema,
  smsPartSchema,
  smsThreadSchema,
  smsEstimateSchema,
  batchSchema,
  usageSchema,
  inboundSchema,
  domainSchema,
  suppressionSchema,
  numberSchema,
  numberOverviewSchema,
  limitsSchema,
  spendingSchema,
  pauseSchema,
  pauseOverviewSchema,
  policySchema,
  pricesSchema,
  callSchema,
  recordingSchema,
  verificationSchema,
  conversionSchema,
];

/** Named schemas that are the same in every installation. */
export const fixedSchemas: Record<string, AnySchema> = Object.fromEntries(
  schemas.map((schema) => [(schema as { $id: string }).$id, schema as AnySchema]),
);
const known = new WeakMap<PaymentMethods, Record<string, AnySchema>>();

/** Every named schema of a server's OpenAPI document, by name. */
export function namedSchemas({ methods }: Pick<Ctx, "methods">): Record<string, AnySchema> {
  const named = known.get(methods) ?? { ...fixedSchemas, ...gatewaySlugs(methods) };
  known.set(methods, named);
  return named;
}
