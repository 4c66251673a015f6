import { type CredentialFault, type GatewayAccount, type GatewayAdapter, readForm } from "#gateways/index.ts";
import { hintOf, readEvent, reportedBy } from "./callbacks.ts";
import { ask } from "./client.ts";
import { manifest } from "./manifest.ts";
import { closePayment, createPayment, queryPayment } from "./payments.ts";
import { queryRefund, refundPayment } from "./refunds.ts";
import { findReference, listSettled } from "./settlements.ts";
import { isSigned } from "./signature.ts";

/** The pattern of each field. A webhook's secret is chosen by the merchant: any text of one line. */
const patterns: Readonly<Record<string, RegExp>> = {
  key_id: /^rzp_(test|live)_[A-Za-z0-9]{10,40}$/,
  key_secret: /^[A-Za-z0-9]{16,64}$/,
  webhook_secret: /^[^\p{Cc}]{1,200}$/u,
  merchant_id: /^(acc_)?[A-Za-z0-9]{14}$/,
};

/** Razorpay, through Payment Links. */
export const razorpay: GatewayAdapter = {
  simulator: async () => (await import("./simulator.ts")).razorpaySimulator,
  manifest,
  open(given, { livemode }) {
    const form = readForm(manifest.fields, given, (name, value) => faultOf(name, value, livemode));
    const { key_id = "", key_secret = "", webhook_secret = "", merchant_id = "" } = form;
    const credentials = { keyId: key_id, keySecret: key_secret };
    const id = merchant_id === "" ? null : `acc_${merchant_id.replace(/^acc_/, "")}`;
    return {
      id,
      keyIds: [],
      baseUrl: null,
      async check(call) {
        await ask(call, credentials, { method: "GET", path: "/payments?count=1" });
        return { account: id, name: null };
      },
      create: (call, payment) => createPayment(call, credentials, payment),
      query: (call, key) => queryPayment(call, credentials, key),
      capture: null,
      close: (call, key) => closePayment(call, credentials, key),
      refund: (call, refund) => refundPayment(call, credentials, refund),
      queryRefund: (call, key) => queryRefund(call, credentials, key),
      listSettled: (call, span) => listSettled(call, credentials, span),
      findReference: (call, captureId) => findReference(call, credentials, captureId),
      async verify(_call, { method, headers, body }) {
        // An empty secret would be known to everyone.
        if (webhook_secret === "") return { ok: false, reason: "unknown_key" };
        if (!isSigned(body, headers["x-razorpay-signature"] ?? "", webhook_secret)) return { ok: false, reason: "signature" };
        const event = readEvent(body);
        const eventId = headers["x-razorpay-event-id"] ?? "";
        if (method !== "POST" || event === null || !/^[\w-]{1,100}$/.test(eventId)) return { ok: false, reason: "malformed" };
        if (id !== null && event.account !== id) return { ok: false, reason: "unknown_key" };
        return { ok: true, dedupeKey: eventId, event: event.type, report: reportedBy(event) };
      },
    } satisfies GatewayAccount;
  },
  hint: hintOf,
  answer(outcome) {
    // Razorpay resends an event after any status except 2xx for a day, and then disables the webhook.
    return { status: outcome === "stored" ? 200 : outcome === "failed" ? 503 : 400, headers: {}, body: "" };
  },
};

function faultOf(name: string, value: string, livemode: boolean): Omit<CredentialFault, "field"> | null {
  if (!patterns[name]?.test(value)) return { reason: "malformed", message: `${name} doesn't have the format of Razorpay's credentials.` };
  if (name !== "key_id" || value.startsWith(livemode ? "rzp_live_" : "rzp_test_")) return null;
  return { reason: "wrong_environment", message: `${name} must be a Razorpay ${livemode ? "Live" : "Test"} mode key.` };
}
