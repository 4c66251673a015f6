import { randomUUID } from "node:crypto";
import {
  connectionError,
  garbageAnswer,
  type ProviderSimulator,
  pathIn,
  putFault,
  type SimulatorWorld,
  takeFault,
} from "#gateways/index.ts";
import { accountOf, grantToken, openAccount } from "./simulator/accounts.ts";
import { outcomes, readOutcome, simulate } from "./simulator/actions.ts";
import { findSigner } from "./simulator/certificates.ts";
import { newestCallback } from "./simulator/events.ts";
import { type Api, captureOrder, createOrder, findOrder, record, showOrder } from "./simulator/orders.ts";
import { answerPage } from "./simulator/page.ts";
import { createRefund, decideRefund, showCapture, showRefund } from "./simulator/refunds.ts";
import { searchTransactions } from "./simulator/reports.ts";
import { findAccount, type Order, Refused } from "./simulator/shapes.ts";
import { disputeView } from "./simulator/views.ts";

/**
 * PayPal's side: OAuth, Orders v2, Payments v2, disputes, transaction search and webhooks, based on its OpenAPI documents and its pages
 * about webhooks.
 */
export const paypalSimulator: ProviderSimulator = {
  slug: "paypal",
  outcomes,
  pages: /^\/checkoutnow$/,
  async openAccount(world, name) {
    const { clientId, secret, webhookId, merchantId } = await openAccount(world, name);
    return { client_id: clientId, client_secret: secret, webhook_id: webhookId, merchant_id: merchantId };
  },
  async enterCallbackUrl(world, { account, url }) {
    await world.documents.put("account", account, { ...(await openAccount(world, account)), callbackUrl: url });
  },
  roots: async (world) => [(await findSigner(world)).authority],
  async handle(world, request) {
    const pathname = pathIn(world, request);
    if (pathname === "/checkoutnow") return answerPage(world, request);
    if (pathname.startsWith("/v1/notifications/certs/")) return showCertificate(world, pathname);
    const fault = await takeFault(world, request);
    if (fault === "refused") throw connectionError("refused");
    if (fault === "server_error") return errorAnswer(new Refused(500, "INTERNAL_SERVICE_ERROR"));
    if (fault === "rate_limited") return errorAnswer(new Refused(429, "RATE_LIMIT_REACHED"));
    const answer = await answerApi(world, request);
    if (fault === "lost_answer") throw connectionError("lost_answer");
    return fault === "garbage" ? garbageAnswer() : answer;
  },
  async simulate(world, { reference, outcome }) {
    await simulate(world, await orderOf(world, reference), readOutcome(outcome));
  },
  simulateRefund: (world, { refundReference, outcome }) =>
    decideRefund(world, refundReference, outcome === "succeeded" ? "COMPLETED" : "FAILED"),
  async breakNext(world, fault) {
    if (fault === "bad_signature") throw new Error("PayPal signs no answers");
    await putFault(world, fault);
  },
  callbackOf: async (world, reference) => newestCallback(world, await orderOf(world, reference)),
};

async function orderOf(world: SimulatorWorld, reference: string): Promise<Order> {
  const known = await world.documents.get<{ order: string }>("reference", reference);
  const order = known === null ? null : await world.documents.get<Order>("order", known.order);
  if (order === null) throw new Error(`PayPal has no order for ${reference}`);
  return order;
}

const routes: readonly [method: string, path: RegExp, answer: (api: Api, id: string) => Promise<Response>][] = [
  ["POST", /^\/v2\/checkout\/orders$/, createOrder],
  ["GET", /^\/v2\/checkout\/orders\/([A-Z0-9]+)$/, showOrder],
  ["POST", /^\/v2\/checkout\/orders\/([A-Z0-9]+)\/capture$/, captureOrder],
  ["GET", /^\/v2\/payments\/captures\/([A-Z0-9]+)$/, showCapture],
  ["POST", /^\/v2\/payments\/captures\/([A-Z0-9]+)\/refund$/, createRefund],
  ["GET", /^\/v2\/payments\/refunds\/([A-Z0-9]+)$/, showRefund],
  ["GET", /^\/v1\/reporting\/transactions$/, searchTransactions],
  ["GET", /^\/v1\/customer\/disputes\/([A-Z0-9-]+)$/, showDispute],
];

async function answerApi(world: SimulatorWorld, request: Request): Promise<Response> {
  const pathname = pathIn(world, request);
  try {
    if (pathname === "/v1/oauth2/token") return await grantToken(world, request);
    const account = await accountOf(world, request);
    for (const [method, path, answer] of routes) {
      const match = request.method === method ? path.exec(pathname) : null;
      if (match !== null) return await answer({ world, account, request, body: await bodyOf(request) }, match[1] ?? "");
    }
    throw new Refused(404, "INVALID_RESOURCE_ID");
  } catch (error) {
    if (error instanceof Refused) return errorAnswer(error);
    throw error;
  }
}

async function bodyOf(request: Request): Promise<Record<string, unknown>> {
  if (request.method === "GET") return {};
  if (!(request.headers.get("content-type") ?? "").startsWith("application/json")) throw new Refused(415, "UNSUPPORTED_MEDIA_TYPE");
  try {
    return record(JSON.parse(await request.text()));
  } catch {
    throw new Refused(400, "MALFORMED_REQUEST_JSON");
  }
}

async function showDispute({ world, account }: Api, id: string): Promise<Response> {
  const known = await world.documents.get<{ order: string }>("dispute", id);
  const order = known === null ? null : await findOrder(world, account, known.order);
  if (order === null || order.dispute === null) throw new Refused(404, "INVALID_RESOURCE_ID");
  return Response.json(disputeView(order, order.dispute, await findAccount(world, order.account)));
}

async function showCertificate(world: SimulatorWorld, pathname: string): Promise<Response> {
  const certificate = await world.documents.get<string>("certificate", pathname.split("/").at(-1) ?? "");
  if (certificate === null) return new Response("", { status: 404 });
  return new Response(certificate, { headers: { "content-type": "application/x-pem-file", "cache-control": "public,max-age=86400" } });
}

const names: Readonly<Record<number, string>> = {
  400: "INVALID_REQUEST",
  401: "AUTHENTICATION_FAILURE",
  404: "RESOURCE_NOT_FOUND",
  415: "UNSUPPORTED_MEDIA_TYPE",
  422: "UNPROCESSABLE_ENTITY",
  429: "RATE_LIMIT_REACHED",
  500: "INTERNAL_SERVER_ERROR",
};

function errorAnswer({ status, issue }: Refused): Response {
  const debugId = randomUUID().slice(0, 13);
  const details = [400, 404, 422].includes(status) ? [{ issue, description: `${issue}, says the simulator.` }] : [];
  const body = { name: names[status], message: "The requested action could not be performed.", debug_id: debugId, details, links: [] };
  return Response.json(body, { status, headers: { "paypal-debug-id": debugId } });
}
