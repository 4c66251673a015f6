import { type SimulatedOutcome, type SimulatorWorld, simulatorPage } from "#gateways/index.ts";
import { defineWords } from "#platform/index.ts";
import { bridgeScript, ticketOf } from "./bridge.ts";
import { isVisitor } from "./oauth.ts";
import { letHappen, outcomes, outcomesOf } from "./outcomes.ts";
import { findTransaction, type Ticket, type Transaction } from "./transactions.ts";

/** What a payment is opened with, and its state. */
interface Opened {
  ticket: Ticket;
  transaction: Transaction;
}

/** The page behind a code, a link or a prepared payment: what a buyer sees as WeChat's cashier. null for other addresses. */
export async function openCashier(world: SimulatorWorld, request: Request, path: string): Promise<Response | null> {
  const { searchParams } = new URL(request.url);
  switch (path) {
    case "/bizpayurl":
      return showCashier(world, request, await openedBy(world, searchParams.get("pr")));
    case "/checkmweb":
      return refusalOfBrowser(request) ?? showCashier(world, request, await openedBy(world, searchParams.get("prepay_id")));
    case "/jsapi":
      return openFromPage(world, request, searchParams);
    case "/jsapi/closed":
      return closing("cancel");
    case "/jsbridge.js":
      return new Response(bridgeScript(world), {
        headers: { "content-type": "text/javascript; charset=utf-8", "cache-control": "no-store" },
      });
    default:
      return null;
  }
}

async function openedBy(world: SimulatorWorld, name: string | null): Promise<Opened | null> {
  const ticket = await world.documents.get<Ticket>("ticket", name ?? "");
  const transaction = ticket === null ? null : await findTransaction(world, ticket.mchid, ticket.no);
  return ticket === null || transaction === null ? null : { ticket, transaction };
}

/**
 * H5 payments are for browsers other than WeChat's, and start on a page with a registered domain: without a Referer WeChat doesn't know the
 * domain.
 */
function refusalOfBrowser(request: Request): Response | null {
  if (request.method === "POST") return null;
  if (/MicroMessenger/.test(request.headers.get("user-agent") ?? "")) return html(200, "<p>请在微信外打开订单，进行支付</p>");
  return request.headers.has("referer") ? null : html(200, "<p>商家参数格式有误，请联系商家解决</p>");
}

async function showCashier(world: SimulatorWorld, request: Request, opened: Opened | null): Promise<Response> {
  if (opened === null) return html(404, "<p>Not found.</p>");
  const { ticket, transaction } = opened;
  const isOpen = world.now().getTime() < ticket.untilMs;
  if (request.method === "POST") {
    const outcome = new URLSearchParams(await request.text()).get("outcome");
    if (!isOpen || !isOutcome(outcome)) return html(400, "<p>This cannot happen to the payment.</p>");
    await letHappen(world, { reference: transaction.no, outcome });
    return new Response(null, { status: 303, headers: { location: request.url } });
  }
  const back = new URL(request.url).searchParams.get("redirect_url");
  return html(200, pageOf(request, { ticket, transaction }, { isOpen, back: back !== null && /^https?:\/\//.test(back) ? back : null }));
}

function pageOf(request: Request, { transaction }: Opened, { isOpen, back }: { isOpen: boolean; back: string | null }): string {
  const yuan = `${Math.floor(transaction.total / 100)}.${String(transaction.total % 100).padStart(2, "0")}`;
  return simulatorPage(request, {
    provider: defineWords({ en: "WeChat Pay", zh: "微信支付" }),
    title: transaction.description,
    amount: `${yuan} CNY`,
    state: isOpen ? transaction.state : null,
    outcomes: isOpen ? outcomesOf(transaction) : [],
    back,
  });
}

/**
 * The cashier over a page in WeChat's browser. Only the person named in the payment can pay it; the page receives the result, but no proof
 * of it.
 */
async function openFromPage(world: SimulatorWorld, request: Request, query: URLSearchParams): Promise<Response> {
  const signed = await ticketOf(world, query);
  const opened = signed === null ? null : await openedBy(world, signed.name);
  if (opened === null || !(await isVisitor(world, request, opened.transaction))) return closing("fail");
  const isOpen = world.now().getTime() < opened.ticket.untilMs && outcomesOf(opened.transaction).length > 0;
  if (!isOpen) return closing("fail");
  if (request.method !== "POST") return html(200, pageOf(request, opened, { isOpen, back: `${world.origin}/jsapi/closed` }));
  const outcome = new URLSearchParams(await request.text()).get("outcome");
  if (!isOutcome(outcome)) return html(400, "<p>This cannot happen to the payment.</p>");
  await letHappen(world, { reference: opened.transaction.no, outcome });
  const state = (await findTransaction(world, opened.transaction.mchid, opened.transaction.no))?.state;
  return closing(state === "SUCCESS" ? "ok" : state === "PAYERROR" ? "fail" : "cancel");
}

function isOutcome(value: string | null): value is SimulatedOutcome {
  return outcomes.some((outcome) => outcome === value);
}

/** Sends the result to the page below. */
function closing(result: "ok" | "cancel" | "fail"): Response {
  return html(200, `<!doctype html><title>${result}</title><script>parent.postMessage("${result}", "*")</script>`);
}

function html(status: number, body: string): Response {
  return new Response(body, { status, headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" } });
}
