import type { CallbackHint, CallbackVerdict, RawCallback } from "#gateways/index.ts";
import { objectOf } from "./call-server.ts";
import type { BtcpayCredentials } from "./credentials.ts";
import { isSignedWith } from "./signature.ts";

const maxBytes = 256 * 1_024;

function readEvent(body: Buffer): Readonly<Record<string, unknown>> | null {
  if (body.length > maxBytes) return null;
  try {
    return objectOf(JSON.parse(body.toString("utf8")));
  } catch {
    return null;
  }
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" && value.length <= 200 ? value : null;
}

function aboutOf(event: Readonly<Record<string, unknown>>): { reference: string | null; providerId: string | null } {
  return { reference: textOf(objectOf(event["metadata"])?.["orderId"]), providerId: textOf(event["invoiceId"]) };
}

/** The account that an unverified callback claims. */
export function hintOf({ body }: RawCallback): CallbackHint | null {
  const event = readEvent(body);
  const account = textOf(event?.["storeId"]);
  return event === null || account === null ? null : { account, keyId: null, ...aboutOf(event) };
}

/** Verifies that the merchant's server sent a callback for this store. It has no amount, so it only reports that something happened. */
export function verifyCallback({ storeId, webhookSecret }: BtcpayCredentials, { method, headers, body }: RawCallback): CallbackVerdict {
  if (method !== "POST") return { ok: false, reason: "unsupported" };
  if (webhookSecret === null) return { ok: false, reason: "unknown_key" };
  if (!isSignedWith(webhookSecret, body, headers["btcpay-sig"])) return { ok: false, reason: "signature" };
  const event = readEvent(body);
  // A redelivery has its own id; old versions misspell the name of the original's.
  const id = textOf(event?.["originalDeliveryId"]) ?? textOf(event?.["orignalDeliveryId"]) ?? textOf(event?.["deliveryId"]);
  const type = textOf(event?.["type"]);
  if (event === null || id === null || type === null) return { ok: false, reason: "malformed" };
  if (event["storeId"] !== storeId) return { ok: false, reason: "unknown_key" };
  const about = aboutOf(event);
  const isOfInvoice = type.startsWith("Invoice") && (about.reference ?? about.providerId) !== null;
  return { ok: true, dedupeKey: id, event: type, report: isOfInvoice ? { kind: "ask", about } : { kind: "nothing" } };
}
