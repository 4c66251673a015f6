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
