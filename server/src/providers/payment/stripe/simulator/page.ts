import { type SimulatedOutcome, type SimulatorWorld, simulatorPage } from "#gateways/index.ts";
import { defineWords } from "#platform/index.ts";
import { moneyOf, possibleOutcomes, simulateOn } from "./actions.ts";
import type { Session } from "./documents.ts";
import { listOf } from "./documents.ts";
import { findByReference, findSession } from "./sessions.ts";

/** Stripe's zero-decimal currencies, and those whose amounts have three decimals. */
const zeroDecimals = "bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf".split(" ");
const threeDecimals = "bhd jod kwd omr tnd".split(" ");

/** The hosted page of a session: shows it, or applies the chosen outcome and redirects the buyer. */
export async function answerPage(world: SimulatorWorld, request: Request, id: string): Promise<Response> {
  const owner = (await listOf(world, "checkout.session", null)).find((session) => session.id === id)?.owner;
  if (owner === undefined) return new Response("Something went wrong: this page could not be found.", { status: 404 });
  const session = await findSession(world, owner, id);
  if (request.method !== "POST") return showPage(world, request, session);
  const chosen = new URLSearchParams(await request.text()).get("outcome");
  const { charge, dispute } = await moneyOf(world, session);
  const outcome = possibleOutcomes(session, charge, dispute).find((one) => one === chosen);
  if (outcome === undefined) return new Response("This cannot happen now.", { status: 409 });
  await simulateOn(world, session, outcome);
  return new Response(null, { status: 303, headers: { location: nextPage(world, session, outcome) } });
}

function nextPage(world: SimulatorWorld, session: Session, outcome: SimulatedOutcome): string {
  if (outcome === "canceled") return session.cancel_url ?? session.success_url;
  const isDone = session.status === "open" && outcome !== "declined" && outcome !== "expired";
  return isDone ? session.success_url.replaceAll("{CHECKOUT_SESSION_ID}", session.id) : `${world.origin}/c/pay/${session.id}`;
}

async function showPage(world: SimulatorWorld, request: Request, session: Session): Promise<Response> {
  const { intent, charge, dispute } = await moneyOf(world, session);
  const declined = intent?.last_payment_error?.message;
  const state = [
    `${session.status}, ${session.payment_status}`,
    dispute && `dispute ${dispute.status}`,
    session.status === "open" && declined,
  ];
  const page = simulatorPage(request, {
    provider: defineWords({ en: "Stripe", zh: "Stripe" }),
    title: session.hidden.title,
    amount: amountText(session),
    state: state.filter(Boolean).join(" · "),
    outcomes: possibleOutcomes(session, charge, dispute),
    back: session.status === "complete" ? session.success_url : session.cancel_url,
  });
  return new Response(page, { headers: { "content-type": "text/html; charset=utf-8" } });
}

function amountText({ amount_total, currency }: Session): string {
  const decimals = zeroDecimals.includes(currency) ? 0 : threeDecimals.includes(currency) ? 3 : 2;
  return `${(amount_total / 10 ** decimals).toFixed(decimals)} ${currency.toUpperCase()}`;
}

/** Applies an outcome to the session with our reference, as scripts do. */
export async function simulateReference(world: SimulatorWorld, reference: string, outcome: SimulatedOutcome): Promise<void> {
  await simulateOn(world, await findByReference(world, reference), outcome);
}
