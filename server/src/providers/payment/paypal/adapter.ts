import { type CredentialFault, type GatewayAccount, type GatewayAdapter, readForm } from "#gateways/index.ts";
import { hintOf, readEvent, reportedBy } from "./callbacks.ts";
import { fetchToken } from "./client.ts";
import { listSettled } from "./list-settled.ts";
import { manifest } from "./manifest.ts";
import { capturePayment, createPayment, queryPayment } from "./payments.ts";
import { queryRefund, refundPayment } from "./refunds.ts";
import { refusalOf } from "./signature.ts";

/**
 * The pattern of each field. `WEBHOOK_ID`, which PayPal's public webhook simulator uses to sign for everyone, isn't a merchant's webhook.
 */
const patterns: Readonly<Record<string, RegExp>> = {
  client_id: /^[A-Za-z0-9_-]{20,200}$/,
  client_secret: /^[A-Za-z0-9_-]{20,200}$/,
  webhook_id: /^[A-Z0-9]{8,40}$/,
  merchant_id: /^[A-Z0-9]{13}$/,
};

/** PayPal, through Orders v2. */
export const paypal: GatewayAdapter = {
  simulator: async () => (await import("./simulator.ts")).paypalSimulator,
  manifest,
  open(given, { livemode }) {
    const { client_id = "", client_secret = "", webhook_id = "", merchant_id = "" } = readForm(manifest.fields, given, faultOf);
    const credentials = { clientId: client_id, clientSecret: client_secret };
    return {
      id: merchant_id === "" ? null : merchant_id,
      keyIds: [],
      baseUrl: null,
      async check(call) {
        await fetchToken(call, credentials);
        return { account: null, name: null };
      },
      create: (call, payment) => createPayment(call, credentials, payment),
      query: (call, key) => queryPayment(call, credentials, key),
      capture: (call, key) => capturePayment(call, credentials, key),
      close: null,
      refund: (call, refund) => refundPayment(call, credentials, refund),
      queryRefund: (call, key) => queryRefund(call, credentials, key),
      listSettled: (call, span) => listSettled(call, credentials, span),
      async verify(call, callback) {
        const event = readEvent(callback.body);
        if (event === null) return { ok: false, reason: "malformed" };
        // Not created at PayPal yet, or not copied from there.
        if (webhook_id === "") return { ok: false, reason: "unknown_key" };
        const reason = await refusalOf(call, callback, { webhookId: webhook_id, livemode });
        if (reason !== null) return { ok: false, reason };
        return { ok: true, dedupeKey: event.id, event: event.type, report: await reportedBy(call, credentials, event) };
      },
    } satisfies GatewayAccount;
  },
  hint: hintOf,
  answer(outcome) {
    // PayPal resends an event after any status except 2xx, up to 25 times in three days.
    return { status: outcome === "stored" ? 200 : outcome === "failed" ? 503 : 400, headers: {}, body: "" };
  },
};

function faultOf(name: string, value: string): Omit<CredentialFault, "field"> | null {
  return patterns[name]?.test(value) ? null : { reason: "malformed", message: `${name} doesn't have the format of PayPal's credentials.` };
}
