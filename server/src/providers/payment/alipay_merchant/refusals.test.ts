import { expect, test } from "vitest";
import { openGatewayShop } from "#test/support/gateways/contract/provider-shop.ts";
import { alipayMerchant } from "./adapter.ts";
import { openApp, signAsAlipay } from "./simulator/accounts.ts";
import { alipayMerchantSimulator } from "./simulator.ts";
import { facts } from "./testing/facts.ts";

test("a payment that the app isn't allowed to cancel doesn't count as closed", async () => {
  const { world, account, call, payment } = await openGatewayShop(alipayMerchant, alipayMerchantSimulator);
  const app = await openApp(world, "shop");
  const { reference } = payment(facts.amount);
  await account.create(call, payment(facts.amount, { reference }));
  const refusal = JSON.stringify({ code: "40006", msg: "Insufficient Permissions", sub_code: "isv.insufficient-isv-permissions" });
  const fetch: typeof call.fetch = async (input, init) => {
    const answer = await (await call.fetch(input, init)).text();
    const isCancel = answer.startsWith('{"alipay_trade_cancel_response"');
    return new Response(isCancel ? `{"alipay_trade_cancel_response":${refusal},"sign":"${signAsAlipay(refusal, app)}"}` : answer);
  };
  expect(await account.close?.({ ...call, fetch }, { reference, providerId: null })).toBe("unopened");
});

test("a refusal without Alipay's signature is believed, except about a refund, which may have been made", async () => {
  const { world, account, call, payment, refund } = await openGatewayShop(alipayMerchant, alipayMerchantSimulator);
  const { reference } = payment(facts.amount);
  await account.create(call, payment(facts.amount, { reference }));
  await alipayMerchantSimulator.simulate(world, { reference, outcome: "paid" });
  const refused = (method: string): typeof call => ({
    ...call,
    async fetch(input, init) {
      await call.fetch(input, init);
      const refusal = { code: "40002", msg: "Invalid Arguments", sub_code: "isv.invalid-app-id" };
      return Response.json({ [`alipay_trade_${method}_response`]: refusal });
    },
  });
  const key = { reference, providerId: null };
  const request = refund({ ...key, captureId: null }, { ...facts.amount, amount_minor: 300 });
  await expect(account.refund(refused("refund"), request)).rejects.toMatchObject({ kind: "unknown_outcome", code: "signature" });
  expect(await account.refund(call, request)).toMatchObject({ state: "succeeded", providerState: "REFUND_SUCCESS" });
  await expect(account.query(refused("query"), key)).rejects.toMatchObject({ kind: "auth", code: "isv.invalid-app-id" });
});
