import {
  connectionError,
  garbageAnswer,
  type ProviderSimulator,
  pathIn,
  putFault,
  type SimulatedOutcome,
  type SimulatorWorld,
  simulatorPage,
  takeFault,
} from "#gateways/index.ts";
import { defineWords } from "#platform/index.ts";
import { openApp } from "./simulator/accounts.ts";
import { answerGateway } from "./simulator/gateway.ts";
import { closeTrade } from "./simulator/methods.ts";
import { newestNotice, noteChange, sendNewest } from "./simulator/notices.ts";
import { findTrade, openTrade, saveTrade, type Trade, yuan } from "./simulator/trades.ts";

const outcomes = [
  "paid",
  "declined",
  "canceled",
  "expired",
  "late",
  "silent",
  "duplicate",
  "out_of_order",
] as const satisfies readonly SimulatedOutcome[];

/** Alipay's side, based on its documents of the gateway's version 2. */
export const alipayMerchantSimulator: ProviderSimulator = {
  slug: "alipay_merchant",
  outcomes,
  // A buyer's browser submits the signed order to the gateway itself.
  pages: /^\/(gateway\.do$|pay\/)/,
  async openAccount(world, account) {
    const app = await openApp(world, account);
    return { app_id: app.appId, seller_id: app.sellerId, private_key: app.appPrivateKey, alipay_public_key: app.alipayPublicKey };
  },
  async handle(world, request) {
    const pathname = pathIn(world, request);
    if (pathname === "/gateway.do") return answerOrBreak(world, request);
    const token = /^\/pay\/(\w{1,40})$/.exec(pathname)?.[1];
    const number = token === undefined ? null : await world.documents.get<string>("token", token);
    if (number === null) return new Response("Not found", { status: 404 });
    if (request.method === "POST") return chooseOutcome(world, request, number);
    return showPage(world, request, await tradeOf(world, number));
  },
  async simulate(world, { reference, outcome }) {
    const trade = await tradeOf(world, reference);
    const known = outcomes.find((one) => one === outcome);
    if (known === undefined) throw new Error(`Alipay knows no outcome ${outcome}`);
    await carryOut(world, trade, known);
  },
  async simulateRefund(world, { refundReference, outcome }) {
    const trades = await world.documents.list<Trade>("trade");
    const isKnown = trades.some(({ refunds }) => refunds.some(({ requestNo }) => requestNo === refundReference));
    if (!isKnown) throw new Error(`Alipay knows no refund ${refundReference}`);
    if (outcome !== "succeeded") throw new Error("Alipay decides a refund when it is asked for, for good");
  },
  breakNext: putFault,
  async callbackOf(world, reference) {
    const trade = await tradeOf(world, reference);
    return newestNotice(world, trade.notices.length === 0 ? await noteChange(world, trade) : trade);
  },
};

async function tradeOf(world: SimulatorWorld, number: string): Promise<Trade> {
  const trade = await findTrade(world, number);
  if (trade === null) throw new Error(`Alipay knows no payment ${number}`);
  return trade;
}

async function answerOrBreak(world: SimulatorWorld, request: Request): Promise<Response> {
  const fault = await takeFault(world, request);
  if (fault === "refused") throw connectionError("refused");
  const answer = await answerGateway(world, request, fault);
  if (fault === "lost_answer") throw connectionError("lost_answer");
  return fault === "garbage" ? garbageAnswer() : answer;
}

type Outcome = (typeof outcomes)[number];

async function carryOut(world: SimulatorWorld, found: Trade, outcome: Outcome): Promise<void> {
  const trade = await openTrade(world, found);
  const wasClosed = trade.status === "TRADE_CLOSED" && trade.paidAt === null;
  if (trade.status !== "WAIT_BUYER_PAY" && !(outcome === "late" && wasClosed)) throw new Error("this payment is no longer open");
  if (outcome === "declined" || outcome === "canceled") return;
  if (outcome === "expired") return closeTrade(world, trade);
  const at = world.now().getTime();
  const endsAt = outcome === "late" ? Math.min(trade.endsAt, at) : trade.endsAt;
  const paid = await saveTrade(world, { ...trade, status: "TRADE_SUCCESS", paidAt: at, closedAt: null, endsAt });
  if (outcome === "silent") return;
  const noted = await noteChange(world, paid);
  for (let sent = 0; sent < (outcome === "duplicate" ? 3 : 1); sent += 1) await sendNewest(world, noted);
  if (outcome === "out_of_order") await sendNewest(world, await noteChange(world, noted, { status: "WAIT_BUYER_PAY" }));
}

async function chooseOutcome(world: SimulatorWorld, request: Request, number: string): Promise<Response> {
  const chosen = new URLSearchParams(await request.text()).get("outcome");
  const outcome = outcomes.find((one) => one === chosen);
  if (outcome === undefined) return new Response("No such outcome", { status: 400 });
  try {
    await carryOut(world, await tradeOf(world, number), outcome);
  } catch (error) {
    return new Response(error instanceof Error ? error.message : "", { status: 409 });
  }
  return new Response(null, { status: 303, headers: { location: request.url } });
}

async function showPage(world: SimulatorWorld, request: Request, found: Trade): Promise<Response> {
  const isOver = found.status === "UNOPENED" && (found.isDead || world.now().getTime() >= found.endsAt);
  const trade = isOver ? found : await openTrade(world, found);
  const page = simulatorPage(request, {
    provider: defineWords({ en: "Alipay", zh: "支付宝" }),
    title: trade.subject,
    amount: `${yuan(trade.fen)} CNY`,
    state: isOver ? null : trade.status,
    outcomes: trade.status === "WAIT_BUYER_PAY" ? outcomes : trade.status === "TRADE_CLOSED" && trade.paidAt === null ? ["late"] : [],
    back: trade.returnUrl,
  });
  return new Response(page, { status: 200, headers: { "content-type": "text/html; charset=utf-8" } });
}
