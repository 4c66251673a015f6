import { describe, expect, test } from "vitest";
import { expireDue, findOrder, revokePaymentLink } from "#orders/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { type GatewayShop, gatewayShop } from "#test/support/gateways/scripted/gateway-shop.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";

const gateway = payingGateway();
const app = await testApp({ gateways: { adapters: [gateway.adapter] } });
const { ctx, clock } = app;
const buyer = app.api(null);

const path = (token: string, action = "") => `/api/public/pay/${token}${action}`;
const choose = async (token: string, name: string) => (await buyer.post(path(token, "/initiate"), { gateway: name })).body.id as string;
const open = async (): Promise<GatewayShop> => {
  const shop = await gatewayShop(app);
  await shop.account("tp_a");
  return shop;
};
/** An order whose link was revoked while a payment was open. */
const revoked = async (shop: GatewayShop, ...names: string[]) => {
  const { order, token } = await shop.order();
  let last = "";
  for (const name of names) last = await choose(token, name);
  await revokePaymentLink(ctx, shop.tenant, { order_id: order.id });
  return { order, token, last };
};
const ways = [
  { way: "/report", body: {} },
  { way: "/voucher", body: { transaction_reference: "4821" } },
];

describe.each(ways)("a report of the channel that the buyer names, by $way,", ({ way, body }) => {
  test("belongs to that channel although another one's code was shown last", async () => {
    const shop = await open();
    const { order, token } = await revoked(shop, "wechatpay", "alipay");
    expect((await buyer.post(path(token, way), { ...body, gateway: "wechatpay" })).status).toBeLessThan(300);
    expect(await findOrder(ctx, shop.tenant, order.id)).toMatchObject({
      order: { status: "pending_verify" },
      session: { gateway: "wechatpay", status: "pending_verify" },
    });
  });

  test("is stored although a provider's payment is open, which is closed there first", async () => {
    const shop = await open();
    const { order, token, last } = await revoked(shop, "wechatpay", "testpay");
    expect((await buyer.post(path(token, way), { ...body, gateway: "wechatpay" })).status).toBeLessThan(300);
    expect(gateway.payments.get(last)).toMatchObject({ state: "canceled" });
    expect((await buyer.get(path(token))).body).toMatchObject({ state: "checking", session: { gateway: "wechatpay" } });
    expect((await findOrder(ctx, shop.tenant, order.id)).order.status).toBe("pending_verify");
  });

  test("is refused, and nothing changes, while the provider doesn't say whether its payment is closed", async () => {
    const shop = await open();
    const { order, token, last } = await revoked(shop, "wechatpay", "testpay");
    gateway.fault("close", { kind: "unavailable", of: last });
    const refused = await buyer.post(path(token, way), { ...body, gateway: "wechatpay" });
    expect([refused.status, refused.body.error.code]).toEqual([409, "session_active"]);
    expect(await findOrder(ctx, shop.tenant, order.id)).toMatchObject({
      order: { status: "unpaid" },
      session: { id: last, status: "pending" },
    });
  });
});

test('"I have paid" on a page that still shows another code belongs to that code', async () => {
  const shop = await open();
  const { order, token } = await shop.order();
  await choose(token, "wechatpay");
  const { text } = await buyer.get(`/pay/${token}`, { headers: { accept: "text/html" } });
  const form = /<form [^>]*action="([^"]*\/report)"[^>]*>\s*<input type="hidden" name="gateway" value="(\w+)">/.exec(text);
  await choose(token, "alipay");
  expect((await buyer.post(form?.[1] ?? "", { gateway: form?.[2] })).status).toBe(200);
  expect(await findOrder(ctx, shop.tenant, order.id)).toMatchObject({
    order: { status: "pending_verify" },
    session: { gateway: "wechatpay", status: "pending_verify" },
  });
});

describe("the form for a buyer who has already paid", () => {
  const checkedOn = async (token: string) =>
    [...(await buyer.get(`/pay/${token}`, { headers: { accept: "text/html" } })).text.matchAll(/value="(\w+)" required (checked)?/g)].map(
      ([, name, checked]) => `${name}${checked === undefined ? "" : " checked"}`,
    );

  test("has the channel checked whose code was shown, also after its time and the order's", async () => {
    const shop = await open();
    const { token } = await shop.order({ expires_in: 3600 });
    await choose(token, "alipay");
    clock.advance(31 * 60_000);
    expect(await checkedOn(token)).toEqual(["wechatpay", "alipay checked"]);
    clock.advance(31 * 60_000);
    await expireDue(ctx);
    expect(await checkedOn(token)).toEqual(["wechatpay", "alipay checked"]);
  });

  test("has none checked if no code was shown: the buyer knows", async () => {
    const shop = await open();
    expect(await checkedOn((await revoked(shop)).token)).toEqual(["wechatpay", "alipay"]);
  });
});
