import { AsyncLocalStorage } from "node:async_hooks";
import type { Stripe } from "stripe";
import {
  type GatewayCall,
  GatewayError,
  type GatewayErrorKind,
  kindOfStatus,
  malformedAnswer,
  retryAfterOf,
  unanswered,
} from "#gateways/index.ts";

/** The version whose shapes `wire.ts` reads. The account's default could change at any time. */
const apiVersion = "2026-10-28.endive";
/** Longer than any limit of a call's own fetch, so that fetch ends a request and not the library. */
const timeoutMs = 120_000;

/** Codes that decline what was requested, rather than how. */
const declines = new Set(["charge_already_refunded", "charge_disputed", "charge_not_refundable", "amount_too_large", "insufficient_funds"]);

export interface StripeRequest {
  /** Whether Stripe may have done something once the request was sent. */
  changes: boolean;
  ask(stripe: Stripe): Promise<unknown>;
}

/** The call that a use of the library belongs to. */
interface CurrentRequest {
  call: GatewayCall;
  secretKey: string;
  /** Why no response arrived; null while one may. */
  lost: unknown;
}

/**
 * Creating the library costs more than a request through it, so all calls share one. It has no key and no network access of its own: the
 * async context determines which call a request belongs to.
 */
const currentRequest = new AsyncLocalStorage<CurrentRequest>();
let library: Promise<Stripe> | undefined;

/** Calls Stripe through its own library. Only throws `GatewayError`. */
export async function callStripe(call: GatewayCall, secretKey: string, { changes, ask }: StripeRequest): Promise<unknown> {
  const stripe = await (library ??= makeLibrary());
  const own: CurrentRequest = { call, secretKey, lost: null };
  try {
    return await currentRequest.run(own, () => ask(stripe));
  } catch (error) {
    throw own.lost === null ? faultOf(error, changes) : unanswered(own.lost, changes);
  }
}

/** Loaded on demand: the library is large, and most installations have no Stripe account. */
async function makeLibrary(): Promise<Stripe> {
  const { Stripe } = await import("stripe");
  return new Stripe("each call brings its own key", {
    apiVersion,
    httpClient: Stripe.createFetchHttpClient(fetchOfCall),
    maxNetworkRetries: 0,
    telemetry: false,
    timeout: timeoutMs,
  });
}

async function fetchOfCall(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const own = currentRequest.getStore();
  if (own === undefined) throw new Error("Stripe's library was used outside of a call");
  try {
    return await own.call.fetch(addressOf(own.call, input), { ...init, headers: headersOf(init, own.secretKey), redirect: "manual" });
  } catch (error) {
    own.lost = error;
    // Has no error code: the library retries ECONNRESET, and repeats are up to the caller.
    throw new Error("no answer");
  }
}

/** The library accepts a host, but no path prefix. */
function addressOf(call: GatewayCall, input: string | URL | Request): string {
  const { pathname, search } = new URL(input instanceof Request ? input.url : input);
  return `${call.baseUrl}${pathname}${search}`;
}

/** Uses the account's key, without the library's data about this machine; fetch sets the length. */
function headersOf(init: RequestInit | undefined, secretKey: string): Headers {
  const headers = new Headers(init?.headers);
  headers.set("authorization", `Bearer ${secretKey}`);
  headers.delete("content-length");
  headers.delete("x-stripe-client-user-agent");
  headers.set("user-agent", "Tillpost");
  return headers;
}

/** The library's errors have the response's status, headers and Stripe's own error. */
interface StripeFault extends Error {
  type?: unknown;
  rawType?: unknown;
  code?: unknown;
  statusCode?: unknown;
  requestId?: unknown;
  headers?: Record<string, string>;
}

function faultOf(error: unknown, changes: boolean): GatewayError {
  if (error instanceof GatewayError) return error;
  const fault = error as StripeFault;
  if (fault.type === "StripeConnectionError") return unanswered((error as { detail?: unknown }).detail, changes);
  const requestId = typeof fault.requestId === "string" ? fault.requestId : null;
  if (typeof fault.statusCode !== "number") return malformedAnswer(changes, requestId);
  const code = codeOf(fault, fault.statusCode);
  const kind = kindOf(code, fault.statusCode, changes);
  // Stripe's messages about keys quote a part of the key.
  const message = kind === "auth" ? "Stripe refused the API key, or the key doesn't allow this." : String(fault.message).slice(0, 500);
  const retryAfter = retryAfterOf(new Headers(fault.headers ?? {}));
  return new GatewayError(kind, { code, message, requestId, retryAfter, isBusy: code === objectInUse });
}

/** The response was replayed from the Idempotency-Key. Only for failures on Stripe's side, whose outcome is unknown. */
export const replayedFailure = "replayed_failure";
/** A request with the same Idempotency-Key is being carried out at this moment. */
const inUse = "idempotency_key_in_use";
/** Another request uses the same object at this moment. */
const objectInUse = "lock_timeout";
/** The Idempotency-Key was used with other parameters. */
export const otherParameters = "idempotency_error";

function codeOf(fault: StripeFault, status: number): string {
  if (status >= 500 && fault.headers?.["idempotent-replayed"] === "true") return replayedFailure;
  if (fault.rawType === "idempotency_error" && fault.code !== inUse) return otherParameters;
  if (typeof fault.code === "string") return fault.code;
  return typeof fault.rawType === "string" ? fault.rawType : `http_${status}`;
}

function kindOf(code: string, status: number, changes: boolean): GatewayErrorKind {
  if (code === otherParameters) return "conflict";
  if (code === inUse) return changes ? "unknown_outcome" : "unavailable";
  if (code === "resource_missing") return "not_found";
  if (code === "rate_limit" || code === objectInUse) return "rate_limited";
  if (status === 402 || declines.has(code)) return "declined";
  return kindOfStatus(status, changes);
}
