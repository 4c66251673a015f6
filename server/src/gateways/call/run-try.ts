import { randomBytes } from "node:crypto";
import { type Ctx, egressFetch, storable } from "#platform/index.ts";
import { listDemoRoots, sendToDemo } from "../demo/send-to-demo.ts";
import { GatewayError } from "../gateway-error.ts";
import type { GatewayAccount, GatewayCall } from "../port.ts";
import type { GatewayVerb } from "../registry.ts";
import { accountCache } from "./account-cache.ts";
import type { AttemptExchange, AttemptRow } from "./attempts.sql.ts";
import { baseUrlOf, hostOf, isSimulated, type OpenAccount } from "./open-account.ts";

/** Of each exchange. */
const limits = { firstByteMs: 10_000, totalMs: 10_000, bodyBytes: 1_048_576 };
/** One response with a day's settled payments: WeChat Pay's bill is a single file, Razorpay's pages have up to a thousand lines. */
const listLimits = { firstByteMs: 10_000, totalMs: 60_000, bodyBytes: 16 * 1_048_576 };
/** BTCPay Server lists all refunds of a store at once, and only that list says whether one was made. */
const refundLimits = { ...limits, bodyBytes: listLimits.bodyBytes };
const exchangesMax = 10;
const messageMax = 500;
const codeMax = 100;
const urlMax = 300;

/** A call on an account. */
export interface Calling {
  opened: OpenAccount;
  verb: GatewayVerb;
  /** Our reference of the call's object. */
  reference: string | null;
  /** Gets the record of a successful call if the caller stores it with other work; otherwise the call stores it itself. */
  records?: Promise<void>[];
}

/** The environment of calls on an account. */
export type Work<T> = (account: GatewayAccount, call: GatewayCall) => Promise<T>;

/** The result of one attempt. */
export type Tried<T> = { attempt: AttemptRow } & ({ value: T; error: null } | { error: GatewayError });

/**
 * Calls a provider once, within its limits. Never throws: an error that isn't a `GatewayError` is an internal one, logged, and its outcome
 * is unknown. The result can be stored, and no error quotes one of the account's secrets, so that they are safe to show anywhere.
 */
export async function runTry<T>(
  ctx: Ctx,
  { opened, verb, reference, number }: Calling & { number: number },
  work: Work<T>,
): Promise<Tried<T>> {
  const exchanges: AttemptExchange[] = [];
  const start = performance.now();
  const result = await work(opened.account, callOf(ctx, { opened, verb, exchanges })).then(
    (value) => ({ value: storable(value), error: null }),
    (error: unknown) => ({ error: cleaned(opened, error instanceof GatewayError ? error : faultOf(ctx, { opened, verb, error })) }),
  );
  const ms = performance.now() - start;
  const { credential } = opened;
  const { project_id, livemode, id: credential_id, gateway } = credential;
  const outcome = outcomeOf(result.error);
  ctx.gateways.observe({ gateway, verb, outcome, seconds: ms / 1_000 });
  const attempt: AttemptRow = {
    ...{ project_id, livemode, credential_id, id: ctx.id("gat"), gateway, verb, reference, try: number, outcome },
    code: result.error?.code ?? null,
    message: result.error?.message ?? null,
    provider_request_id: result.error?.requestId ?? null,
    duration_ms: Math.round(ms),
    exchanges: exchanges.slice(0, exchangesMax),
    request_id: ctx.requestId,
    created_at: ctx.now(),
  };
  return { attempt, ...result };
}

/** A provider that is busy with the same object refuses the call for now, and responds: this is no sign of trouble. */
function outcomeOf(error: GatewayError | null): AttemptRow["outcome"] {
  if (error === null) return "succeeded";
  return error.isBusy ? "conflict" : error.kind;
}

function callOf(ctx: Ctx, given: { opened: OpenAccount; verb: GatewayVerb; exchanges: AttemptExchange[] }): GatewayCall {
  const { opened, verb, exchanges } = given;
  const { credential } = opened;
  const isDemo = isSimulated(credential);
  const host = hostOf(ctx, credential);
  const baseUrl = baseUrlOf(ctx, opened);
  // Addresses from a merchant go through the guard, and so do all other addresses in a provider's responses.
  const trusted = host === null ? null : new URL(host).origin;
  return {
    baseUrl,
    now: ctx.now,
    nonce: () => randomBytes(16).toString("hex"),
    roots: async () => (isDemo ? listDemoRoots(ctx, credential) : (await import("node:tls")).getCACertificates()),
    cache: accountCache(ctx.gateways, { name: opened.cacheName, now: ctx.now }),
    fetch: egressFetch(isDemo ? sendToDemo(ctx, credential) : ctx.egress.request, {
      owner: credential.id,
      isTrusted: (url) => url.origin === trusted,
      limits: limitsOf(verb),
      onExchange({ method, url }, exchange) {
        const { status, error_code, duration_ms } = exchange;
        const date = status === null ? exchange.head?.headers["date"] : exchange.headers["date"];
        const clock_ahead_seconds = aheadOf(ctx.now(), date);
        exchanges.push({
          method,
          url: cut(opened.redact(`${url.host}${url.pathname}`), urlMax),
          status,
          error_code,
          duration_ms,
          clock_ahead_seconds,
        });
      },
    }),
  };
}

function limitsOf(verb: GatewayVerb): typeof limits {
  if (verb === "list_settled") return listLimits;
  return verb === "refund" || verb === "query_refund" ? refundLimits : limits;
}

/** By how many seconds a server's clock is ahead of ours, from the `Date` of its response; null without one. */
function aheadOf(now: Date, date: string | undefined): number | null {
  const at = Date.parse(date ?? "");
  return Number.isNaN(at) ? null : Math.round((at - now.getTime()) / 1_000);
}

/** The caller may have been charged: it can't be assumed that nothing happened. */
function faultOf(ctx: Ctx, { opened, verb, error }: { opened: OpenAccount; verb: GatewayVerb; error: unknown }): GatewayError {
  ctx.log.error(
    { err: error, gateway: opened.credential.gateway, credential_id: opened.credential.id, verb },
    "an adapter failed unexpectedly",
  );
  return new GatewayError("unknown_outcome", { code: "fault", message: "This gateway failed unexpectedly." });
}

/** A provider's message may repeat the request, and may have any length. */
function cleaned({ redact }: OpenAccount, { kind, code, message, requestId, retryAfter, isBusy }: GatewayError): GatewayError {
  const clean = (text: string, most: number) => cut(redact(text), most);
  return new GatewayError(kind, {
    code: clean(code, codeMax),
    message: clean(message, messageMax),
    requestId: requestId === null ? null : clean(requestId, codeMax),
    retryAfter,
    isBusy,
  });
}

function cut(text: string, most: number): string {
  return storable(text.slice(0, most));
}
