import {
  connectionError,
  garbageAnswer,
  type ProviderSimulator,
  pathIn,
  putFault,
  type SimulatorWorld,
  takeFault,
} from "#gateways/index.ts";
import { outcomes, readOutcome, simulate } from "./simulator/actions.ts";
import { newestCallback } from "./simulator/events.ts";
import { type Api, cancelLink, createLink, findLink, listLinks, listTries, showLink } from "./simulator/links.ts";
import { answerPage } from "./simulator/page.ts";
import { createRefund, decideRefund, listRefunds, showPayment, showRefund } from "./simulator/refunds.ts";
import { listSettlements } from "./simulator/settlements.ts";
import { type Account, findAccount, type Link, Refused } from "./simulator/shapes.ts";

/** Razorpay's side: Payment Links, payments, refunds, settlements and webhooks, based on its published documents. */
export const razorpaySimulator: ProviderSimulator = {
  slug: "razorpay",
  outcomes,
  pages: /^\/i\//,
  async openAccount(world, name) {
    const { keyId, keySecret, webhookSecret, merchantId } = await openAccount(world, name);
    return { key_id: keyId, key_secret: keySecret, webhook_secret: webhookSecret, merchant_id: merchantId };
  },
  async enterCallbackUrl(world, { account, url }) {
    await world.documents.put("account", account, { ...(await openAccount(world, account)), callbackUrl: url });
  },
  async handle(world, request) {
    if (pathIn(world, request).startsWith("/i/")) return answerPage(world, request);
    const fault = await takeFault(world, request);
    if (fault === "refused") throw connectionError("refused");
    if (fault === "server_error") return errorAnswer(new Refused(500, "We are facing some trouble completing your request at the moment."));
    if (fault === "rate_limited") return errorAnswer(new Refused(429, "Request failed. Please try again after sometime."));
    const answer = await answerApi(world, request);
    if (fault === "lost_answer") throw connectionError("lost_answer");
    return fault === "garbage" ? garbageAnswer() : answer;
  },
  async simulate(world, { reference, outcome }) {
    await simulate(world, await linkOf(world, reference), readOutcome(outcome));
  },
  simulateRefund: (world, { refundReference, outcome }) =>
    decideRefund(world, refundReference, outcome === "succeeded" ? "processed" : "failed"),
  async breakNext(world, fault) {
    if (fault === "bad_signature") throw new Error("Razorpay signs no answers");
    await putFault(world, fault);
  },
  callbackOf: async (world, reference) => newestCallback(world, await linkOf(world, reference)),
};

async function openAccount(world: SimulatorWorld, name: string): Promise<Account> {
  const known = await world.documents.get<Account>("account", name);
  if (known !== null) return known;
  const account: Account = {
    name,
    keyId: `rzp_test_${world.token(14)}`,
    keySecret: world.token(24),
    webhookSecret: world.token(24),
    merchantId: world.token(14),
    callbackUrl: null,
  };
  await world.documents.put("account", name, account);
  return account;
}

async function linkOf(world: SimulatorWorld, reference: string): Promise<Link> {
  const link = (await world.documents.list<Link>("link")).find(({ referenceId }) => referenceId === reference);
  if (link === undefined) throw new Error(`Razorpay has no link for ${reference}`);
  return findLink(world, await findAccount(world, link.account), link.id);
}

const routes: readonly [method: string, path: RegExp, answer: (api: Api, id: string) => Promise<Response>][] = [
  ["POST", /^\/v1\/payment_links\/?$/, createLink],
  ["GET", /^\/v1\/payment_links\/?$/, listLinks],
  ["GET", /^\/v1\/payment_links\/(plink_\w+)$/, showLink],
  ["POST", /^\/v1\/payment_links\/(plink_\w+)\/cancel$/, cancelLink],
  ["GET", /^\/v1\/orders\/(order_\w+)\/payments$/, listTries],
  ["GET", /^\/v1\/payments$/, async () => Response.json({ entity: "collection", count: 0, items: [] })],
  ["GET", /^\/v1\/payments\/(pay_\w+)$/, showPayment],
  ["POST", /^\/v1\/payments\/(pay_\w+)\/refund$/, createRefund],
  ["GET", /^\/v1\/payments\/(pay_\w+)\/refunds$/, listRefunds],
  ["GET", /^\/v1\/refunds\/(rfnd_\w+)$/, showRefund],
  ["GET", /^\/v1\/settlements\/recon\/combined$/, listSettlements],
];

async function answerApi(world: SimulatorWorld, request: Request): Promise<Response> {
  const pathname = pathIn(world, request);
  try {
    const account = await accountOf(world, request);
    for (const [method, path, answer] of routes) {
      const match = request.method === method ? path.exec(pathname) : null;
      if (match === null) continue;
      const text = await request.text();
      return await answer({ world, account, request, text, body: bodyOf(text) }, match[1] ?? "");
    }
    throw new Refused(400, "The requested URL was not found on the server.");
  } catch (error) {
    if (error instanceof Refused) return errorAnswer(error);
    throw error;
  }
}

async function accountOf(world: SimulatorWorld, request: Request): Promise<Account> {
  const [id, secret] = Buffer.from((request.headers.get("authorization") ?? "").replace(/^Basic /, ""), "base64")
    .toString()
    .split(":");
  const account = (await world.documents.list<Account>("account")).find((one) => one.keyId === id && one.keySecret === secret);
  if (account === undefined) throw new Refused(401, "Authentication failed");
  return account;
}

function bodyOf(text: string): Record<string, unknown> {
  try {
    return text === "" ? {} : JSON.parse(text);
  } catch {
    throw new Refused(400, "The request body is not valid JSON.");
  }
}

function errorAnswer({ status, message }: Refused): Response {
  const code = status === 500 ? "SERVER_ERROR" : "BAD_REQUEST_ERROR";
  return Response.json({ error: { code, description: message, source: "NA", step: "NA", reason: "NA", metadata: {} } }, { status });
}
