import type {
  CallbackAnswer,
  CallbackHint,
  CallbackOutcome,
  CallbackRefusal,
  CallbackReport,
  CallbackVerdict,
  RawCallback,
} from "#gateways/index.ts";
import type { MerchantApi } from "./exchange.ts";
import { readTransaction } from "./payments.ts";
import { findPlatformKey } from "./platform-keys.ts";
import { readRefund } from "./refunds.ts";
import { isFresh, isSigned, openResource, readProof } from "./signature.ts";
import { inner, parseWire, text, type Wire } from "./wire.ts";

/** A callback's unencrypted part identifies no account, only its signing key. */
export function hintOf({ method, headers }: RawCallback): CallbackHint | null {
  const proof = method === "POST" ? readProof((name) => headers[name]) : null;
  return proof === null ? null : { account: null, keyId: proof.serial, reference: null, providerId: null };
}

/** Accepts a callback that WeChat Pay signed within the last five minutes and that this merchant's APIv3 key decrypts. */
export async function verifyCallback(api: MerchantApi, raw: RawCallback): Promise<CallbackVerdict> {
  const proof = raw.method === "POST" ? readProof((name) => raw.headers[name]) : null;
  if (proof === null) return refused("signature");
  if (!isFresh(proof, raw.receivedAt)) return refused("stale");
  const key = await findPlatformKey(api.merchant, api.call, proof.serial);
  if (key === null) return refused("unknown_key");
  if (!isSigned(proof, raw.body, key)) return refused("signature");
  const envelope = parseWire(raw.body.toString());
  const dedupeKey = text(envelope ?? {}, "id");
  const event = text(envelope ?? {}, "event_type");
  if (envelope === null || dedupeKey === null || event === null) return refused("malformed");
  const report = readReport(api, event, inner(envelope, "resource"));
  return typeof report === "string" ? refused(report) : { ok: true, dedupeKey, event, report };
}

function readReport({ merchant }: MerchantApi, event: string, resource: Wire): CallbackReport | CallbackRefusal {
  const isPayment = event === "TRANSACTION.SUCCESS";
  // From products that Tillpost doesn't use, such as coupons.
  if (!isPayment && !/^REFUND\.(SUCCESS|ABNORMAL|CLOSED)$/.test(event)) return { kind: "nothing" };
  if (text(resource, "algorithm") !== "AEAD_AES_256_GCM") return "unsupported";
  const sealed = {
    ciphertext: text(resource, "ciphertext") ?? "",
    nonce: text(resource, "nonce") ?? "",
    associatedData: text(resource, "associated_data") ?? "",
  };
  const opened = openResource(sealed, merchant.apiV3Key);
  // Encrypted with another APIv3 key, such as the previous one.
  if (opened === null) return "unknown_key";
  const wire = parseWire(opened);
  if (wire === null || text(wire, "mchid") !== merchant.mchid) return "malformed";
  if (isPayment) {
    const payment = readTransaction(merchant, wire);
    return payment === null ? "malformed" : { kind: "payment", payment };
  }
  const refund = readRefund(wire, "refund_status");
  const reference = text(wire, "out_trade_no");
  if (refund === null || reference === null || event !== `REFUND.${refund.providerState}`) return "malformed";
  return { kind: "refund", payment: { reference, providerId: text(wire, "transaction_id") }, refund };
}

function refused(reason: CallbackRefusal): CallbackVerdict {
  return { ok: false, reason };
}

const refusalStatus: Readonly<Record<CallbackRefusal | "failed", number>> = {
  failed: 503,
  signature: 401,
  stale: 401,
  unknown_key: 401,
  malformed: 400,
  unsupported: 400,
};

/** 204 means accepted; after any other status WeChat Pay sends it again. */
export function answerOf(outcome: CallbackOutcome): CallbackAnswer {
  if (outcome === "stored") return { status: 204, headers: {}, body: "" };
  const body = JSON.stringify({ code: "FAIL", message: outcome });
  return { status: refusalStatus[outcome], headers: { "content-type": "application/json" }, body };
}
