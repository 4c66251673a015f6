import { type GatewayCall, GatewayError, malformedAnswer, type PaymentKey } from "#gateways/index.ts";
import { callStripe } from "./client.ts";
import type { StripeCredentials } from "./credentials.ts";
import { readList, readObjectOf, textOf } from "./wire.ts";

const pageSize = 100;
const maxPages = 20;
/** A session lives for at most 24 hours, plus one hour for clock differences. */
const listedSeconds = 25 * 3_600;

/** Returns the id of a payment's session; `not_found` if Stripe has none that could be paid. */
export async function findSessionId(
  call: GatewayCall,
  credentials: StripeCredentials,
  { reference, providerId }: PaymentKey,
): Promise<string> {
  if (providerId !== null) return providerId;
  const session = await findByReference(call, credentials, reference);
  if (session === null)
    throw new GatewayError("not_found", { code: "resource_missing", message: "Stripe has no Checkout Session with this reference." });
  return session;
}

/**
 * Looks for a session whose id never reached us. Stripe has no search for sessions, so their list is read, newest first, as far back as one
 * can still be open. An older one can be ignored: its address was never given out, so it can't have been paid.
 */
async function findByReference(call: GatewayCall, { secretKey }: StripeCredentials, reference: string): Promise<string | null> {
  const created = { gte: Math.floor(call.now().getTime() / 1_000) - listedSeconds };
  let after: string | null = null;
  for (let page = 0; page < maxPages; page += 1) {
    const from: { starting_after?: string } = after === null ? {} : { starting_after: after };
    const answer = await callStripe(call, secretKey, {
      changes: false,
      ask: (stripe) => stripe.checkout.sessions.list({ limit: pageSize, created, ...from }),
    });
    const list = readList(answer, "checkout.session");
    if (list === null) throw malformedAnswer(false);
    const found = list.data.find((session) => session["client_reference_id"] === reference);
    if (found !== undefined) return textOf(found["id"]);
    after = list.after;
    if (after === null) return null;
  }
  throw new GatewayError("unavailable", {
    code: "too_many_sessions",
    message: "There are too many Checkout Sessions to search for this one.",
  });
}

/** Reads a session with everything known about its money: intent, charge and Stripe's fee. */
export async function readSession(call: GatewayCall, { secretKey }: StripeCredentials, id: string): Promise<Record<string, unknown>> {
  const answer = await callStripe(call, secretKey, {
    changes: false,
    ask: (stripe) => stripe.checkout.sessions.retrieve(id, { expand: ["payment_intent.latest_charge.balance_transaction"] }),
  });
  const session = readObjectOf(answer, "checkout.session");
  if (session === null) throw malformedAnswer(false);
  return session;
}
