import { createPublicKey, createSign } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { AlipaySdk, type AlipaySdkConfig } from "alipay-sdk";
import { generate } from "selfsigned";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { GatewayAccount, NewGatewayPayment } from "#gateways/index.ts";
import { received, type SimulatedWorld, simulatedWorld } from "#test/support/gateways/simulated/simulated-world.ts";
import { alipayMerchant } from "./adapter.ts";
import { readForm } from "./callback.ts";
import { isSignedBy, requestContent } from "./signature.ts";
import { openApp, type SimulatedApp } from "./simulator/accounts.ts";
import { alipayMerchantSimulator as simulator } from "./simulator.ts";

const title = "Two pots: 50% + \"more\" <茶> 'x' \\ %2B";
const payment = (world: SimulatedWorld, over: Partial<NewGatewayPayment> = {}): NewGatewayPayment => ({
  reference: "ps_00000000000000000000000009",
  amount: { amount_minor: 1_234, currency: "CNY" },
  title,
  notifyUrl: "https://shop.test/api/payments/alipay_merchant/webhook/gc_1",
  returnUrl: "https://shop.test/pay/token?from=provider&x=1",
  cancelUrl: "https://shop.test/pay/token?canceled=1",
  expiresAt: new Date(world.now().getTime() + 3_600_000),
  buyer: { ip: null, locale: "zh-CN", device: "phone", openid: null },
  metadata: {},
  ...over,
});

