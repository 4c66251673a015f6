import { type SimulatedOutcome, type SimulatorWorld, simulatorPage } from "#gateways/index.ts";
import { letHappen, outcomes, outcomesOf } from "./outcomes.ts";
import { findTransaction, type Ticket } from "./transactions.ts";

/** The page behind a code or a link: what WeChat's cashier is to a buyer. Null for addresses that are none of it. */
export async function openCashier(world: SimulatorWorld, request: Request, path: string): Promise<Response | null> {
  if (path !== "/bizpayurl" && path !== "/checkmweb") return null;
  const { searchParams } = new URL(request.url);
  const ticket = await world.documents.get<Ticket>("ticket", searchParams.get(path === "/bizpayurl" ? "pr" : "prepay_id") ?? "");
  const transaction = ticket === null ? null : await findTransaction(world, ticket.mchid, ticket.no);
  if (ticket === null || transaction === null) return html(404, "<p>Not found.</p>");
  const isOpen = world.now().getTime() < ticket.untilMs;
  if (request.method === "POST") {
    const outcome = new URLSearchParams(await request.text()).get("outcome");
    if (!isOpen || !isOutcome(outcome)) return html(400, "<p>This cannot happen to the payment.</p>");
    await letHappen(world, { reference: transaction.no, outcome });
    return new Response(null, { status: 303, headers: { location: request.url } });
  }
  const back = searchParams.get("redirect_url");
  const yuan = `${Math.floor(transaction.total / 100)}.${String(transaction.total % 100).padStart(2, "0")}`;
  const page = simulatorPage(request, {
    provider: "WeChat Pay",
    title: transaction.description,
    amount: `${yuan} CNY`,
    state: isOpen ? transaction.state : "the code is no longer valid",
    outcomes: isOpen ? outcomesOf(transaction) : [],
    back: back !== null && /^https?:\/\//.test(back) ? back : null,
  });
  return html(200, page);
}

function isOutcome(value: string | null): value is SimulatedOutcome {
  return outcomes.some((outcome) => outcome === value);
}

function html(status: number, body: string): Response {
  return new Response(body, { status, headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" } });
}
