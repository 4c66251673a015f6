import type { CallbackHint, CallbackVerdict, RawCallback } from "#gateways/index.ts";
import type { AlipayCredentials } from "./credentials.ts";
import { callbackContent, isSignedBy } from "./signature.ts";
import { type Fields, snapshotOf } from "./wire.ts";

const maxBytes = 64 * 1_024;
const maxFields = 200;

/**
 * A form's fields, decoded once; null if the bytes aren't a form, or if a name appears twice, because then it's ambiguous which one is
 * signed.
 */
export function readForm(body: Buffer): Map<string, string> | null {
  if (body.length === 0 || body.length > maxBytes) return null;
  const text = body.toString("latin1");
  const pairs = text.split("&", maxFields + 1);
  if (pairs.length > maxFields) return null;
  const form = new Map<string, string>();
  for (const pair of pairs) {
    const at = pair.indexOf("=");
    const name = at < 1 ? null : decoded(pair.slice(0, at));
    const value = decoded(pair.slice(at + 1));
    if (name === null || value === null || form.has(name)) return null;
    form.set(name, value);
  }
  return form;
}

function decoded(text: string): string | null {
  try {
    // Non-ASCII bytes must be escaped; unescaped, they could be read in two ways.
    return /^[\x20-\x7e]*$/.test(text) ? decodeURIComponent(text.replaceAll("+", " ")) : null;
  } catch {
    return null;
  }
}

const fieldsIn =
  (form: ReadonlyMap<string, string>): Fields =>
  (name) =>
    form.get(name) || null;

/** The account that an unverified callback claims. */
export function hintOf({ body }: RawCallback): CallbackHint | null {
  const form = readForm(body);
  const field = form === null ? null : fieldsIn(form);
  if (field === null || field("app_id") === null) return null;
  return { account: field("app_id"), keyId: field("alipay_cert_sn"), reference: field("out_trade_no"), providerId: field("trade_no") };
}

/**
 * Verifies that Alipay sent a callback for this account, and returns what it reports. An old timestamp is no reason to refuse: Alipay
 * repeats for a day, and a repeat has the same id.
 */
export function verifyCallback(
  { appId, sellerId, alipayKeys, certificates }: AlipayCredentials,
  { method, body }: RawCallback,
): CallbackVerdict {
  if (method !== "POST") return { ok: false, reason: "unsupported" };
  const form = readForm(body);
  if (form === null) return { ok: false, reason: "malformed" };
  const field = fieldsIn(form);
  const signature = field("sign");
  if (signature === null) return { ok: false, reason: "signature" };
  if (field("app_id") !== appId) return { ok: false, reason: "unknown_key" };
  // Only RSA2: the older RSA uses SHA-1, and a message must not choose how it's verified.
  if (field("sign_type") !== "RSA2" || (field("charset") ?? "utf-8").toLowerCase() !== "utf-8") return { ok: false, reason: "unsupported" };
  const key = alipayKeys.get(certificates === null ? "" : (field("alipay_cert_sn") ?? ""));
  if (key === undefined) return { ok: false, reason: "unknown_key" };
  if (!isSignedBy(callbackContent(form), signature, key)) return { ok: false, reason: "signature" };
  const id = field("notify_id");
  if (id === null) return { ok: false, reason: "malformed" };
  const event = `${field("notify_type") ?? ""}.${field("trade_status") ?? ""}`;
  if (field("notify_type") !== "trade_status_sync") return { ok: true, dedupeKey: id, event, report: { kind: "nothing" } };
  // Money of another Alipay account isn't this merchant's.
  if (field("seller_id") !== sellerId) return { ok: false, reason: "unknown_key" };
  const payment = snapshotOf(field, appId);
  if (field("out_trade_no") === null) return { ok: false, reason: "malformed" };
  if (payment !== null) return { ok: true, dedupeKey: id, event, report: { kind: "payment", payment } };
  return {
    ok: true,
    dedupeKey: id,
    event,
    report: { kind: "ask", about: { reference: field("out_trade_no"), providerId: field("trade_no") } },
  };
}
