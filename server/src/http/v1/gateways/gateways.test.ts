import { expect, test } from "vitest";
import { preparePaid } from "#notices/kinds/prepare-paid.ts";
import { englishEmails } from "#notices/words/english.ts";
import { createOrder, simulatePayment } from "#orders/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { oddMethods, testPay } from "#test/support/gateways/scripted/payment-methods.ts";
import { payShop } from "#test/support/payments/pay-shop.ts";
import { refusalsIn } from "#test/support/refusals/refusals.ts";

const app = await testApp({ methods: oddMethods, http: { perMinuteUnauthenticated: 1_000 } });
const { tenant, order: makeOrder } = await payShop(app);
const api = app.api(tenant.key);
const base = `/api/v1/projects/${tenant.project_id}`;
const refusals = refusalsIn(app);

refusals("GET /api/v1/projects/:projectId/gateways", () => ({}), []);

/** An order that was paid by the gateway that only tests have. */
async function paidByTestPay() {
  const { order } = await createOrder(app.ctx, tenant, { amount_minor: 900, currency: "CNY" });
  const { link } = await simulatePayment(app.ctx, tenant, { order_id: order.id });
  await runStatement(
    app.ctx.db,
    "update payment_sessions set gateway = ?, method = ? where order_id = ?",
    testPay.gateway,
    testPay.name,
    order.id,
  );
  return { id: order.id, token: link?.token ?? "" };
}

test("the list of gateways shows each with its currencies and its setup", async () => {
  const { body } = await api.get(`${base}/gateways`);
  const common = { object: "gateway", kind: "personal_qr", configured: true, enabled: true };
  expect(body).toMatchObject({
    object: "list",
    has_more: false,
    data: [
      {
        ...common,
        slug: "wechatpay",
        channel: "wechat",
        names: { en: "WeChat Pay", zh: "微信支付" },
        currencies: ["CNY", "USD"],
        position: 1,
      },
      { ...common, slug: "alipay", channel: "alipay", currencies: ["CNY"], position: 2 },
      {
        slug: "testpay",
        kind: "gateway",
        channel: null,
        names: testPay.names,
        currencies: ["EUR"],
        configured: false,
        enabled: false,
        position: 3,
      },
    ],
  });
});

test("a method in the list is a value of filters and of the document, but not of what only codes accept", async () => {
  for (const list of ["orders", "exceptions"])
    expect((await api.get(`${base}/${list}?gateway=testpay`)).body).toMatchObject({ object: "list" });
  const refused = await api.get(`${base}/orders?gateway=stranger`);
  expect(refused.body.error.message).toContain("must be one of wechatpay, alipay, testpay (");
  const { schemas } = (await (await app.server()).inject("/openapi.json")).json().components;
  expect(schemas.GatewaySlug.enum).toEqual(["wechatpay", "alipay", "testpay"]);
  expect(schemas.PersonalGatewaySlug.enum).toEqual(["wechatpay", "alipay"]);
  const { order } = await makeOrder();
  expect(await api.post(`${base}/orders/${order.id}/payments`, { gateway: "testpay" })).toMatchObject({
    status: 400,
    body: { error: { param: "gateway" } },
  });
});

test("the page names a method from the list in both languages, with its icon", async () => {
  const { id, token } = await paidByTestPay();
  for (const [lang, name] of Object.entries(testPay.names)) {
    const page = (await (await app.server()).inject(`/pay/${token}?lang=${lang}`)).payload;
    expect(page).toContain(name);
  }
  expect((await api.get(`${base}/orders?gateway=testpay`)).body.data).toMatchObject([{ id }]);
});

test("the buyer's emailed receipt names it", async () => {
  const { id: order_id } = await paidByTestPay();
  const prepared = await preparePaid(app.ctx, { project_id: tenant.project_id, livemode: false, order_id, gateway: testPay.gateway });
  if (prepared === null) throw new Error("nothing to tell");
  const money = () => ({ whole: "", symbol: "", number: "", plain: "" });
  const say = { money, time: () => "", period: () => "", countryNames: () => [], command: () => "", host: "" };
  expect(englishEmails.order_paid(prepared.facts, say).facts).toContainEqual(["Payment method", "Test Pay"]);
});

test("a method takes its own currencies: others are hidden on the page, refused at the start, and cause a warning", async () => {
  const dollars = await makeOrder({ currency: "USD" });
  expect((await api.get(`/api/public/pay/${dollars.token}`)).body.channels).toEqual(["wechatpay"]);
  expect((await api.get(`${base}/orders/${dollars.order.id}`)).body.warnings).toEqual([]);
  const start = (gateway: string) => api.post(`${base}/orders/${dollars.order.id}/payments`, { gateway });
  expect(await start("alipay")).toMatchObject({
    status: 400,
    body: { error: { code: "unsupported_currency", message: "Alipay only accepts CNY." } },
  });
  expect(await start("wechatpay")).toMatchObject({ status: 201, body: { currency: "USD" } });
  const euros = await makeOrder({ currency: "EUR" });
  expect((await api.get(`/api/public/pay/${euros.token}`)).body.channels).toEqual([]);
  expect((await api.get(`${base}/orders/${euros.order.id}`)).body.warnings).toMatchObject([{ code: "no_payment_method" }]);
});

test("a receipt is in a currency that its channel takes", async () => {
  const record = (channel: string, currency: string) =>
    api.post(`${base}/receipts`, {
      channel,
      currency,
      amount_minor: 4321,
      occurred_at: app.ctx.now().toISOString(),
      external_id: `${channel}-${currency}`,
    });
  expect(await record("wechat", "USD")).toMatchObject({ status: 201, body: { currency: "USD" } });
  expect(await record("alipay", "USD")).toMatchObject({
    status: 400,
    body: { error: { code: "unsupported_currency", param: "currency" } },
  });
});

test.each([
  [{ type: "redirect", url: "https://pay.example/1" }],
  [{ type: "form", action: "https://pay.example/", fields: { token: "1" } }],
  [{ type: "wechat_jsapi", params: { package: "prepay_id=1" } }],
  [{ type: "display_qr", qr_payload: "testpay://1" }],
])("a payment through a gateway says what the buyer does next: $type", async (action) => {
  const { order, token } = await makeOrder();
  const { body: made } = await api.post(`${base}/orders/${order.id}/payments`, { gateway: "alipay" });
  const data = JSON.stringify({ type: "gateway", next_action: action });
  await runStatement(
    app.ctx.db,
    "update payment_sessions set gateway = 'testpay', method = 'testpay', channel = null, account = 'gc_1', method_data = ?::text::jsonb where id = ?",
    data,
    made.id,
  );
  const { latest_payment_session: shown } = (await api.get(`${base}/orders/${order.id}`)).body;
  expect(shown).toMatchObject({
    ...{
      gateway: "testpay",
      method: "testpay",
      method_data: { type: "gateway" },
      account: "gc_1",
      channel: null,
      matching_mode: null,
      remark_code: null,
    },
    next_action: action,
  });
  const page = (await api.get(`/api/public/pay/${token}`)).body;
  const isCode = action.type === "display_qr";
  expect(page).toMatchObject({
    state: "pay",
    session: { gateway: "testpay", leads_away: !isCode, qr_payload: isCode ? "testpay://1" : null },
  });
  expect((await (await app.server()).inject(`/pay/${token}/qr.svg`)).statusCode).toBe(isCode ? 200 : 404);
});
