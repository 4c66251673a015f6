import { describe, expect, test } from "vitest";
import type { GatewayAction } from "#gateways/index.ts";
import { findGatewayPayment } from "#orders/rows/gateway-payments.sql.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { type GatewayShop, gatewayShop, pollDue } from "#test/support/gateways/scripted/gateway-shop.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";

let action: GatewayAction | null = null;
const gateway = payingGateway({
  action: ({ reference }) => action ?? { type: "redirect", url: `https://testpay.example/pay/${reference}?a=1&b=2` },
});
const app = await testApp({
  gateways: { adapters: [gateway.adapter] },
  http: { perMinuteLinkInitiate: 1_000, perMinuteLinkReads: 10_000 },
});
const html = { accept: "text/html", "content-type": "application/x-www-form-urlencoded" };

const open = async (): Promise<GatewayShop> => {
  const shop = await gatewayShop(app);
  await shop.account("tp_a");
  return shop;
};
const initiate = (token: string, headers: Record<string, string> = {}) =>
  app.api().call("POST", `/api/public/pay/${token}/initiate`, { headers: { ...html, ...headers }, payload: "gateway=testpay" });
const page = (path: string) => app.api().get(path, { headers: { accept: "text/html" } });
const away = async (next: GatewayAction) => {
  action = next;
  const shop = await open();
  const { token } = await shop.order();
  const led = await initiate(token);
  action = null;
  return { shop, token, led };
};

describe("a gateway whose buyers pay elsewhere", () => {
  test("is chosen with a form, and redirects there by a page that needs no script", async () => {
    const { token, led } = await away({ type: "redirect", url: "https://testpay.example/pay?a=1&b=2" });
    expect(led).toMatchObject({ status: 303, headers: { location: `/pay/${token}/go` } });
    const going = await page(`/pay/${token}/go`);
    expect(going.status).toBe(200);
    expect(going.text).toContain('<meta http-equiv="refresh" content="0; url=https://testpay.example/pay?a&#61;1&#38;b&#61;2">');
    expect(going.text).toContain('href="https://testpay.example/pay?a&#61;1&#38;b&#61;2"');
    expect(going.headers["content-security-policy"]).toContain("form-action 'self';");
    const shown = await page(`/pay/${token}`);
    expect(shown.text).toContain('value="testpay">Continue to Test Pay</button>');
    expect(shown.text).not.toContain("I have paid");
  });

  test("by a form of theirs posts it, and only that page may post there", async () => {
    const { token } = await away({
      type: "form",
      action: "https://form.testpay.example/gateway.do",
      fields: { sign: '"><script>', total: "99.00" },
    });
    const going = await page(`/pay/${token}/go`);
    expect(going.text).toContain('<form method="post" action="https://form.testpay.example/gateway.do" data-auto>');
    expect(going.text).toContain('name="total" value="99.00"');
    expect(going.text).not.toContain("<script>");
    expect(going.headers["content-security-policy"]).toContain("form-action 'self' https://form.testpay.example;");
    expect((await page(`/pay/${token}`)).headers["content-security-policy"]).toContain("form-action 'self';");
  });

  test.each<[string, GatewayAction]>([
    ["a script", { type: "redirect", url: "javascript:alert(1)" }],
    ["a document of its own", { type: "redirect", url: "data:text/html,<script>alert(1)</script>" }],
    ["an address on this host", { type: "redirect", url: "/pay/another" }],
    ["a form's script", { type: "form", action: "javascript:alert(1)", fields: {} }],
  ])("redirects no one to anything but a web page: %s", async (_what, next) => {
    const { token, led } = await away(next);
    expect(led).toMatchObject({ status: 303, headers: { location: `/pay/${token}?problem=gateway_timeout` } });
    expect(await page(`/pay/${token}/go`)).toMatchObject({ status: 303, headers: { location: `/pay/${token}` } });
    expect((await app.api().get(`/api/public/pay/${token}`)).body.session?.next_action ?? null).toBeNull();
  });

  test("learns the host that its buyers come from, but no payment link", async () => {
    const { token } = await away({ type: "redirect", url: "https://testpay.example/pay" });
    const going = await page(`/pay/${token}/go`);
    expect(going.headers["referrer-policy"]).toBe("strict-origin");
    // Before the page redirects automatically.
    expect(going.text).toMatch(/<meta name="referrer" content="strict-origin">[\s\S]*<meta http-equiv="refresh"/);
    expect(going.text).toContain('href="https://testpay.example/pay" referrerpolicy="strict-origin"');
    const shown = await page(`/pay/${token}`);
    expect(shown.headers["referrer-policy"]).toBe("no-referrer");
    expect(shown.text).toContain('<meta name="referrer" content="no-referrer">');
  });

  test("inside WeChat opens in the browser that it was created for, and in no other", async () => {
    const { token, led } = await away({ type: "wechat_jsapi", params: { appId: "wx1", paySign: "x\"'<" } });
    const cookie = String(led.headers["set-cookie"]).split(";")[0] ?? "";
    const open = (headers: Record<string, string>) => app.api().get(`/pay/${token}/go`, { headers: { accept: "text/html", ...headers } });
    expect((await open({ cookie })).text).toContain("data-jsapi=");
    expect(await open({})).toMatchObject({ status: 303, headers: { location: `/pay/${token}` } });
  });

  test("shows returning buyers that the payment is being checked, until the outcome is known", async () => {
    const { shop, token } = await away({ type: "redirect", url: "https://testpay.example/pay" });
    const back = await page(`/pay/${token}?back=paid`);
    expect(back.text).toContain("Checking your payment");
    expect(back.text).toContain("confirming your payment with Test Pay");
    expect((await page(`/pay/${token}?back=paid&lang=zh`)).text).toContain("正在向测试支付查询");
    const [payment] = [...gateway.payments.values()].slice(-1);
    gateway.change(payment?.reference ?? "", { state: "processing" });
    app.clock.advance(1_500);
    await pollDue(app);
    expect((await app.api().get(`/api/public/pay/${token}`)).body).toMatchObject({
      state: "checking",
      can_report: false,
      can_prove: false,
      can_withdraw: false,
    });
    expect((await page(`/pay/${token}`)).text).toContain("confirming your payment with Test Pay");
    gateway.pay(payment?.reference ?? "");
    app.clock.advance(5_000);
    await pollDue(app);
    expect((await page(`/pay/${token}?back=paid`)).text).toContain("<h1>Paid</h1>");
    expect(await findGatewayPayment(app.ctx.db, shop.tenant, payment?.reference ?? "")).toMatchObject({ status: "done" });
    expect(await page(`/pay/${token}/go`)).toMatchObject({ status: 303 });
  });
});

