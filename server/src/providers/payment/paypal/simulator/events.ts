import { randomUUID, sign } from "node:crypto";
import { crc32 } from "node:zlib";
import type { SimulatedCallback, SimulatorWorld } from "#gateways/index.ts";
import { findSigner } from "./certificates.ts";
import { type Account, findAccount, makeId, type Order, putOrder, stamp } from "./shapes.ts";

interface Happening {
  type: string;
  resourceType: "checkout-order" | "capture" | "refund" | "dispute";
  summary: string;
  resource: unknown;
}

/** 25 deliveries in three days. */
const retrySeconds = Array.from({ length: 25 }, () => (3 * 86_400) / 25);

/** Records what happened to an order and sends it to the merchant, with the order's chosen kind of delivery. */
export async function sendWebhook(world: SimulatorWorld, order: Order, happening: Happening): Promise<void> {
  const id = `WH-${makeId(world)}-${makeId(world)}`;
  const self = `${world.origin}/v1/notifications/webhooks-events/${id}`;
  const body = JSON.stringify({
    id,
    event_version: "1.0",
    create_time: world.now().toISOString(),
    resource_type: happening.resourceType,
    resource_version: "2.0",
    event_type: happening.type,
    summary: happening.summary,
    resource: happening.resource,
    links: [
      { href: self, rel: "self", method: "GET" },
      { href: `${self}/resend`, rel: "resend", method: "POST" },
    ],
  });
  const earlier = order.events.at(-1);
  await world.documents.put("event", id, { body });
  order.events.push(id);
  await putOrder(world, order);
  const isApproval = happening.type === "CHECKOUT.ORDER.APPROVED";
  if (order.delivery === "silent" || (order.delivery === "out_of_order" && isApproval)) return;
  for (let copy = 0; copy < (order.delivery === "duplicate" ? 3 : 1); copy += 1) await deliver(world, order, id);
  if (order.delivery === "out_of_order" && earlier !== undefined) await deliver(world, order, earlier);
}

async function deliver(world: SimulatorWorld, order: Order, eventId: string): Promise<void> {
  const account = await findAccount(world, order.account);
  if (account.callbackUrl !== null) await world.send(await callbackOfEvent(world, account, eventId));
}

/** A delivery of the newest event of an order. */
export async function newestCallback(world: SimulatorWorld, order: Order): Promise<SimulatedCallback> {
  const newest = order.events.at(-1);
  if (newest === undefined) throw new Error("PayPal has nothing to tell of this order yet");
  return callbackOfEvent(world, await findAccount(world, order.account), newest);
}

async function callbackOfEvent(world: SimulatorWorld, account: Account, eventId: string): Promise<SimulatedCallback> {
  const event = await world.documents.get<{ body: string }>("event", eventId);
  if (event === null) throw new Error(`PayPal has no event ${eventId}`);
  const transmit = async () => ({ headers: await headersOf(world, account.webhookId, event.body), body: event.body });
  return {
    url: account.callbackUrl ?? "https://no-address-was-entered.invalid/",
    ...(await transmit()),
    accepts: ({ status }) => status >= 200 && status < 300,
    again: transmit,
    retrySeconds,
  };
}

/** The headers of PayPal's webhook events. */
export async function headersOf(world: SimulatorWorld, webhookId: string, body: string): Promise<Record<string, string>> {
  const signer = await findSigner(world);
  const [id, time] = [randomUUID(), stamp(world)];
  const signature = sign("sha256", Buffer.from([id, time, webhookId, String(crc32(body))].join("|")), signer.key);
  return {
    "content-type": "application/json",
    "PAYPAL-TRANSMISSION-ID": id,
    "PAYPAL-TRANSMISSION-TIME": time,
    "PAYPAL-TRANSMISSION-SIG": signature.toString("base64"),
    // At the root of its host, like PayPal's, wherever this API starts.
    "PAYPAL-CERT-URL": `${new URL(world.origin).origin}/v1/notifications/certs/${signer.id}`,
    "PAYPAL-AUTH-ALGO": "SHA256withRSA",
  };
}
