import {
  connectionError,
  garbageAnswer,
  type ProviderSimulator,
  pathIn,
  putFault,
  type SimulatorWorld,
  takeFault,
} from "#gateways/index.ts";
import { ApiError, errorBody } from "./simulator/answers.ts";
import { type ApiRequest, carryOut, fingerprintOf } from "./simulator/api.ts";
import { type Account, findAccount, listOf } from "./simulator/documents.ts";
import { callbackFor } from "./simulator/events.ts";
import { answerPage, simulateReference } from "./simulator/page.ts";
import { decideRefund } from "./simulator/refunds.ts";

/**
 * Stripe's side, based on its published API of version 2026-10-28.endive: Checkout Sessions, refunds, disputes, balance transactions and
 * events.
 */
export const stripeSimulator: ProviderSimulator = {
  slug: "stripe",
  outcomes: [
    ...(["paid", "declined", "canceled", "expired", "processing", "silent", "duplicate", "out_of_order"] as const),
    ...(["disputed", "dispute_won", "dispute_lost"] as const),
  ],
  pages: /^\/c\/pay\//,
  async openAccount(world, account) {
    const { secretKey, webhookSecret } = await accountOf(world, account);
    return { secret_key: secretKey, webhook_secret: webhookSecret };
  },
  async enterCallbackUrl(world, { account, url }) {
    await world.documents.put("account", account, { ...(await accountOf(world, account)), url });
  },
  handle,
  simulate: (world, { reference, outcome }) => simulateReference(world, reference, outcome),
  simulateRefund: (world, { refundReference, outcome }) => decideRefund(world, refundReference, outcome),
  async breakNext(world, fault) {
    if (fault === "bad_signature") throw new Error("Stripe signs no answers");
    await putFault(world, fault);
  },
  async callbackOf(world, reference) {
    const event = (await listOf(world, "event", null)).findLast((one) => one.reference === reference);
    const account = event === undefined ? null : await findAccount(world, ({ id }) => id === event.owner);
    if (event === undefined || account === null) throw new Error(`Stripe has no event of ${reference}`);
    return callbackFor(world, account, event);
  },
};

async function accountOf(world: SimulatorWorld, label: string): Promise<Account> {
  const stored = await world.documents.get<Account>("account", label);
  if (stored !== null) return stored;
  const account: Account = {
    id: `acct_${world.token(16)}`,
    label,
    secretKey: `sk_test_${world.token(99)}`,
    webhookSecret: `whsec_${world.token(32)}`,
    url: null,
  };
  await world.documents.put("account", label, account);
  return account;
}

async function handle(world: SimulatorWorld, request: Request): Promise<Response> {
  const url = new URL(request.url);
  const path = pathIn(world, request);
  const page = /^\/c\/pay\/([A-Za-z0-9_]+)$/.exec(path)?.[1];
  if (page !== undefined) return answerPage(world, request, page);
  const apiRequest: ApiRequest = { method: request.method, path, query: url.search.slice(1), body: await request.text() };
  const fault = await takeFault(world, apiRequest);
  if (fault === "refused") throw connectionError("refused");
  if (fault === "rate_limited")
    return refuse(world, new ApiError(429, "Too many requests hit the API too quickly.", { code: "rate_limit" }), { "retry-after": "2" });
  const answer = await answerOnce(world, request, { apiRequest, isBroken: fault === "server_error" });
  if (fault === "lost_answer") throw connectionError("lost_answer");
  return fault === "garbage" ? garbageAnswer() : answer;
}

interface Remembered {
  fingerprint: string;
  status: number;
  body: string;
  until: number;
}

/** Responds to a request, or repeats the response stored under its Idempotency-Key, for a day. Stripe's own failures are stored too. */
async function answerOnce(
  world: SimulatorWorld,
  request: Request,
  given: { apiRequest: ApiRequest; isBroken: boolean },
): Promise<Response> {
  const { apiRequest, isBroken } = given;
  const bearer = /^Bearer (\S+)$/.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
  const account = await findAccount(world, ({ secretKey }) => secretKey === bearer);
  if (account === null) return refuse(world, new ApiError(401, `Invalid API Key provided: ${bearer.slice(0, 8)}****${bearer.slice(-4)}`));
  const header = apiRequest.method === "POST" ? request.headers.get("idempotency-key") : null;
  const key = header === null ? null : `${account.id}/${header}`;
  const found = key === null ? null : await world.documents.get<Remembered>("idempotency", key);
  const remembered = found !== null && found.until > world.now().getTime() ? found : null;
  const fingerprint = fingerprintOf(apiRequest);
  if (remembered !== null && remembered.fingerprint !== fingerprint) {
    const message = "Keys for idempotent requests can only be used with the same parameters they were first used with.";
    return refuse(world, new ApiError(400, message, { type: "idempotency_error" }));
  }
  if (remembered !== null) return reply(world, remembered, { "idempotent-replayed": "true" });
  const { isBefore, ...result } = isBroken ? broken() : await resultOf(world, account, apiRequest);
  if (key !== null && !isBefore)
    await world.documents.put("idempotency", key, { fingerprint, ...result, until: world.now().getTime() + 86_400_000 });
  return reply(world, result);
}

function broken(): { status: number; body: string; isBefore: boolean } {
  return { status: 500, body: errorBody(new ApiError(500, "An unknown error occurred", { type: "api_error" })), isBefore: false };
}

async function resultOf(
  world: SimulatorWorld,
  account: Account,
  apiRequest: ApiRequest,
): Promise<{ status: number; body: string; isBefore: boolean }> {
  try {
    return { status: 200, body: JSON.stringify(await carryOut(world, account, apiRequest), null, 2), isBefore: false };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { status: error.status, body: errorBody(error), isBefore: error.isBefore };
  }
}

function refuse(world: SimulatorWorld, error: ApiError, headers: Record<string, string> = {}): Response {
  return reply(world, { status: error.status, body: errorBody(error) }, headers);
}

function reply(world: SimulatorWorld, { status, body }: { status: number; body: string }, headers: Record<string, string> = {}): Response {
  return new Response(body, {
    status,
    headers: { "content-type": "application/json", "request-id": `req_${world.token(14)}`, ...headers },
  });
}
