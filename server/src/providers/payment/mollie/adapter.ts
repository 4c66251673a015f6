import {
  type CallbackAnswer,
  type CallbackOutcome,
  type CallbackVerdict,
  type CredentialFault,
  CredentialsInvalid,
  type GatewayAccount,
  type GatewayAdapter,
  type GatewayCall,
  malformedAnswer,
  type RawCallback,
} from "#gateways/index.ts";
import { callMollie } from "./client.ts";
import { listSettled } from "./list-settled.ts";
import { manifest } from "./manifest.ts";
import { closePayment, createPayment, queryPayment } from "./payments.ts";
import { createRefund, findRefund } from "./refunds.ts";
import { readResource, textOf } from "./wire.ts";

/** Mollie's Payments API. */
export const mollie: GatewayAdapter = {
  simulator: async () => (await import("./simulator.ts")).mollieSimulator,
  manifest,
  open: (fields, { livemode }) => openAccount(readKey(fields["api_key"]?.trim() ?? "", livemode)),
  hint(callback) {
    const providerId = paymentIdOf(callback);
    return providerId === null ? null : { account: null, keyId: null, reference: null, providerId };
  },
  answer: answerOf,
};

function openAccount(apiKey: string): GatewayAccount {
  return {
    id: null,
    keyIds: [],
    baseUrl: null,
    capture: null,
    check: (call) => checkAccount(call, apiKey),
    create: (call, payment) => createPayment(call, apiKey, payment),
    query: (call, key) => queryPayment(call, apiKey, key),
    close: (call, key) => closePayment(call, apiKey, key),
    refund: (call, refund) => createRefund(call, apiKey, refund),
    queryRefund: (call, key) => findRefund(call, apiKey, key),
    listSettled: (call, span) => listSettled(call, apiKey, span),
    verify: async (_call, callback) => verifyCallback(callback),
  };
}

function readKey(key: string, livemode: boolean): string {
  const fault = faultOf(key, livemode);
  if (fault !== null) throw new CredentialsInvalid([{ field: "api_key", ...fault }]);
  return key;
}

function faultOf(key: string, livemode: boolean): Omit<CredentialFault, "field"> | null {
  if (key === "") return { reason: "required", message: "The API key is missing." };
  const mode = /^(test|live)_[A-Za-z0-9]{20,120}$/.exec(key)?.[1];
  if (mode === undefined) {
    const message = key.startsWith("access_")
      ? "This is an organization access token. Use an API key, which starts with test_ or live_."
      : "An API key starts with test_ or live_, followed by letters and digits.";
    return { reason: "malformed", message };
  }
  if ((mode === "live") === livemode) return null;
  return { reason: "wrong_environment", message: `This is a ${mode} key, but the environment is ${livemode ? "LIVE" : "TEST"}.` };
}

async function checkAccount(call: GatewayCall, apiKey: string): Promise<{ account: string | null; name: string | null }> {
  const profile = readResource(await callMollie(call, apiKey, { method: "GET", path: "/v2/profiles/me" }), "profile");
  if (profile === null) throw malformedAnswer(false);
  return { account: textOf(profile["id"]), name: textOf(profile["name"]) };
}

/**
 * Mollie posts the id of a payment that changed, without any proof, so the payment is queried. The callback names no event either, so each
 * delivery counts as new: treating two as one would lose a change, such as a chargeback after a payment, and an extra query changes
 * nothing.
 */
function verifyCallback(callback: RawCallback): CallbackVerdict {
  const providerId = paymentIdOf(callback);
  if (providerId === null) return { ok: false, reason: "malformed" };
  const dedupeKey = `${providerId}:${callback.receivedAt.getTime()}`;
  return { ok: true, dedupeKey, event: "payment", report: { kind: "ask", about: { reference: null, providerId } }, unproven: providerId };
}

/** The only `id` of a form; null for anything else. */
function paymentIdOf({ body }: RawCallback): string | null {
  if (body.length > 1_024) return null;
  const ids = new URLSearchParams(body.toString("utf8")).getAll("id");
  const [id = ""] = ids;
  return ids.length === 1 && /^tr_[A-Za-z0-9]{6,60}$/.test(id) ? id : null;
}

/** Mollie expects 200 also for unknown ids, so that no one can find out which ids exist. */
function answerOf(outcome: CallbackOutcome): CallbackAnswer {
  return { status: outcome === "failed" ? 503 : 200, headers: { "content-type": "text/plain" }, body: "" };
}
