import { createHmac } from "node:crypto";
import type { SimulatedCallback, SimulatorWorld } from "#gateways/index.ts";
import { type SimulatedInvoice, type Store, type StoreEvent, saveInvoice, secondsNow } from "./store.ts";

/** After 10 seconds, a minute, and six times 10 minutes. */
const retrySeconds = [10, 60, 600, 600, 600, 600, 600, 600];

/** Records a change of an invoice that the store's webhook is to be notified of. */
export function noteEvent(
  world: SimulatorWorld,
  invoice: SimulatedInvoice,
  { type, more = {} }: { type: string; more?: Record<string, unknown> },
): Promise<SimulatedInvoice> {
  const event = { deliveryId: world.token(22), type, at: secondsNow(world), more };
  return saveInvoice(world, { ...invoice, events: [...invoice.events, event] });
}

/** Sends the newest event of an invoice, if a webhook's address was entered. */
export async function sendNewest(world: SimulatorWorld, invoice: SimulatedInvoice): Promise<void> {
  const store = await world.documents.get<Store>("store", invoice.storeId);
  if (store?.webhookUrl != null && invoice.events.length > 0) await world.send(await newestCallback(world, invoice));
}

/** The newest event of an invoice, as it would be delivered now. */
export async function newestCallback(world: SimulatorWorld, invoice: SimulatedInvoice): Promise<SimulatedCallback> {
  const store = await world.documents.get<Store>("store", invoice.storeId);
  const event = invoice.events.at(-1);
  if (store === null || event === undefined) throw new Error(`nothing to tell of the invoice ${invoice.id}`);
  return {
    url: store.webhookUrl ?? `${world.origin}/no-webhook`,
    ...deliver({ store, invoice, event, deliveryId: event.deliveryId }),
    // A 4xx response isn't retried, except 408 and 429.
    accepts: ({ status }) => status < 500 && status !== 408 && status !== 429,
    again: async () => deliver({ store, invoice, event, deliveryId: world.token(22) }),
    retrySeconds,
  };
}

interface Delivery {
  store: Store;
  invoice: SimulatedInvoice;
  event: StoreEvent;
  deliveryId: string;
}

function deliver({ store, invoice, event, deliveryId }: Delivery): Pick<SimulatedCallback, "headers" | "body"> {
  const payload = {
    ...event.more,
    deliveryId,
    webhookId: `wh${store.storeId.slice(0, 20)}`,
    originalDeliveryId: event.deliveryId,
    isRedelivery: deliveryId !== event.deliveryId,
    type: event.type,
    timestamp: event.at,
    storeId: store.storeId,
    invoiceId: invoice.id,
    metadata: invoice.metadata,
  };
  const body = JSON.stringify(payload, null, 2);
  const signature = createHmac("sha256", Buffer.from(store.webhookSecret, "utf8")).update(body, "utf8").digest("hex");
  return { headers: { "Content-Type": "application/json", "BTCPay-Sig": `sha256=${signature}` }, body };
}
