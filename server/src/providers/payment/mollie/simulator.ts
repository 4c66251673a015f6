import {
  connectionError,
  garbageAnswer,
  type ProviderSimulator,
  pathIn,
  putFault,
  type SimulatorWorld,
  takeFault,
} from "#gateways/index.ts";
import { decideRefund, simulateOn } from "./simulator/actions.ts";
import { type ApiRequest, carryOut } from "./simulator/api.ts";
import { type Account, ApiError, findAccount } from "./simulator/documents.ts";
import { answerPage } from "./simulator/page.ts";
import { callbackFor, findByReference } from "./simulator/payments.ts";

/** How long a response is stored under its Idempotency-Key. */
const rememberedMs = 3_600_000;

/**
 * Mollie's side, based on its published OpenAPI description of August 2026: payments, refunds, chargebacks, and callbacks that contain only
 * a payment's id.
 */
export const mollieSimulator: ProviderSimulator = {
  slug: "mollie",
  outcomes: ["paid", "declined", "canceled", "expired", "processing", "silent", "duplicate", "disputed", "dispute_won"],
  pages: /^\/checkout\/select-method\//,
  async openAccount(world, account) {
    return { api_key: (await accountOf(world, account)).apiKey };
  },
  handle,
  simulate: async (world, { reference, outcome }) => simulateOn(world, await findByReference(world, reference), outcome),
  simulateRefund: (world, { refundReference, outcome }) => decideRefund(world, refundReference, outcome),
  async breakNext(world, fault) {
    if (fault === "bad_signature") throw new Error("Mollie signs nothing");
    await putFault(world, fault);
  },
  callbackOf: async (world, reference) => callbackFor(await findByReference(world, reference)),
};

async function accountOf(world: SimulatorWorld, label: string): Promise<Account> {
  const stored = await world.documents.get<Account>("profile", label);
  if (stored !== null) return stored;
  const account: Account = { profileId: `pfl_${world.token(10)}`, label, apiKey: `test_${world.token(30)}` };
  await world.documents.put("profile", label, account);
  return account;
}

async function handle(world: SimulatorWorld, request: Request): Promise<Response> {
  const url = new URL(request.url);
  const path = pathIn(world, request);
  const token = /^\/checkout\/select-method\/([A-Za-z0-9]+)$/.exec(path)?.[1];
  if (token !== undefined) return answerPage(world, request, token);
  const apiRequest: ApiRequest = { method: request.method, path, query: url.searchParams, body: await request.text() };
  const fault = await takeFault(world, apiRequest);
  if (fault === "refused") throw connectionError("refused");
  if (fault === "rate_limited") {
    return refuse(new ApiError(429, "Too Many Requests", { detail: "You have exceeded the rate limit." }), { "retry-after": "3" });
  }
  if (fault === "server_error") return refuse(new ApiError(500, "Internal Server Error", { detail: "Something went wrong on our side." }));
  const answer = await answerOnce(world, request, apiRequest);
  if (fault === "lost_answer") throw connectionError("lost_answer");
  return fault === "garbage" ? garbageAnswer() : answer;
}

interface Remembered {
  status: number;
  body: string;
  until: number;
}

/** Responds to a request, or repeats the response stored under its Idempotency-Key, whatever the repeat contains. */
async function answerOnce(world: SimulatorWorld, request: Request, apiRequest: ApiRequest): Promise<Response> {
  const bearer = /^Bearer (\S+)$/.exec(request.headers.get("authorization") ?? "")?.[1];
  const account = await findAccount(world, ({ apiKey }) => apiKey === bearer);
  if (account === null)
    return refuse(new ApiError(401, "Unauthorized Request", { detail: "Missing authentication, or failed to authenticate" }));
  const header = request.headers.get("idempotency-key");
  if (header !== null && !/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(header)) {
    return refuse(new ApiError(400, "Bad Request", { detail: "The Idempotency-Key is no UUID of version 4." }));
  }
  const key = `${account.profileId}/${apiRequest.method}/${header}`;
  const now = world.now().getTime();
  const remembered = header === null ? null : await world.documents.get<Remembered>("idempotency", key);
  if (remembered !== null && remembered.until > now) return reply(remembered);
  try {
    const { status, body } = await carryOut(world, account, apiRequest);
    const text = JSON.stringify(body);
    if (header !== null) await world.documents.put("idempotency", key, { status, body: text, until: now + rememberedMs });
    return reply({ status, body: text });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return refuse(error);
  }
}

function refuse(error: ApiError, headers: Record<string, string> = {}): Response {
  const field = error.field === null ? {} : { field: error.field };
  const _links = { documentation: { href: "https://docs.mollie.com/reference/handling-errors", type: "text/html" } };
  const body = { status: error.status, title: error.title, detail: error.message, ...field, _links };
  return reply({ status: error.status, body: JSON.stringify(body) }, headers);
}

function reply({ status, body }: { status: number; body: string }, headers: Record<string, string> = {}): Response {
  return new Response(body, { status, headers: { "content-type": "application/hal+json", ...headers } });
}