test("a gateway's code is shown on the page, and nothing needs to be reported", async () => {
  const { token, led } = await away({ type: "display_qr", qr_payload: "testpay://pay/1" });
  expect(led).toMatchObject({ status: 303, headers: { location: `/pay/${token}` } });
  const shown = await page(`/pay/${token}`);
  expect(shown.text).toContain(`/pay/${token}/qr.`);
  expect(shown.text).not.toContain("I have paid");
  expect(await app.api().get(`/pay/${token}/qr.png`)).toMatchObject({ status: 200 });
  expect((await app.api().get(`/api/public/pay/${token}`)).body).toMatchObject({
    state: "pay",
    can_report: false,
    session: { kind: "gateway", leads_away: false, qr_payload: "testpay://pay/1" },
  });
});

test("a gateway is offered if it takes the order's currency and amount", async () => {
  const shop = await open();
  const channels = async (input: object) => (await app.api().get(`/api/public/pay/${(await shop.order(input)).token}`)).body.channels;
  expect(await channels({})).toEqual(["wechatpay", "alipay", "testpay"]);
  expect(await channels({ currency: "EUR" })).toEqual(["testpay"]);
  expect(await channels({ currency: "USD" })).toEqual([]);
  expect(await channels({ amount_minor: 49 })).toEqual(["wechatpay", "alipay"]);
});

