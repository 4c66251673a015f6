import { createHash } from "node:crypto";
import { type Ctx, platformErrors, type Tx } from "#platform/index.ts";
import { identityErrors } from "../errors.ts";
import { insertAttempt, insertUse } from "./sql.ts";

/** Attempts per minute, counted in the database so that several servers share the counts. */
export interface SignInLimits {
  perPair: number;
  perAccount: number;
  perAddress: number;
}

const minuteMs = 60_000;

export interface Attempt {
  purpose: string;
  account: string;
  address: string;
  /** A browser that proved that the account's person signed in there before. It has its own limit, whatever others have used up. */
  device?: string | null;
  /** The time over which they are counted, in milliseconds; a minute if absent. */
  windowMs?: number;
}

type Rule = [subject: string, limit: number];

/**
 * Counts an attempt of an account from an address, before any lookup, so that known and unknown accounts are refused alike. Throws
 * rate_limited with Retry-After.
 */
export async function limitAttempts(ctx: Ctx, limits: SignInLimits, given: Attempt): Promise<void> {
  const { purpose, address, device = null, windowMs = minuteMs } = given;
  const account = given.account.trim().toLowerCase();
  const ofStrangers: Rule[] = [
    // Refusals of one address don't count against others.
    [`pair ${account} ${address}`, limits.perPair],
    [`address ${address}`, limits.perAddress],
    [`account ${account}`, limits.perAccount],
  ];
  const rules: Rule[] = device === null ? ofStrangers : [[`device ${account} ${device}`, limits.perPair]];
  const refused = await ctx.transactUnclaimed(async (tx) => {
    for (const [text, limit] of rules) {
      const subject = createHash("sha256").update(`${purpose} ${text}`).digest("base64url");
      const window = await insertAttempt(tx, { subject, window_ms: windowMs, limit });
      if (window.used > limit) return window;
    }
    return null;
  });
  if (refused === null) return;
  const seconds = Math.max(1, Math.ceil(refused.left_ms / 1000));
  throw platformErrors.rate_limited({
    message: "Too many attempts. Wait a moment, then try again.",
    headers: { "retry-after": String(seconds) },
  });
}

/** Longer than an authenticator's code is valid. */
const rememberedMs = 120_000;

/**
 * Records that a person's code was used. Throws authentication_required if it was used before: a code seen over someone's shoulder is
 * useless.
 */
export async function takeCode(tx: Tx, given: { person_id: string; code: string }): Promise<void> {
  const subject = createHash("sha256").update(`code ${given.person_id} ${given.code.trim()}`).digest("base64url");
  if (!(await insertUse(tx, { subject, window_ms: rememberedMs })))
    throw identityErrors.authentication_required({ message: "This code has already been used. Wait for the next one." });
}

/** Longer than any emailed link works. */
const linkRememberedMs = 2 * 86_400_000;

/** Records that an emailed link was used. Throws parameter_invalid if it was used before: a link in an old email or a log is useless. */
export async function takeLink(tx: Tx, token: string): Promise<void> {
  const subject = createHash("sha256").update(`link ${token}`).digest("base64url");
  if (!(await insertUse(tx, { subject, window_ms: linkRememberedMs })))
    throw platformErrors.parameter_invalid({
      param: "token",
      reason: "link_used",
      message: "This link has already been used. Sign in, or request a new one.",
    });
}
