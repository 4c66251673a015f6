import type { MailSettings } from "#platform/index.ts";
import type { MessagingTier } from "../shapes.ts";

/** Tiers that a merchant may be in; Tillpost's own mail is outside them. */
export type QuotaTier = Exclude<MessagingTier, "system">;

/** Deliveries that a project and environment may ask for in one day (UTC), unless the operator says otherwise. */
const usual: Readonly<Record<QuotaTier, number>> = { free: 1_000, starter: 50_000, pro: 1_000_000, enterprise: 10_000_000 };

/** What a tier allows a project and environment in one day. Of the operator's changes, each `tier.emails=number`, the last one counts. */
export function dailyQuotaOf({ mail }: { mail: Pick<MailSettings, "quotaTiers"> }, tier: QuotaTier): number {
  const name = `${tier}.emails=`;
  const change = mail.quotaTiers?.findLast((one) => one.startsWith(name));
  return change === undefined ? usual[tier] : Number(change.slice(name.length));
}
