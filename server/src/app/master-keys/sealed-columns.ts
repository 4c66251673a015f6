import { auditSecrets } from "#audit/index.ts";
import { callSecrets } from "#calls/index.ts";
import { mailSecrets } from "#email/index.ts";
import { gatewaySecrets } from "#gateways/index.ts";
import { twoFactorSecrets } from "#identity/index.ts";
import { noticeSecrets, type SealedColumn } from "#platform/index.ts";
import { smsSecrets } from "#sms/index.ts";
import { webhookSecrets } from "#webhooks/index.ts";
import { derivedKeySecrets } from "./sql.ts";

/** Every column whose values depend on a master key. Derived keys come first: what is sealed with them needs them. */
export const sealedColumns: readonly SealedColumn[] = [
  ...derivedKeySecrets,
  ...auditSecrets,
  ...webhookSecrets,
  ...gatewaySecrets,
  ...mailSecrets,
  ...smsSecrets,
  ...callSecrets,
  ...noticeSecrets,
  ...twoFactorSecrets,
];
