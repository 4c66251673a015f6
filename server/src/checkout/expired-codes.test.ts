import { expect, test } from "vitest";
import { wechatApp } from "#test/support/gateways/simulated/wechat-app.ts";
import { visitorsOf } from "#test/support/people/visitor-browser.ts";
import { chinese } from "./page/words/chinese.ts";
import { english } from "./page/words/english.ts";

const { app, shop: openShop } = await wechatApp();
const browserOf = visitorsOf(app, "wechatpay_merchant");
const desktopAgent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0";
const phoneAgent = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Version/17.0 Mobile/15E148 Safari/604.1";
const codeMs = 7_200_000;
const pageMs = 300_000;

const open = async (agent: string) => {
  const { token } = await (await openShop()).order();
  const visitor = browserOf(agent);
  await visitor.choose(token);
  const view = async () => (await app.api().get(`/api/public/pay/${token}`)).body;
  return { token, visitor, view };
};

test("a code that expires before its payment is replaced on the page by a button that shows a new one", async () => {
  const { token, visitor, view } = await open(desktopAgent);
  const first = await view();
  const until = new Date(app.clock.now().getTime() + codeMs).toISOString();
  expect(first).toMatchObject({ state: "pay", session: { qr_payload: expect.stringMatching(/^http/), expires_at: until } });
  expect((await visitor.page(`/pay/${token}/qr.svg`)).status).toBe(200);

  app.clock.advance(codeMs + 1_000);
  const over = await view();
  expect(over).toMatchObject({ state: "pay", session: { gateway: "wechatpay_merchant", status: "pending", qr_payload: null } });
  expect(over.version).not.toBe(first.version);
  const { text } = await visitor.page(`/pay/${token}`);
  expect(text).toContain(`<button class="button primary" name="gateway" value="wechatpay_merchant">${english.newCode}</button>`);
  expect(text).not.toContain("qr.svg");
  expect((await visitor.page(`/pay/${token}?lang=zh`)).text).toContain(chinese.newCode);
  expect((await visitor.page(`/pay/${token}/qr.svg`)).status).toBe(404);

  expect((await visitor.choose(token)).headers["location"]).toBe(`/pay/${token}`);
  const renewed = await view();
  expect(renewed).toMatchObject({ state: "pay", session: { qr_payload: expect.stringMatching(/^http/), status: "pending" } });
  expect(renewed.session.qr_payload).not.toBe(first.session.qr_payload);
  expect((await visitor.page(`/pay/${token}`)).text).toContain("qr.svg");
});

test("a provider's page that expires before its payment isn't opened any more, and is renewed", async () => {
  const { token, visitor } = await open(phoneAgent);
  const first = await visitor.leads(token);
  expect(first).toContain("prepay_id=");
  app.clock.advance(pageMs + 1_000);
  expect(await visitor.page(`/pay/${token}/go`)).toMatchObject({ status: 303, headers: { location: `/pay/${token}` } });
  expect((await visitor.choose(token)).headers["location"]).toBe(`/pay/${token}/go`);
  const renewed = await visitor.leads(token);
  expect(renewed).toContain("prepay_id=");
  expect(renewed).not.toBe(first);
});

test("a code or page that has expired isn't the next action of the API either, until the payment is started again", async () => {
  const { tenant, order: make } = await openShop();
  const { order } = await make();
  const api = app.api(tenant.key);
  const base = `/api/v1/projects/${tenant.project_id}`;
  const start = () => api.post(`${base}/orders/${order.id}/payments`, { gateway: "wechatpay_merchant" });
  const actions = async (id: string) => [
    (await api.get(`${base}/payment-sessions/${id}`)).body.next_action,
    (await api.get(`${base}/orders/${order.id}`)).body.latest_payment_session.next_action,
    (await api.get(`${base}/orders/${order.id}/payments`)).body.data[0].next_action,
    (await api.get(`${base}/gateways/wechatpay_merchant/payments?reference=${order.reference}`)).body.next_action,
  ];
  const { body: first } = await start();
  expect(first.next_action).toMatchObject({ type: "display_qr", qr_payload: expect.any(String) });
  expect(await actions(first.id)).toEqual([first.next_action, first.next_action, first.next_action, first.next_action]);

  app.clock.advance(codeMs + 1_000);
  expect(await actions(first.id)).toEqual([null, null, null, null]);
  const { body: payment } = await api.get(`${base}/gateways/wechatpay_merchant/payments?reference=${order.reference}`);
  expect(payment.status).toBe("pending");
  const { body: renewed, status } = await start();
  expect([status, renewed.id]).toEqual([200, first.id]);
  expect(renewed.next_action.qr_payload).not.toBe(first.next_action.qr_payload);
  expect(await actions(first.id)).toEqual([renewed.next_action, renewed.next_action, renewed.next_action, renewed.next_action]);
});

test("a receiving code isn't a next action once its payment has expired", async () => {
  const { tenant, order: make } = await openShop();
  const { order } = await make();
  const api = app.api(tenant.key);
  const base = `/api/v1/projects/${tenant.project_id}`;
  const { body: session } = await api.post(`${base}/orders/${order.id}/payments`, { gateway: "wechatpay" });
  expect(session.next_action).toMatchObject({ type: "display_qr" });
  app.clock.advance(Date.parse(session.expires_at) - app.clock.now().getTime() + 1_000);
  const { body: later } = await api.get(`${base}/payment-sessions/${session.id}`);
  expect([later.status, later.next_action]).toEqual(["pending", null]);
});
