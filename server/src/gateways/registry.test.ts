import { expect, test } from "vitest";
import { methodsOf } from "#app/payment-methods.ts";
import { scriptedGateway } from "#test/support/gateways/scripted/scripted-gateway.ts";
import type { GatewayAdapter } from "./port.ts";
import { listGateways, type ObservedCall } from "./registry.ts";

const adapter = scriptedGateway();
const named = (name: string): GatewayAdapter => ({
  ...adapter,
  manifest: { ...adapter.manifest, method: { ...adapter.manifest.method, name } },
});

test.each([
  ["two adapters of one gateway", [adapter, adapter], [], "two adapters are of one gateway"],
  ["a gateway whose method has another name", [named("testpay_card")], [], "is named testpay_card"],
  ["an address of a gateway that isn't there", [adapter], ["stranger=https://a.example"], "is not the address of a gateway"],
  ["an address that is none", [adapter], ["testpay=a.example"], "is not the address of a gateway"],
  ["an address with a user", [adapter], ["testpay=https://k@a.example"], "is not the address of a gateway"],
  ["an address of neither environment", [adapter], ["testpay.demo=https://a.example"], "is not the address of a gateway"],
])("%s prevents the start", (_what, adapters, urls, message) => {
  expect(() => listGateways(adapters, { urls })).toThrow(message);
});

test("a gateway is reached where its provider says, unless the operator specifies otherwise, for both environments or for one", () => {
  const { hosts } = adapter.manifest;
  const hostsOf = (urls: string[], gateway = "testpay") =>
    [false, true].map((livemode) => listGateways([adapter], { urls }).hostOf(gateway, livemode));
  expect(hostsOf([])).toEqual([hosts?.test, hosts?.live]);
  expect(hostsOf(["testpay=http://127.0.0.1:9000/sim/"])).toEqual(["http://127.0.0.1:9000/sim", "http://127.0.0.1:9000/sim"]);
  expect(hostsOf(["testpay.test=http://127.0.0.1:9000"])).toEqual(["http://127.0.0.1:9000", hosts?.live]);
  expect(hostsOf([], "stranger")).toEqual([null, null]);
});

test("every adapter's method is a payment method, after the personal codes", () => {
  expect(methodsOf([adapter]).all.map(({ name }) => name)).toEqual(["wechatpay", "alipay", "testpay"]);
});

test("a listener receives each call until it stops", () => {
  const gateways = listGateways([adapter]);
  const observed: ObservedCall[] = [];
  const call: ObservedCall = { gateway: "testpay", verb: "query", outcome: "succeeded", seconds: 0.1 };
  const stop = gateways.onCall((one) => void observed.push(one));
  gateways.observe(call);
  stop();
  gateways.observe(call);
  expect(observed).toEqual([call]);
});
