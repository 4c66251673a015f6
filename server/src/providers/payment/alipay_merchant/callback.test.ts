import { beforeEach, expect, test } from "vitest";
import type { CallbackVerdict, GatewayAccount, GatewayCall } from "#gateways/index.ts";
import { received, type SimulatedWorld, simulatedWorld } from "#test/support/gateways/simulated/simulated-world.ts";
import { alipayMerchant } from "./adapter.ts";
import { readForm } from "./callback.ts";
import { openApp, type SimulatedApp, signAsAlipay } from "./simulator/accounts.ts";
import { alipayMerchantSimulator as simulator } from "./simulator.ts";

const amount = { amount_minor: 1_234, currency: "CNY" };
const reference = "ps_00000000000000000000000001";
let world: SimulatedWorld;
let account: GatewayAccount;
let call: GatewayCall;
let app: SimulatedApp;
beforeEach(async () => {
  world = simulatedWorld();
  account = alipayMerchant.open(await simulator.openAccount(world, "shop"), { livemode: false });
  app = await openApp(world, "shop");
  call = world.call(simulator);
  await account.create(call, {
    reference,
    amount,
    title: "Tea & cake/2 = 50% + more 茶",
    notifyUrl: "https://shop.test/api/payments/alipay_merchant/webhook/gc_1",
    returnUrl: "https://shop.test/pay/token",
    cancelUrl: "https://shop.test/pay/token",
    expiresAt: new Date(world.now().getTime() + 3_600_000),
    buyer: { ip: null, locale: "zh-CN", device: "desktop", openid: null },
    metadata: {},
  });
  await simulator.simulate(world, { reference, outcome: "paid" });
});

const send = async (change: (form: Map<string, string>) => Map<string, string> | string, method = "POST"): Promise<CallbackVerdict> => {
  const callback = await simulator.callbackOf(world, reference);
  const changed = change(readForm(Buffer.from(callback.body)) ?? new Map<string, string>());
  const body = typeof changed === "string" ? changed : new URLSearchParams([...changed]).toString();
  return account.verify(call, { ...received({ ...callback, body }, world.now()), method });
};
/** Signed as by the holder of Alipay's key of an app. */
const signedBy = (form: Map<string, string>, whose = app, dropped = ["sign", "sign_type"]) => {
  const text = [...form]
    .filter(([name]) => !dropped.includes(name))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
  return new Map([...form, ["sign", signAsAlipay(text, whose)]]);
};

test("a callback is decoded once: what is escaped inside a value remains escaped", async () => {
  const { body } = await simulator.callbackOf(world, reference);
  expect(readForm(Buffer.from(body))?.get("passback_params")).toBe("a%26b%3D1%2B1+%E8%8C%B6");
  expect(await send((form) => form)).toMatchObject({
    ok: true,
    report: { kind: "payment", payment: { reference, paid: amount, account: app.appId } },
  });
});

test.each<[string, (form: Map<string, string>) => Map<string, string> | string, string]>([
  [
    "decoded once more",
    (form) => new Map([...form].map(([name, value]) => [name, name === "passback_params" ? decodeURIComponent(value) : value])),
    "signature",
  ],
  ["with a field more", (form) => new Map([...form, ["extra", "1"]]), "signature"],
  ["with a field less", (form) => new Map([...form].filter(([name]) => name !== "body")), "signature"],
  ["with another amount", (form) => new Map([...form, ["total_amount", "1.00"]]), "signature"],
  ["with another number", (form) => new Map([...form, ["out_trade_no", "ps_2"]]), "signature"],
  ["with an empty signature", (form) => new Map([...form, ["sign", ""]]), "signature"],
  ["with a name twice", (form) => `${new URLSearchParams([...form])}&total_amount=12.34`, "malformed"],
  ["as JSON", (form) => JSON.stringify(Object.fromEntries(form)), "malformed"],
  ["with bytes that are no text", (form) => `${new URLSearchParams([...form])}&x=%ff`, "malformed"],
  ["signed with SHA-1, as it says", (form) => new Map([...form, ["sign_type", "RSA"]]), "unsupported"],
  ["in another character set", (form) => signedBy(new Map([...form, ["charset", "GBK"]])), "unsupported"],
  ["for another app", (form) => signedBy(new Map([...form, ["app_id", "2021000122671080"]])), "unknown_key"],
  ["of another seller's money", (form) => signedBy(new Map([...form, ["seller_id", "2088000000000000"]])), "unknown_key"],
  ["without an id", (form) => signedBy(new Map([...form].filter(([name]) => name !== "notify_id"))), "malformed"],
  ["whose signature covers sign_type", (form) => signedBy(form, app, ["sign"]), "signature"],
])("a callback %s is refused", async (_what, change, reason) => {
  expect(await send(change)).toEqual({ ok: false, reason });
});

test("a callback by GET instead of POST is refused", async () => {
  expect(await send((form) => form, "GET")).toEqual({ ok: false, reason: "unsupported" });
});

test.each([
  ["a notice of another kind", { notify_type: "servicemarket_order_notify" }, { kind: "nothing" }],
  ["a state that the documents do not know", { trade_status: "TRADE_PENDING" }, { kind: "ask", about: { reference } }],
  ["an amount that is none", { total_amount: "1e3" }, { kind: "ask" }],
  ["an amount of nothing", { total_amount: "0.00" }, { kind: "ask" }],
  [
    "a trade that was closed unpaid",
    { trade_status: "TRADE_CLOSED", buyer_pay_amount: "", receipt_amount: "", refund_fee: "0.00" },
    { payment: { state: "canceled", paid: null } },
  ],
  ["a trade that may no longer be refunded", { trade_status: "TRADE_FINISHED" }, { payment: { state: "succeeded", paid: amount } }],
  ["a trade that waits", { trade_status: "WAIT_BUYER_PAY" }, { payment: { state: "pending", paid: null } }],
  [
    "a refund in part",
    { refund_fee: "3.00", gmt_refund: "2026-11-20 16:00:00.123" },
    { payment: { state: "succeeded", paid: amount, refunded: { amount_minor: 300, currency: "CNY" } } },
  ],
])("a callback of %s reports only that", async (_what, over, report) => {
  expect(await send((form) => signedBy(new Map([...form, ...Object.entries(over)])))).toMatchObject({ ok: true, report });
});

test.each([
  ["stored", 200, "success"],
  ["failed", 503, "failure"],
  ["signature", 400, "failure"],
] as const)("a callback that is %s gets %i and %s", (outcome, status, body) => {
  expect(alipayMerchant.answer(outcome)).toEqual({ status, headers: { "content-type": "text/plain; charset=utf-8" }, body });
});
