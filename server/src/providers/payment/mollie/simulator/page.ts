import { type SimulatedOutcome, type SimulatorWorld, simulatorPage } from "#gateways/index.ts";
import { defineWords } from "#platform/index.ts";
import { possibleOutcomes, simulateOn } from "./actions.ts";
import { chargebacksOf, type Payment } from "./documents.ts";
import { upToDate } from "./payments.ts";

/** Mollie's page of a payment: shows it, or applies the chosen outcome and redirects the buyer. */
export async function answerPage(world: SimulatorWorld, request: Request, token: string): Promise<Response> {
  const stored = await world.documents.get<Payment>("payment", `tr_${token}`);
  if (stored === null) return new Response("This payment does not exist.", { status: 404 });
  const payment = await upToDate(world, stored);
  const outcomes = possibleOutcomes(payment, await chargebacksOf(world, payment.id));
  if (request.method !== "POST") return showPage(request, payment, outcomes);
  const chosen = new URLSearchParams(await request.text()).get("outcome");
  const outcome = outcomes.find((one) => one === chosen);
  if (outcome === undefined) return new Response("This cannot happen now.", { status: 409 });
  await simulateOn(world, payment, outcome);
  const location =
    payment.status !== "open" ? request.url : outcome === "canceled" ? (payment.cancelUrl ?? payment.redirectUrl) : payment.redirectUrl;
  return new Response(null, { status: 303, headers: { location } });
}

function showPage(request: Request, payment: Payment, outcomes: SimulatedOutcome[]): Response {
  const page = simulatorPage(request, {
    provider: defineWords({ en: "Mollie", zh: "Mollie" }),
    title: payment.description,
    amount: `${payment.amount.value} ${payment.amount.currency}`,
    state: payment.status,
    outcomes,
    back: payment.status === "open" ? (payment.cancelUrl ?? payment.redirectUrl) : payment.redirectUrl,
  });
  return new Response(page, { headers: { "content-type": "text/html; charset=utf-8" } });
}
