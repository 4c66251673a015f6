import { type GatewayAccount, type GatewayAdapter, type GatewayCall, GatewayError } from "#gateways/index.ts";
import { listSettled } from "./bill.ts";
import { answerOf, hintOf, verifyCallback } from "./callbacks.ts";
import { type Merchant, readMerchant } from "./credentials.ts";
import { identityOf } from "./identity.ts";
import { manifest } from "./manifest.ts";
import { closePayment, createPayment, queryPayment, wayNameOf } from "./payments.ts";
import { createRefund, queryRefund } from "./refunds.ts";

/** WeChat Pay, API v3, for a merchant with their own account. */
export const wechatpayMerchant: GatewayAdapter = {
  simulator: async () => (await import("./simulator.ts")).wechatpayMerchantSimulator,
  manifest,
  open: (fields) => accountOf(readMerchant(fields)),
  hint: hintOf,
  answer: answerOf,
};

function accountOf(merchant: Merchant): GatewayAccount {
  const apiOf = (call: GatewayCall) => ({ merchant, call });
  return {
    id: merchant.mchid,
    // Serial numbers of platform certificates come from WeChat Pay, so callbacks of such an account find it by the address in its payments.
    keyIds: merchant.publicKey === null ? [] : [merchant.publicKey.id],
    baseUrl: null,
    check: (call) => check(merchant, call),
    wayOf: (buyer) => wayNameOf(merchant, buyer),
    buyerIdentity: identityOf(merchant),
    create: (call, payment) => createPayment(apiOf(call), payment),
    query: (call, key) => queryPayment(apiOf(call), key),
    capture: null,
    close: (call, key) => closePayment(apiOf(call), key),
    refund: (call, refund) => createRefund(apiOf(call), refund),
    queryRefund: (call, key) => queryRefund(apiOf(call), key),
    listSettled: (call, span) => listSettled(apiOf(call), span),
    verify: (call, callback) => verifyCallback(apiOf(call), callback),
  };
}

/** A number that none of our payments has. */
const unknownReference = "tillpost_check_of_credentials";

/** Queries a payment that doesn't exist. WeChat Pay's signed response that it doesn't proves both the merchant's key and WeChat Pay's. */
async function check(merchant: Merchant, call: GatewayCall): Promise<{ account: string; name: null }> {
  // Twice, because WeChat Pay sends wrong signatures on purpose now and then.
  for (let tries = 0; tries < 2; tries += 1) {
    try {
      await queryPayment({ merchant, call }, { reference: unknownReference });
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      if (error.code === "signature") continue;
      if (error.kind !== "not_found") throw error;
    }
    return { account: merchant.mchid, name: null };
  }
  throw new GatewayError("auth", {
    code: "signature",
    message: "WeChat Pay signs with a different key: the public key and its ID must be this merchant's.",
  });
}
