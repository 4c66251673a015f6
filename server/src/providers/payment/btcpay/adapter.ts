import { type GatewayAccount, type GatewayAdapter, type GatewayCall, GatewayError } from "#gateways/index.ts";
import { callServer } from "./call-server.ts";
import { hintOf, verifyCallback } from "./callback.ts";
import { type BtcpayCredentials, readCredentials } from "./credentials.ts";
import { closeInvoices, createInvoice, queryInvoice } from "./invoices.ts";
import { listSettled } from "./list-settled.ts";
import { manifest } from "./manifest.ts";
import { queryRefund, refundPayment } from "./refunds.ts";

/** BTCPay Server: the buyer pays on the checkout page of the merchant's own server, and claims a refund on one of its pages. */
export const btcpay: GatewayAdapter = {
  simulator: async () => (await import("./simulator.ts")).btcpaySimulator,
  manifest,
  open: (fields, given) => openAccount(readCredentials(fields, given)),
  hint: hintOf,
  answer(outcome) {
    // A 4xx response is never retried, so a failure that may pass has to be a 5xx.
    const status = outcome === "stored" ? 200 : outcome === "failed" ? 503 : 400;
    return { status, headers: { "content-type": "text/plain; charset=utf-8" }, body: outcome };
  },
};

function openAccount(credentials: BtcpayCredentials): GatewayAccount {
  return {
    id: credentials.storeId,
    keyIds: [],
    baseUrl: credentials.baseUrl,
    check: (call) => checkAccount(call, credentials),
    create: (call, payment) => createInvoice(call, credentials, payment),
    query: (call, key) => queryInvoice(call, credentials, key),
    capture: null,
    close: (call, key) => closeInvoices(call, credentials, key),
    refund: (call, refund) => refundPayment(call, credentials, refund),
    queryRefund: (call, key) => queryRefund(call, credentials, key),
    listSettled: (call, span) => listSettled(call, credentials, span),
    verify: async (_call, callback) => verifyCallback(credentials, callback),
  };
}

/**
 * Requests an invoice that doesn't exist. For a store that doesn't exist, or that the key isn't for, a server responds as for a wrong key.
 */
async function checkAccount(call: GatewayCall, credentials: BtcpayCredentials): Promise<{ account: string; name: null }> {
  const path = `/stores/${credentials.storeId}/invoices?orderId=check_${call.nonce()}&take=1`;
  try {
    await callServer(call, credentials, { method: "GET", path, changes: false });
  } catch (error) {
    if (!(error instanceof GatewayError) || error.kind !== "not_found") throw error;
    throw new GatewayError("auth", { code: error.code, message: "The server doesn't have this store." });
  }
  return { account: credentials.storeId, name: null };
}
