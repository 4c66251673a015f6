import { expect, test } from "vitest";
import { type GatewayCall, GatewayError } from "#gateways/index.ts";
import { simulatedWorld } from "#test/support/gateways/simulated/simulated-world.ts";
import { alipayMerchant } from "./adapter.ts";
import { openApp, signAsAlipay } from "./simulator/accounts.ts";
import { alipayMerchantSimulator as simulator } from "./simulator.ts";

const amount = { amount_minor: 1_234, currency: "CNY" };
const key = { reference: "ps_00000000000000000000000001", providerId: null };
const refund = {
  ...{ ...key, captureId: null, refundReference: "rf_1", amount: { ...amount, amount_minor: 300 }, total: amount },
  ...{ reason: null, notifyUrl: "" },
};
const errorOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => (error instanceof GatewayError ? { kind: error.kind, code: error.code } : error),
  );

/** A paid payment, and a call whose first responses are given. */
async function paidOne(answers: string[]) {
  const world = simulatedWorld();
  const fields = await simulator.openAccount(world, "shop");
  const app = await openApp(world, "shop");
  const account = alipayMerchant.open(fields, { livemode: false });
  const call = world.call(simulator);
  await account.create(call, {
    ...{ reference: key.reference, amount, title: "Tea", notifyUrl: "https://shop.test/api/payments/alipay_merchant/webhook/gc_1" },
    ...{ returnUrl: "https://shop.test/pay/token", cancelUrl: "https://shop.test/pay/token" },
    ...{ expiresAt: new Date(world.now().getTime() + 3_600_000), metadata: {} },
    buyer: { ip: null, locale: "zh-CN", device: "desktop", openid: null },
  });
  await simulator.simulate(world, { reference: key.reference, outcome: "paid" });
  const numbers: string[] = [];
  const fetch: GatewayCall["fetch"] = async (input, init) => {
    const request = new Request(input, init);
    const params = new URLSearchParams([...new URL(request.url).searchParams, ...new URLSearchParams(await request.clone().text())]);
    numbers.push(JSON.parse(params.get("biz_content") ?? "").out_request_no);
    const inner = answers.shift();
    if (inner === undefined) return simulator.handle(world, request);
    const name = `${params.get("method")?.replaceAll(".", "_")}_response`;
    return new Response(`{"${name}":${inner},"sign":"${signAsAlipay(inner, app)}"}`);
  };
  return { account, call: { ...call, fetch }, numbers };
}

test.each([
  ["Alipay doesn't have yet", `{"code":"10000","msg":"Success"}`],
  ["Alipay doesn't show to this app", `{"code":"40006","msg":"Insufficient Permissions","sub_code":"isv.insufficient-isv-permissions"}`],
  ["Alipay fails to look up", `{"code":"20000","msg":"Service Currently Unavailable","sub_code":"isp.unknow-error"}`],
])("a refund that moved no money, and that %s, isn't confirmed: it is requested again under its number", async (_what, lookup) => {
  const accepted = `{"code":"10000","msg":"Success","fund_change":"N","out_trade_no":"${key.reference}"}`;
  const { account, call, numbers } = await paidOne([accepted, lookup]);
  expect(await errorOf(account.refund(call, refund))).toEqual({ kind: "unknown_outcome", code: "fund_change=N" });
  expect(await errorOf(account.queryRefund(call, { ...refund, providerRefundId: null }))).toMatchObject({ kind: "not_found" });
  expect(await account.refund(call, refund)).toMatchObject({ state: "succeeded", amount: { amount_minor: 300 } });
  expect(new Set(numbers)).toEqual(new Set(["rf_1"]));
});