test("a program gets the session as its response, and a browser sees errors on the page", async () => {
  const shop = await open();
  const { token } = await shop.order();
  gateway.fault("create", { kind: "declined" });
  const refused = await initiate(token);
  expect(refused).toMatchObject({ status: 303, headers: { location: `/pay/${token}?problem=gateway_error` } });
  expect((await page(`/pay/${token}?problem=gateway_error`)).text).toContain("The payment was declined.");
  gateway.fault("create", { kind: "unknown_outcome", after: true });
  expect(await initiate(token)).toMatchObject({ status: 303, headers: { location: `/pay/${token}?problem=gateway_timeout` } });
  const answer = await app.api().post(`/api/public/pay/${token}/initiate`, { gateway: "testpay" });
  expect(answer).toMatchObject({ status: 200, body: { gateway: "testpay", next_action: { type: "redirect" } } });
});

test("the provider learns the buyer's device, language and origin", async () => {
  const shop = await open();
  const { token } = await shop.order();
  const agent = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X)";
  await app.api().call("POST", `/api/public/pay/${token}/initiate`, {
    headers: { ...html, "user-agent": agent, "accept-language": "zh" },
    payload: "gateway=testpay",
    from: "203.0.113.9",
  });
  const [payment] = [...gateway.payments.values()].slice(-1);
  expect(payment?.wanted.buyer).toMatchObject({ ip: "203.0.113.9", locale: "zh-CN", device: "phone", openid: null });
  expect(payment?.wanted).toMatchObject({
    returnUrl: `http://localhost:8080/pay/${token}?back=paid`,
    notifyUrl: expect.stringMatching(/\/api\/payments\/testpay\/webhook\/gc_\w{26}$/),
  });
});

describe("a buyer's language", () => {
  const wantedBy = async (token: string, query = "") => {
    const headers = { ...html, "accept-language": "en" };
    await app.api().call("POST", `/api/public/pay/${token}/initiate${query}`, { headers, payload: "gateway=testpay" });
    return [...gateway.payments.values()].at(-1)?.wanted;
  };

  test("comes back with them from the provider, like the colors that they chose", async () => {
    const shop = await open();
    const { token } = await shop.order();
    expect(await wantedBy(token, "?lang=zh&theme=dark")).toMatchObject({
      buyer: { locale: "zh-CN" },
      returnUrl: `http://localhost:8080/pay/${token}?back=paid&lang=zh&theme=dark`,
      cancelUrl: `http://localhost:8080/pay/${token}?lang=zh&theme=dark`,
    });
  });

  test("is at the provider the one of the order, as on the page, unless they chose another", async () => {
    const shop = await open();
    const order = async () => (await shop.order({ locale: "zh-CN" })).token;
    expect(await wantedBy(await order())).toMatchObject({ buyer: { locale: "zh-CN" } });
    expect(await wantedBy(await order(), "?lang=en")).toMatchObject({ buyer: { locale: expect.stringMatching(/^en/) } });
  });
});

test("an open payment's page says that nothing needs to be reported: a report triggers a query to the provider", async () => {
  const shop = await open();
  const { order, token, session } = await shop.started();
  gateway.pay(session.id);
  expect((await app.api().post(`/api/public/pay/${token}/report`, {})).body).toMatchObject({ state: "pay" });
  app.clock.advance(1);
  await pollDue(app);
  expect((await app.api().get(`/api/public/pay/${token}`)).body).toMatchObject({ state: "paid", order: { reference: order.reference } });
});

describe("a form whose request can't be processed right now", () => {
  const unavailable = async () => {
    const shop = await open();
    const { token } = await shop.order();
    gateway.fault("create", { kind: "unavailable" });
    return token;
  };

  test("leads a browser back to the page with the reason, and a script with a key gets the status and when to repeat it", async () => {
    const token = await unavailable();
    expect(await initiate(token)).toMatchObject({ status: 303, headers: { location: `/pay/${token}?problem=service_unavailable` } });
    const kept = await initiate(await unavailable(), { "idempotency-key": "tap-1" });
    expect(kept).toMatchObject({ status: 503, headers: { "retry-after": expect.stringMatching(/^\d+$/) } });
    expect(kept.text).toContain('id="main"');
  });

  test.each([{}, { "idempotency-key": "tap-2" }])("doesn't count for the limit, with the headers %j", async (headers) => {
    const token = await unavailable();
    const left = async () => Number((await initiate(token, headers)).headers["x-ratelimit-remaining"]);
    const first = await left();
    gateway.fault("create", { kind: "unavailable" });
    expect(await left()).toBe(first);
  });
});
