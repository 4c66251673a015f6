import {
  connectionError,
  garbageAnswer,
  type ProviderSimulator,
  pathIn,
  putFault,
  type SimulatorWorld,
  simulatorPage,
  takeFault,
} from "#gateways/index.ts";
import { defineWords } from "#platform/index.ts";
import { answerApi } from "./simulator/api.ts";
import { happen, type Outcome, outcomes } from "./simulator/happen.ts";
import {
  findInvoice,
  listInvoices,
  openStore,
  type SimulatedInvoice,
  type SimulatedPullPayment,
  saveStore,
  secondsNow,
  writeAmount,
} from "./simulator/store.ts";
import { newestCallback } from "./simulator/webhooks.ts";

/** A merchant's BTCPay Server, based on the documents of its Greenfield API and its source. */
export const btcpaySimulator: ProviderSimulator = {
  slug: "btcpay",
  outcomes,
  pages: /^\/(i|pull-payments)\//,
  async openAccount(world, account) {
    const store = await openStore(world, account);
    return { base_url: world.origin, store_id: store.storeId, api_key: store.apiKey, webhook_secret: store.webhookSecret };
  },
  async enterCallbackUrl(world, { account, url }) {
    await saveStore(world, { ...(await openStore(world, account)), webhookUrl: url });
  },
  async handle(world, request) {
    const pathname = pathIn(world, request);
    if (pathname.startsWith("/api/v1/")) return answerOrBreak(world, request);
    const [, kind, id] = /^\/(i|pull-payments)\/([A-Za-z0-9]{1,40})$/.exec(pathname) ?? [];
    if (kind === "pull-payments") return claimPage(world, request, id ?? "");
    const invoice = await findInvoice(world, id ?? "");
    if (invoice === null) return new Response("Not found", { status: 404 });
    return request.method === "POST" ? chooseOutcome(world, request, invoice) : checkoutPage(request, invoice);
  },
  async simulate(world, { reference, outcome }) {
    const known = outcomes.find((one) => one === outcome);
    if (known === undefined) throw new Error(`BTCPay Server knows no outcome ${outcome}`);
    await happen(world, await invoiceOf(world, reference), known);
  },
  async simulateRefund(world, { refundReference, outcome }) {
    const found = (await world.documents.list<SimulatedPullPayment>("pullPayment")).find(({ name }) => name === refundReference);
    if (found === undefined) throw new Error(`BTCPay Server knows no pull payment ${refundReference}`);
    await (outcome === "succeeded" ? claim(world, found) : world.documents.put("pullPayment", found.id, { ...found, isArchived: true }));
  },
  breakNext: putFault,
  callbackOf: async (world, reference) => newestCallback(world, await invoiceOf(world, reference)),
};

async function invoiceOf(world: SimulatorWorld, reference: string): Promise<SimulatedInvoice> {
  const found = (await listInvoices(world)).find(({ metadata }) => metadata["orderId"] === reference);
  if (found === undefined) throw new Error(`BTCPay Server knows no invoice of ${reference}`);
  return found;
}

async function answerOrBreak(world: SimulatorWorld, request: Request): Promise<Response> {
  const fault = await takeFault(world, request);
  if (fault === "refused") throw connectionError("refused");
  if (fault === "server_error")
    return new Response("<html>502 Bad Gateway</html>", { status: 502, headers: { "content-type": "text/html" } });
  if (fault === "rate_limited")
    return Response.json({ code: "too-many-requests", message: "Too many requests" }, { status: 429, headers: { "retry-after": "7" } });
  const answer = await answerApi(world, request);
  if (fault === "lost_answer") throw connectionError("lost_answer");
  return fault === "garbage" ? garbageAnswer() : answer;
}

async function chooseOutcome(world: SimulatorWorld, request: Request, invoice: SimulatedInvoice): Promise<Response> {
  const chosen = new URLSearchParams(await request.text()).get("outcome");
  const outcome = outcomes.find((one) => one === chosen);
  if (outcome === undefined) return new Response("No such outcome", { status: 400 });
  try {
    await happen(world, invoice, outcome);
  } catch (error) {
    return new Response(error instanceof Error ? error.message : "", { status: 409 });
  }
  return new Response(null, { status: 303, headers: { location: request.url } });
}

const after: Readonly<Record<SimulatedInvoice["status"], readonly Outcome[]>> = {
  New: outcomes,
  Processing: ["paid", "declined"],
  Settled: [],
  Expired: ["late"],
  Invalid: ["late"],
};

function checkoutPage(request: Request, invoice: SimulatedInvoice): Response {
  const { metadata, price, currency, status, exception } = invoice;
  const page = simulatorPage(request, {
    provider: defineWords({ en: "BTCPay Server", zh: "BTCPay Server" }),
    title: String(metadata["itemDesc"] ?? invoice.id),
    amount: `${writeAmount(price, currency)} ${currency}`,
    state: exception === "None" ? status : `${status} (${exception})`,
    outcomes: after[status],
    back: invoice.redirectUrl,
  });
  return new Response(page, { headers: { "content-type": "text/html; charset=utf-8" } });
}

async function claim(world: SimulatorWorld, pullPayment: SimulatedPullPayment): Promise<void> {
  if (pullPayment.isArchived || pullPayment.payouts.length > 0) return;
  const payout = { id: world.token(27), amount: pullPayment.amount, state: "Completed" as const, at: secondsNow(world) };
  await world.documents.put("pullPayment", pullPayment.id, { ...pullPayment, payouts: [payout] });
}

async function claimPage(world: SimulatorWorld, request: Request, id: string): Promise<Response> {
  const found = await world.documents.get<SimulatedPullPayment>("pullPayment", id);
  if (found === null) return new Response("Not found", { status: 404 });
  if (request.method === "POST") {
    await claim(world, found);
    return new Response(null, { status: 303, headers: { location: request.url } });
  }
  const isClaimed = found.payouts.length > 0;
  const page = simulatorPage(request, {
    provider: defineWords({ en: "BTCPay Server", zh: "BTCPay Server" }),
    title: `Refund ${found.name}`,
    amount: `${writeAmount(found.amount, found.currency)} ${found.currency}`,
    state: found.isArchived ? "Archived" : isClaimed ? "Paid out" : "To be claimed",
    outcomes: found.isArchived || isClaimed ? [] : ["paid"],
    back: null,
  });
  return new Response(page, { headers: { "content-type": "text/html; charset=utf-8" } });
}
