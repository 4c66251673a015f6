import { type SimulatorWorld, simulatorPage } from "#gateways/index.ts";
import { defineWords } from "#platform/index.ts";
import { possibleOutcomes, readOutcome, simulate } from "./actions.ts";
import { findAccount, type Order } from "./shapes.ts";

/** The page on which the buyer approves an order, as PayPal's own does at this address. */
export async function answerPage(world: SimulatorWorld, request: Request): Promise<Response> {
  const order = await world.documents.get<Order>("order", new URL(request.url).searchParams.get("token") ?? "");
  if (order === null) return new Response("Things don't appear to be working at the moment.", { status: 404 });
  if (request.method === "POST") return choose(world, order, request);
  const page = simulatorPage(request, {
    provider: defineWords({ en: "PayPal", zh: "PayPal" }),
    title: order.description,
    amount: `${order.amount.value} ${order.amount.currency_code}`,
    state: [order.status, order.capture?.status].filter((word) => word !== undefined).join(", "),
    outcomes: possibleOutcomes(order),
    back: backTo(order.returnUrl, order),
  });
  return new Response(page, { headers: { "content-type": "text/html; charset=utf-8" } });
}

async function choose(world: SimulatorWorld, order: Order, request: Request): Promise<Response> {
  const outcome = new URLSearchParams(await request.text()).get("outcome") ?? "";
  try {
    await simulate(world, order, readOutcome(outcome));
  } catch (error) {
    return new Response(String(error), { status: 409 });
  }
  const stays = outcome === "declined" || outcome.startsWith("dispute");
  const { merchantId } = await findAccount(world, order.account);
  const location = stays
    ? request.url
    : outcome === "canceled"
      ? backTo(order.cancelUrl, order)
      : `${backTo(order.returnUrl, order)}&PayerID=${merchantId}`;
  return new Response(null, { status: 303, headers: { location } });
}

function backTo(address: string, order: Order): string {
  const url = new URL(address);
  url.searchParams.append("token", order.id);
  return url.href;
}
