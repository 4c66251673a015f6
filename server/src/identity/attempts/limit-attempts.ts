import { createHash } from "node:crypto";
import { type Ctx, platformErrors, type Tx } from "#platform/index.ts";
import { identityErrors } from "../errors.ts";
import { insertAttempt } from "./sql.ts";

/** Attempts a minute, counted in the database, so that several servers share them. */
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
  /** A browser that has proved that the account's person signed in there before: it has a budget of its own, whatever others have used up. */
  device?: string | null;
  /** Over how long they are counted; without it, a minute. */
  windowMs?: number;
}

type Rule = [subject: string, limit: number];

/**
 * Counts an attempt of an account from an address, before anything is looked up, so that a known account and an unknown one
 * are refused alike. Throws rate_limited with Retry-After.
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
  throw platformErrors.rate_limited({ message: "Too many attempts. Wait a little and try again.", headers: { "retry-after": String(seconds) } });
}

/** Longer than an authenticator's code is good for. */
const rememberedMs = 120_000;

/** Notes that a person's code was used. Throws authentication_required when it was before: seen over a shoulder, a code opens nothing. */
export async function takeCode(tx: Tx, given: { person_id: string; code: string }): Promise<void> {
  const subject = createHash("sha256").update(`code ${given.person_id} ${given.code.trim()}`).digest("base64url");
  const { used } = await insertAttempt(tx, { subject, window_ms: rememberedMs, limit: 1 });
  if (used > 1) throw identityErrors.authentication_required({ message: "This code was used before. Wait for the next one." });
}

/** Longer than any mailed link works. */
const linkRememberedMs = 2 * 86_400_000;

/** Notes that a mailed link was used. Throws parameter_invalid when it was before: a link in an old mail or a log opens nothing. */
export async function takeLink(tx: Tx, token: string): Promise<void> {
  const subject = createHash("sha256").update(`link ${token}`).digest("base64url");
  const { used } = await insertAttempt(tx, { subject, window_ms: linkRememberedMs, limit: 1 });
  if (used > 1)
    throw platformErrors.parameter_invalid({ param: "token", reason: "link_used", message: "This link was used already. Sign in, or ask for a new one." });
}
