import { createHash } from "node:crypto";
import { platformErrors, type Tx } from "#platform/index.ts";
import type { MerchantRow } from "../merchants/sql.ts";
import { insertAttempt } from "./sql.ts";

const dayMs = 86_400_000;
const perDay = { verified: 200, unverified: 20 };

/**
 * Counts an invitation, which is our email with someone else's words. An unverified merchant can send few per day, and so can each person
 * across all such merchants, however many they open. Throws rate_limited; refused invitations don't count.
 */
export async function limitInvitations(tx: Tx, { merchant, person_id }: { merchant: MerchantRow; person_id: string }): Promise<void> {
  const isVerified = merchant.verification_status === "verified";
  const limit = isVerified ? perDay.verified : perDay.unverified;
  const subjects = [`invitations of ${merchant.id}`, ...(isVerified ? [] : [`invitations by ${person_id}`])];
  for (const text of subjects) {
    const subject = createHash("sha256").update(text).digest("base64url");
    const { used, left_ms } = await insertAttempt(tx, { subject, window_ms: dayMs, limit });
    if (used <= limit) continue;
    const seconds = Math.max(1, Math.ceil(left_ms / 1000));
    const more = isVerified ? "" : " A verified business may send more.";
    throw platformErrors.rate_limited({
      message: `You can send up to ${limit} invitations per day.${more}`,
      headers: { "retry-after": String(seconds) },
    });
  }
}
