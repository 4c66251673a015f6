import { createHmac } from "node:crypto";
import type { SimulatedCallback, SimulatorWorld } from "#gateways/index.ts";
import { type Account, findAccount, keep, newThing, type StripeEvent, secondsOf, shown, type Thing } from "./documents.ts";

/** A sandbox retries three times over a few hours. */
const retrySeconds = [3_600, 7_200, 10_800];

export interface Happening {
  type: string;
  thing: Thing;
  /** Our reference of the payment. */
  reference: string | null;
}

/** Stores an event without sending it. */
export async function record(world: SimulatorWorld, { type, thing, reference }: Happening): Promise<StripeEvent> {
  const event: StripeEvent = {
    ...newThing(world, thing.owner, { object: "event", prefix: "evt" }),
    type,
    api_version: "2026-10-28.endive",
    data: { object: shown(thing) },
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    reference,
  };
  return keep(world, event);
}

/** Stores an event and sends it to the account's endpoint, if it has one. */
export async function emit(world: SimulatorWorld, happening: Happening): Promise<StripeEvent> {
  const event = await record(world, happening);
  await send(world, event);
  return event;
}

export async function send(world: SimulatorWorld, event: StripeEvent): Promise<void> {
  const account = await findAccount(world, ({ id }) => id === event.owner);
  if (account?.url != null) await world.send(callbackFor(world, account, event));
}

/** An event as Stripe posts it. Each delivery is signed separately, with its own time. */
export function callbackFor(world: SimulatorWorld, account: Account, event: StripeEvent): SimulatedCallback {
  const body = JSON.stringify(shown(event), null, 2);
  return {
    // Without an endpoint there is no address; the bytes are the same.
    url: account.url ?? "https://webhook.invalid/",
    headers: headersFor(world, account, body),
    body,
    accepts: ({ status }) => status >= 200 && status < 300,
    again: async () => ({ body, headers: headersFor(world, account, body) }),
    retrySeconds,
  };
}

function headersFor(world: SimulatorWorld, { webhookSecret }: Account, body: string): Record<string, string> {
  const time = secondsOf(world);
  const signature = createHmac("sha256", webhookSecret).update(`${time}.${body}`, "utf8").digest("hex");
  return {
    "content-type": "application/json; charset=utf-8",
    "user-agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
    "stripe-signature": `t=${time},v1=${signature}`,
  };
}
