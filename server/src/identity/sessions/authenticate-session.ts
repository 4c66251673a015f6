import type { Ctx } from "#platform/index.ts";
import type { Principal } from "../keys/authenticate-key.ts";
import { hashToken } from "../people/hash-token.ts";
import { findSession, type SessionRow, updateSessionExpiry } from "../people/sql.ts";
import { scopesOfRole } from "../roles.ts";
import { graceOf, hasSecondStep } from "../second-step/require-second-step.ts";
import { isBrief, longestDays } from "../sign-in/cookies/cookie.ts";

const sessionMs = 7 * 86_400_000;
const extendAfterMs = 86_400_000;
/** The longest session, however much it is used. */
const longestMs = longestDays * 86_400_000;
const operatorsLongestMs = 12 * 3_600_000;
const none: ReadonlySet<string> = new Set();

/**
 * The person of a session's token, read again for each request, so that a revoked session or a changed role takes effect immediately.
 * `project_id` is the one in the URL: it must belong to a merchant of the person, otherwise the principal has none. `merchant_id` says at
 * which one they act, so that one without any project can be reached. null: no such session.
 */
export async function authenticateSession(
  ctx: Pick<Ctx, "db" | "publicUrl">,
  token: string,
  wanted: { project_id: string | null; merchant_id: string | null; livemode: boolean | null },
): Promise<Principal | null> {
  const row = await findSession(ctx.db, hashToken(token), wanted);
  if (row === null || row.expires_at <= row.now || lastMomentOf(row) <= row.now) return null;
  const expires_at = nextExpiry(row);
  if (expires_at !== null) await updateSessionExpiry(ctx.db, row.session_id, { expires_at });
  return principalOf(row, { livemode: wanted.livemode ?? row.active_livemode, second_step_due_at: await graceOf(ctx, row) });
}

/** When a session ends at the latest. Operators see every merchant's money, so their sessions are short. */
function lastMomentOf({ created_at, is_operator }: SessionRow): Date {
  return new Date(created_at.getTime() + (is_operator ? operatorsLongestMs : longestMs));
}

/** The expiry that use extends a session to, once a day; null: unchanged. */
function nextExpiry(row: SessionRow): Date | null {
  if (isBrief(row) || row.expires_at.getTime() - row.now.getTime() >= sessionMs - extendAfterMs) return null;
  const next = new Date(Math.min(row.now.getTime() + sessionMs, lastMomentOf(row).getTime()));
  return next > row.expires_at ? next : null;
}

function principalOf(row: SessionRow, { livemode, second_step_due_at }: { livemode: boolean; second_step_due_at: Date | null }): Principal {
  return {
    kind: "person",
    key_id: row.session_id,
    merchant_id: row.merchant_id ?? "",
    merchant_name: row.merchant_name ?? "",
    merchant_verified: row.verification_status === "verified",
    messaging_tier: row.messaging_tier ?? "free",
    project_id: row.project_id ?? "",
    livemode,
    scopes: row.role === null ? none : scopesOfRole(row.role, livemode),
    allowed_ips: [],
    expires_at: row.expires_at,
    receiving_account: null,
    visitor: {
      id: row.person_id,
      email: row.email,
      name: row.name,
      language: row.language,
      is_operator: row.is_operator,
      two_factor_enabled: row.two_factor_enabled,
      has_second_step: hasSecondStep(row),
      merchant_asks_second_step: row.second_step_required === true,
      second_step_due_at,
      session_id: row.session_id,
      role: row.role,
      new_owner_until: row.new_owner_until,
      confirmed_at: row.confirmed_at,
      seen_at: row.now,
      active_project_id: row.active_project_id,
      active_livemode: row.active_livemode,
    },
  };
}
