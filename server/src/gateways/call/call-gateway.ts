import { type Ctx, isUnavailable, noteFailures, recentAttempts, type Tx } from "#platform/index.ts";
import { tooLarge } from "../exchange.ts";
import { GatewayError } from "../gateway-error.ts";
import type { GatewayVerb } from "../registry.ts";
import { updateChecked, updateUnchecked } from "../rows/sql.ts";
import {
  type AttemptRow,
  accountBreakers,
  breakerlessVerbs,
  countRecent,
  insertAnswered,
  insertAttempt,
  nonPaymentVerbs,
  troubles,
  updateAnswered,
} from "./attempts.sql.ts";
import type { OpenAccount } from "./open-account.ts";
import { type Calling, runTry, type Work } from "./run-try.ts";

const maxTries = 3;
/** Waits before the second and the third attempt. */
const waitsMs = [250, 1_000];
const longestWaitMs = 2_000;
/** No attempt starts later than this after the first, because someone waits for the response. */
const timeoutMs = 8_000;

/** Errors of a later attempt that don't say what became of an earlier one: a `conflict` may be with that one. */
const saysNothing: readonly GatewayError["kind"][] = ["unavailable", "rate_limited", "auth", "conflict"];

/**
 * Whether the last error leaves open what became of an earlier attempt that may have succeeded. Any error of a refund does: its repeat may
 * be refused because the first one was made, and its amount must not become available again.
 */
function leavesDoubt({ verb }: Calling, { kind }: GatewayError): boolean {
  return verb === "refund" || saysNothing.includes(kind);
}

/** Calls that continue while the account's breaker is open, and are tried once: reading a callback, a person's request. */
const atAnyTime: readonly GatewayVerb[] = ["verify", "check"];

/**
 * Calls a provider on an account: within 10 seconds and 1 MiB per exchange (16 MiB for refunds and `list_settled`, which has a minute), at
 * most three times if the provider is unreachable or overloaded, which the reference makes safe. Each attempt that sent a request is
 * recorded. Throws the `GatewayError` of the last attempt; while the account's breaker is open, no request is made (`unavailable`, code
 * `breaker_open`). If an earlier attempt may have succeeded and the last one didn't reach the provider, contradicts something there, or is
 * any error of a refund, the outcome stays unknown. Not for use inside a transaction.
 */
export async function callGateway<T>(ctx: Ctx, calling: Calling, work: Work<T>): Promise<T> {
  const isOnce = atAnyTime.includes(calling.verb);
  if (!isOnce && calling.opened.credential.is_paused) {
    throw new GatewayError("unavailable", {
      code: "breaker_open",
      message: "This provider hasn't responded recently, so no requests are sent to it right now.",
    });
  }
  const start = performance.now();
  let doubt: GatewayError | null = null;
  for (let number = 1; ; number += 1) {
    const tried = await runTry(ctx, { ...calling, number }, work);
    const recording = record(ctx, calling, tried.attempt);
    if (tried.error === null && calling.records !== undefined) calling.records.push(recording);
    else await recording;
    if (tried.error === null) return tried.value;
    if (tried.error.kind === "unknown_outcome") doubt = tried.error;
    const waitMs = isOnce || number === maxTries ? null : waitAfter(tried.error, number);
    if (waitMs === null || performance.now() - start + waitMs > timeoutMs)
      throw doubt !== null && leavesDoubt(calling, tried.error) ? doubt : tried.error;
    await ctx.gateways.wait(waitMs);
  }
}

/** How long to wait before the call is repeated; null if repeating it would change nothing, or the provider asks for a longer pause. */
function waitAfter({ kind, code, retryAfter }: GatewayError, number: number): number | null {
  if (!troubles.includes(kind) || code === "fault" || code === tooLarge) return null;
  const waitMs = Math.max(waitsMs[number - 1] ?? longestWaitMs, (retryAfter ?? 0) * 1_000);
  return waitMs > longestWaitMs ? null : waitMs;
}

/** The result of a call counts, whether or not it can be recorded. */
async function record(ctx: Ctx, { opened }: Calling, attempt: AttemptRow): Promise<void> {
  if (attempt.exchanges.length === 0) return;
  const write = () =>
    saysNothingNew(opened, attempt)
      ? insertAnswered(ctx.db, attempt)
      : ctx.transactUnclaimed(async (tx) => {
          await writeAttempt(tx, attempt);
          await noteCredentials(tx, opened, attempt);
        });
  await write().catch((error: unknown) => {
    const about = { gateway: attempt.gateway, credential_id: attempt.credential_id, verb: attempt.verb, outcome: attempt.outcome };
    ctx.log.error(isUnavailable(error) ? about : { err: error, ...about }, "a call to a provider couldn't be recorded");
  });
}

/** The usual case: a success of an account with valid credentials. */
function saysNothingNew({ credential, account }: OpenAccount, { verb, outcome }: AttemptRow): boolean {
  return outcome === "succeeded" && !breakerlessVerbs.includes(verb) && (account.check !== null || credential.status === "checked");
}

/** Records an attempt, and whether the provider responds at all. */
export async function writeAttempt(tx: Tx, attempt: AttemptRow): Promise<void> {
  const { project_id, livemode, credential_id: id } = attempt;
  const key = { project_id, livemode, id };
  await insertAttempt(tx, attempt);
  if (breakerlessVerbs.includes(attempt.verb)) return;
  if (!troubles.includes(attempt.outcome)) await updateAnswered(tx, key);
  else await noteFailures(tx, accountBreakers, { key, failures: 1, recent: () => countRecent(tx, key, recentAttempts) });
}

/**
 * What an ordinary call shows about the credentials: refused ones are checked right away if the provider has a call for that; otherwise the
 * call was the check.
 */
async function noteCredentials(
  tx: Tx,
  { credential, account }: OpenAccount,
  { verb, outcome, code, message, created_at }: AttemptRow,
): Promise<void> {
  if (verb === "check" || nonPaymentVerbs.includes(verb)) return;
  if (account.check !== null) {
    if (outcome === "auth") await updateUnchecked(tx, credential);
    return;
  }
  const unchanged = { checked_at: created_at, account: null, account_name: null };
  if (outcome === "succeeded" && credential.status !== "checked")
    await updateChecked(tx, credential, { found: { ...unchanged, status: "checked", check_error: null }, next: null });
  if (outcome === "auth")
    await updateChecked(tx, credential, {
      found: { ...unchanged, status: "failed", check_error: { code: code ?? "", message: message ?? "" } },
      next: null,
    });
}
