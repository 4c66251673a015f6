import { auditIfPerson } from "#audit/index.ts";
import { notifyingCaps } from "#guards/index.ts";
import { type Ctx, findNow, platformErrors, type Tenant } from "#platform/index.ts";
import { prepareCode } from "../carriers/carriers.ts";
import { verificationErrors } from "../errors.ts";
import { findVerification } from "../read/find-verification.ts";
import type { CodeChannel, VerificationRow } from "../shapes.ts";
import { plainOf } from "./change-verifications.ts";
import { holdPending } from "./hold-pending.ts";
import { sendCode } from "./send-code.ts";

/**
 * Sends the same code again, by the last channel or another one of the verification's. Throws resource_missing,
 * verification_state_conflict, verification_limit once it was sent as often as allowed, and what the channel refuses.
 */
export async function resendCode(
  ctx: Ctx,
  tenant: Tenant,
  { id, channel: wanted }: { id: string; channel: CodeChannel | null },
): Promise<VerificationRow> {
  const found = await findVerification(ctx, tenant, id);
  const channel = wanted ?? found.channel;
  if (!found.channels.includes(channel))
    throw platformErrors.parameter_invalid({
      param: "channel",
      reason: "channel_unfit",
      values: { value: channel },
      message: `${channel} isn't one of this verification's channels.`,
    });
  const seconds = Math.ceil((found.expires_at.getTime() - (await findNow(ctx.db)).getTime()) / 1_000);
  // An ended verification gets its own error, not its channel's.
  const ready = found.status === "pending" && found.sends_left > 0 ? await prepareCode(ctx, found, { channel, seconds }) : null;
  return notifyingCaps(ctx, tenant, () =>
    ctx.transact(async (tx) => {
      const { held, pinned } = await holdPending(tx, ctx, { ...tenant, id });
      if (held.sends_left === 0 || ready === null) throw tooMany(held, pinned);
      await sendCode(tx, pinned, { held, channel, cause: "resend", ready });
      await auditIfPerson(tx, {
        ctx: pinned,
        tenant,
        action: "verification.resent",
        object_type: "verification",
        object_id: id,
        detail: { channel },
      });
      return plainOf(held);
    }),
  );
}

/** Another verification can be started once this one has ended. */
function tooMany({ expires_at }: VerificationRow, pinned: Ctx): Error {
  const seconds = Math.max(1, Math.ceil((expires_at.getTime() - pinned.now().getTime()) / 1_000));
  return verificationErrors.verification_limit({
    message: "The code can't be sent again: it was already sent as often as allowed.",
    headers: { "retry-after": String(seconds) },
  });
}
