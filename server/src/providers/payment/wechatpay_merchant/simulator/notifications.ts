import type { SimulatedCallback, SimulatorWorld } from "#gateways/index.ts";
import { findMerchant, type SimulatedMerchant, signingKey } from "./accounts.ts";
import { inBeijing, type Json } from "./rules.ts";
import { encrypt, proofHeaders } from "./signing.ts";

/** 15 times within 24 hours and 4 minutes. */
const retrySeconds = [15, 15, 30, 180, 600, 1_200, 1_800, 1_800, 1_800, 3_600, 10_800, 10_800, 10_800, 21_600, 21_600];

interface Notification {
  mchid: string;
  url: string;
  body: string;
  usesPublicKey: boolean;
}

interface Event {
  merchant: SimulatedMerchant;
  no: string;
  url: string;
  usesPublicKey: boolean;
  type: string;
  summary: string;
  originalType: "transaction" | "refund";
  resource: Json;
}

/** Stores the notification of an event; from now on it's the newest of its payment. */
export async function writeNotification(world: SimulatorWorld, event: Event): Promise<Notification> {
  const { merchant, no, url, usesPublicKey, type, summary, originalType, resource } = event;
  const sealed = encrypt(world, JSON.stringify(resource), { apiV3Key: merchant.apiV3Key, associatedData: originalType });
  const body = JSON.stringify({
    id: [8, 4, 4, 4, 12].map((length) => world.token(length).toLowerCase()).join("-"),
    create_time: inBeijing(world.now().getTime()),
    resource_type: "encrypt-resource",
    event_type: type,
    summary,
    resource: { original_type: originalType, ...sealed },
  });
  const notification: Notification = { mchid: merchant.mchid, url, body, usesPublicKey };
  await world.documents.put("notification", no, notification);
  return notification;
}

/** The notification of a payment's newest event, signed now. */
export async function newestNotification(world: SimulatorWorld, no: string): Promise<SimulatedCallback> {
  const notification = await world.documents.get<Notification>("notification", no);
  if (notification === null) throw new Error(`nothing has happened to ${no}`);
  return callbackOf(world, notification);
}

/** A notification to send. Each delivery is signed separately, with another time and nonce. */
export async function callbackOf(world: SimulatorWorld, notification: Notification): Promise<SimulatedCallback> {
  const { url, body } = notification;
  const signed = async () => ({ headers: await headersOf(world, notification), body });
  return { url, ...(await signed()), accepts: ({ status }) => status === 200 || status === 204, again: signed, retrySeconds };
}

async function headersOf(world: SimulatorWorld, { mchid, body, usesPublicKey }: Notification): Promise<Record<string, string>> {
  const merchant = await findMerchant(world, mchid);
  if (merchant === null) throw new Error(`there is no merchant ${mchid}`);
  const key = await signingKey(world, merchant, usesPublicKey);
  return {
    "Content-Type": "application/json",
    "User-Agent": "Mozilla/4.0",
    "Request-ID": world.token(24),
    ...proofHeaders(world, body, { key }),
  };
}
