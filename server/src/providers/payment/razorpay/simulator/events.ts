import { createHmac } from "node:crypto";
import type { SimulatedCallback, SimulatorWorld } from "#gateways/index.ts";
import { type Account, findAccount, type Link, type Payment, putLink, seconds } from "./shapes.ts";
import { eventBody, linkView, paymentView } from "./views.ts";

/** Twice as long each time, for a day. */
const retrySeconds = Array.from({ length: 10 }, (_, index) => 60 * 2 ** index);

/** Records what happened to a link and sends it to the merchant, with the link's chosen kind of delivery. */
export async function sendWebhook(
  world: SimulatorWorld,
  link: Link,
  happening: { type: string; entities: Record<string, unknown> },
): Promise<void> {
  const account = await findAccount(world, link.account);
  const id = world.token(14);
  await world.documents.put("event", id, { body: eventBody(account, { ...happening, createdAt: seconds(world) }) });
  link.events.push(id);
  await putLink(world, link);
  if (link.delivery === "silent") return;
  // The delayed event is overtaken by the one that reports the payment.
  const isEarlier = happening.type === "payment.captured";
  if (link.delivery === "out_of_order" && isEarlier) return;
  for (let copy = 0; copy < (link.delivery === "duplicate" ? 3 : 1); copy += 1) await deliver(world, account, id);
  const earlier = link.events.at(-2);
  if (link.delivery === "out_of_order" && happening.type === "payment_link.paid" && earlier !== undefined)
    await deliver(world, account, earlier);
}

/** Reports a payment, and its link if that adds something. */
export async function sendPayment(world: SimulatorWorld, link: Link, payment: Payment): Promise<void> {
  const entity = paymentView(link, payment);
  await sendWebhook(world, link, { type: `payment.${payment.status}`, entities: { payment: entity } });
  if (link.status === "paid")
    await sendWebhook(world, link, { type: "payment_link.paid", entities: { payment_link: linkView(world, link), payment: entity } });
}

/** Reports that a link ended without being paid. */
export async function sendEnd(world: SimulatorWorld, link: Link): Promise<void> {
  await sendWebhook(world, link, { type: `payment_link.${link.status}`, entities: { payment_link: linkView(world, link) } });
}

async function deliver(world: SimulatorWorld, account: Account, eventId: string): Promise<void> {
  if (account.callbackUrl !== null) await world.send(await callbackOfEvent(world, account, eventId));
}

/** A delivery of the newest event of a link. */
export async function newestCallback(world: SimulatorWorld, link: Link): Promise<SimulatedCallback> {
  const newest = link.events.at(-1);
  if (newest === undefined) throw new Error("Razorpay has nothing to tell of this link yet");
  return callbackOfEvent(world, await findAccount(world, link.account), newest);
}

async function callbackOfEvent(world: SimulatorWorld, account: Account, eventId: string): Promise<SimulatedCallback> {
  const event = await world.documents.get<{ body: string }>("event", eventId);
  if (event === null) throw new Error(`Razorpay has no event ${eventId}`);
  return {
    url: account.callbackUrl ?? "https://no-address-was-entered.invalid/",
    headers: headersOf(account.webhookSecret, { id: eventId, body: event.body }),
    body: event.body,
    accepts: ({ status }) => status >= 200 && status < 300,
    again: null,
    retrySeconds,
  };
}

/** The headers of Razorpay's events. */
export function headersOf(secret: string, { id, body }: { id: string; body: string }): Record<string, string> {
  return {
    "content-type": "application/json",
    "X-Razorpay-Event-Id": id,
    "X-Razorpay-Signature": createHmac("sha256", secret).update(body).digest("hex"),
  };
}
