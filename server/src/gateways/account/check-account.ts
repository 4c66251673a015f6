import { type Ctx, platformErrors } from "#platform/index.ts";
import type { AttemptRow } from "../call/attempts.sql.ts";
import type { OpenAccount } from "../call/open-account.ts";
import { runTry } from "../call/run-try.ts";
import type { CheckFound, Credential } from "../rows/sql.ts";

/**
 * An account that couldn't be checked, or was refused, is checked again after a minute, then after twice as long each time, up to an hour:
 * a wrong clock or a fault of the provider may be the reason, and both pass.
 */
export const firstCheckMs = 60_000;
export const longestCheckMs = 3_600_000;

/** The result of a check, and its call. */
export interface Checked {
  found: CheckFound;
  /** When the next check is due; null: never. */
  checkInMs: number | null;
  /** null if the provider wasn't queried. */
  attempt: AttemptRow | null;
}

/**
 * Asks the provider whether it accepts an account's credentials, with a call that changes nothing. If the provider has no such call, no
 * request is made, and ordinary calls count as the check instead. Credentials of a different account than the known one are refused. Never
 * throws.
 */
export async function checkAccount(ctx: Ctx, opened: OpenAccount): Promise<Checked> {
  const { credential, account } = opened;
  const unknown: CheckFound = { status: "unchecked", checked_at: null, check_error: null, account: account.id, account_name: null };
  if (isOther(credential, account.id)) return { ...otherThan(credential), attempt: null };
  const { check } = account;
  if (check === null)
    return { found: { ...unknown, status: credential.status === "checked" ? "checked" : "unchecked" }, checkInMs: null, attempt: null };
  const { attempt, ...tried } = await runTry(ctx, { opened, verb: "check", reference: null, number: 1 }, (_account, call) => check(call));
  if (tried.error === null) {
    const { account: reported, name } = tried.value;
    if (isOther(credential, reported)) return { ...otherThan(credential), attempt };
    return {
      found: { ...unknown, status: "checked", checked_at: ctx.now(), account: reported ?? account.id, account_name: name },
      checkInMs: null,
      attempt,
    };
  }
  const check_error = { code: attempt.code ?? "", message: attempt.message ?? "" };
  if (tried.error.kind === "auth")
    return { found: { ...unknown, status: "failed", checked_at: ctx.now(), check_error }, checkInMs: firstCheckMs, attempt };
  return { found: { ...unknown, check_error }, checkInMs: firstCheckMs, attempt };
}

/** Refused credentials aren't saved, because the person who enters them can correct them right away. */
export function refuseFailed({ status, check_error }: CheckFound): void {
  if (status !== "failed" || check_error === null) return;
  const { code, message } = check_error;
  if (code === otherAccount) throw platformErrors.parameter_invalid({ param: "fields", reason: "other_account", message });
  throw platformErrors.parameter_invalid({
    param: "fields",
    reason: "credentials_refused",
    values: { provider_message: message },
    message: `The provider refused these credentials: ${message}`,
  });
}

const otherAccount = "other_account";

function isOther({ account }: Credential, reported: string | null): boolean {
  return account !== null && reported !== null && account !== reported;
}

/** Earlier payments are queried with today's fields, so these must belong to the same account. */
function otherThan({ account }: Credential): { found: CheckFound; checkInMs: null } {
  const message = `These credentials belong to a different account than ${account}. Add them as a separate account, and pause this one.`;
  const check_error = { code: otherAccount, message };
  return { found: { status: "failed", checked_at: null, check_error, account: null, account_name: null }, checkInMs: null };
}