// Alipay's own library for Node against ours: what one signs the other verifies, and both talk to the simulator.
describe.each(["key", "certificate"] as const)("alipay-sdk in %s mode", (mode) => {
  let world: SimulatedWorld;
  let app: SimulatedApp;
  let fields: Record<string, string>;
  let account: GatewayAccount;
  let server: Server;
  let sdk: AlipaySdk;
  const timestamp = "2026-11-20 16:00:00";
  const sdkOf = (over: Partial<AlipaySdkConfig> = {}) => {
    const keys = mode === "key" ? { alipayPublicKey: app.alipayPublicKey } : certificatesOf(fields);
    const { port } = server.address() as AddressInfo;
    return new AlipaySdk({
      appId: app.appId,
      privateKey: app.appPrivateKey,
      keyType: "PKCS8",
      gateway: `http://127.0.0.1:${port}/gateway.do`,
      ...keys,
      ...over,
    });
  };
  beforeAll(async () => {
    world = simulatedWorld();
    fields = await simulator.openAccount(world, "shop");
    app = await openApp(world, "shop");
    server = createServer(async (request, response) => {
      const init = { method: request.method ?? "GET", headers: { "content-type": request.headers["content-type"] ?? "" } };
      const body = request.method === "POST" ? await buffer(request) : null;
      const answer = await simulator.handle(world, new Request(`http://127.0.0.1${request.url}`, { ...init, body }));
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(Buffer.from(await answer.arrayBuffer()));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    if (mode === "certificate") {
      fields = { ...fields, ...(await certify(app)) };
      const { appCertSn, alipayCertSn, alipayRootCertSn } = sdkOf().config as unknown as Record<string, string>;
      app = { ...app, certificates: { appCertSn: appCertSn ?? "", rootCertSn: alipayRootCertSn ?? "", alipayCertSn: alipayCertSn ?? "" } };
      await world.documents.put("app", app.appId, app);
    }
    sdk = sdkOf();
    account = alipayMerchant.open(fields, { livemode: false });
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  test("creates, queries and closes a payment at the simulator, and accepts its responses", async () => {
    const bizContent = { out_trade_no: "sdk_1", total_amount: "12.34", subject: title };
    const created = await sdk.exec("alipay.trade.precreate", { timestamp, bizContent }, { validateSign: true });
    expect(created).toMatchObject({ code: "10000", outTradeNo: "sdk_1", qrCode: expect.stringContaining("/pay/bax") });
    const query = () => sdk.exec("alipay.trade.query", { timestamp, bizContent: { out_trade_no: "sdk_1" } }, { validateSign: true });
    expect(await query()).toMatchObject({ code: "40004", subCode: "ACQ.TRADE_NOT_EXIST" });
    await simulator.simulate(world, { reference: "sdk_1", outcome: "canceled" });
    expect(await query()).toMatchObject({ code: "10000", tradeStatus: "WAIT_BUYER_PAY" });
    const closed = await sdk.exec("alipay.trade.close", { timestamp, bizContent: { out_trade_no: "sdk_1" } }, { validateSign: true });
    expect(closed).toMatchObject({ code: "10000", outTradeNo: "sdk_1" });
    expect(await account.query(world.call(simulator), { reference: "sdk_1", providerId: null })).toMatchObject({ state: "canceled" });
  });

  test("makes a refund at the simulator that the adapter then finds", async () => {
    const call = world.call(simulator);
    const reference = "ps_00000000000000000000000008";
    await account.create(call, payment(world, { reference, buyer: { ip: null, locale: "zh", device: "desktop", openid: null } }));
    await simulator.simulate(world, { reference, outcome: "paid" });
    const bizContent = { out_trade_no: reference, refund_amount: "3.00", out_request_no: "rf_1" };
    expect(await sdk.exec("alipay.trade.refund", { timestamp, bizContent }, { validateSign: true })).toMatchObject({
      code: "10000",
      fundChange: "Y",
    });
    const key = { reference, providerId: null, captureId: null, refundReference: "rf_1", providerRefundId: null };
    expect(await account.queryRefund(call, key)).toMatchObject({ state: "succeeded", amount: { amount_minor: 300, currency: "CNY" } });
  });

  test("verifies what the adapter signs", async () => {
    const { action } = await account.create(world.call(simulator), payment(world));
    if (action.type !== "redirect") throw new Error(action.type);
    const params = Object.fromEntries(new URL(action.url).searchParams);
    const gateway = new AlipaySdk({ appId: app.appId, privateKey: app.appPrivateKey, keyType: "PKCS8", alipayPublicKey: app.appPublicKey });
    expect(gateway.checkNotifySignV2(params)).toBe(true);
    expect(gateway.checkNotifySignV2({ ...params, app_id: "1" })).toBe(false);
    expect("app_cert_sn" in params).toBe(mode === "certificate");
  });

  test("signs what the adapter's rule verifies, and the simulator accepts it", async () => {
    const bizContent = {
      out_trade_no: "sdk_2",
      total_amount: "0.01",
      subject: title,
      product_code: "QUICK_WAP_WAY",
      quit_url: "https://shop.test/?a=1&b=2",
    };
    const url = sdk.pageExecute("alipay.trade.wap.pay", "GET", { timestamp, bizContent, return_url: "https://shop.test/?a=1&b=2" });
    const params = Object.fromEntries(new URL(url).searchParams);
    expect(isSignedBy(requestContent(params), params["sign"] ?? "", createPublicKey(app.appPublicKey))).toBe(true);
    expect((await simulator.handle(world, new Request(url))).status).toBe(302);
  });

  test("verifies the simulator's callbacks, and the adapter those that are signed the same way", async () => {
    const call = world.call(simulator);
    const reference = "ps_00000000000000000000000007";
    await account.create(call, payment(world, { reference, buyer: { ip: null, locale: "zh", device: "desktop", openid: null } }));
    await simulator.simulate(world, { reference, outcome: "paid" });
    const callback = await simulator.callbackOf(world, reference);
    const form = readForm(Buffer.from(callback.body));
    if (form === null) throw new Error("no form");
    expect(sdk.checkNotifySignV2(Object.fromEntries(form))).toBe(true);
    expect(await account.verify(call, received(callback, world.now()))).toMatchObject({ ok: true });
    if (mode === "key") return;
    const renewed = new URLSearchParams([...form].map(([name, value]) => [name, name === "alipay_cert_sn" ? "0".repeat(32) : value]));
    expect(await account.verify(call, received({ ...callback, body: renewed.toString() }, world.now()))).toEqual({
      ok: false,
      reason: "unknown_key",
    });
  });

  test("accepts a callback that is signed with the older RSA, which the adapter refuses", async () => {
    const call = world.call(simulator);
    const callback = await simulator.callbackOf(world, "ps_00000000000000000000000007");
    const form = Object.fromEntries(readForm(Buffer.from(callback.body)) ?? []);
    const { sign: _sign, sign_type: _type, ...signed } = form;
    const content = Object.entries(signed)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, value]) => `${name}=${value}`)
      .join("&");
    const old = { ...signed, sign_type: "RSA", sign: createSign("RSA-SHA1").update(content).sign(app.alipayPrivateKey, "base64") };
    expect(sdk.checkNotifySignV2(old)).toBe(true);
    const body = new URLSearchParams(old).toString();
    expect(await account.verify(call, received({ ...callback, body }, world.now()))).toEqual({ ok: false, reason: "unsupported" });
  });
});

function certificatesOf(fields: Record<string, string>): Partial<AlipaySdkConfig> {
  const {
    app_cert: appCertContent = "",
    alipay_public_key: alipayPublicCertContent = "",
    alipay_root_cert: alipayRootCertContent = "",
  } = fields;
  return { appCertContent, alipayPublicCertContent, alipayRootCertContent };
}

async function certify(app: SimulatedApp): Promise<Record<string, string>> {
  const name = [
    { name: "countryName", value: "CN" },
    { name: "organizationName", value: "Ant Financial" },
    { shortName: "OU", value: "Certification Authority" },
    { name: "commonName", value: "Ant Financial Certification Authority Class 1 R1" },
  ];
  const certificate = async (publicKey: string, privateKey: string) =>
    (await generate(name, { keyPair: { publicKey, privateKey }, algorithm: "sha256" })).cert;
  return {
    app_cert: await certificate(app.appPublicKey, app.appPrivateKey),
    alipay_public_key: await certificate(app.alipayPublicKey, app.alipayPrivateKey),
    alipay_root_cert: await certificate(app.alipayPublicKey, app.alipayPrivateKey),
  };
}
