import type { SendingTier } from "#messaging/index.ts";
import type { Tx } from "#platform/index.ts";
import { verificationErrors } from "../errors.ts";
import type { VerificationRow } from "../shapes.ts";
import { insertWindow } from "./windows.sql.ts";

const hourSeconds = 3_600;

/** Codes per hour. Codes to premium-rate-like numbers cost the project, and unrequested codes are a nuisance to the recipient. */
export const sendLimits = {
  perRecipient: { live: 10, test: 100 },
  perProject: { free: 100, starter: 2_000, pro: 20_000, enterprise: 200_000, system: 200_000 } satisfies Record<SendingTier, number>,
};

/** Counts a code that is about to be sent; refused ones don't count. Throws verification_limit. */
export async function limitSends(tx: Tx, { project_id, livemode, recipient, tier }: VerificationRow): Promise<void> {
  const { perRecipient, perProject } = sendLimits;
  const windows = [
    {
      subject: `to ${recipient}`,
      limit: livemode ? perRecipient.live : perRecipient.test,
      message: "Too many codes were sent to this recipient recently.",
    },
    { subject: "project", limit: perProject[tier], message: "This project sent too many codes recently." },
  ];
  for (const { subject, limit, message } of windows) {
    const { used, left_s } = await insertWindow(tx, { project_id, livemode }, { subject, seconds: hourSeconds });
    if (used > limit) throw verificationErrors.verification_limit({ message, headers: { "retry-after": String(Math.max(1, left_s)) } });
  }
}
