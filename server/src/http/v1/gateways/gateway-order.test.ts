import { expect, test } from "vitest";
import { cancelOrder, startPayment } from "#orders/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { gatewayShop } from "#test/support/gateways/scripted/gateway-shop.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { visitor } from "#test/support/people/visitors.ts";

const app = await testApp({ gateways: { adapters: [payingGateway().adapter] }, http: { perMinuteUnauthenticated: 100_000 } });

async function orderedShop() {
  const shop = await gatewayShop(app);
  await shop.account("a");
  const { project_id, merchant_id, key } = shop.tenant;
  const path = `/api/v1/projects/${project_id}`;
  const owner = await visitor(app, { merchant_id });
  const change = (settings: object) => owner.api.call("PATCH", path, { body: { settings } });
  return {
    ...{ ...shop, change },
    put: (gateway_order: unknown) => change({ gateway_order }),
    listed: async () => {
      const { data } = (await app.api(key).get(`${path}/gateways`)).body as unknown as { data: { slug: string; position: number }[] };
      expect(data.map(({ position }) => position)).toEqual([1, 2, 3]);
      return data.map(({ slug }) => slug);
    },
    offered: async (token: string) => (await app.api().get(`/api/public/pay/${token}`)).body.channels,
    /** The page that a buyer sees, without a script. */
    shown: async (token: string) => {
      const page = (await (await app.server()).inject(`/pay/${token}?lang=en`)).payload;
      return [...page.matchAll(/name="gateway" value="([a-z]+)"/g)].map(([, name]) => name);
    },
  };
}

test("a merchant's order of gateways rules the list of gateways and the payment page, receiving codes included", async () => {
  const shop = await orderedShop();
  const { token } = await shop.order();
  const usual = ["wechatpay", "alipay", "testpay"];
  expect([await shop.listed(), await shop.offered(token)]).toEqual([usual, usual]);
  expect(await shop.put(["testpay", "alipay"])).toMatchObject({
    status: 200,
    body: { settings: { gateway_order: ["testpay", "alipay"] } },
  });
  const own = ["testpay", "alipay", "wechatpay"];
  expect([await shop.listed(), await shop.offered(token)]).toEqual([own, own]);
  expect(await shop.shown(token)).toEqual(own);
  expect((await shop.change({})).status).toBe(200);
  expect([await shop.listed(), await shop.offered(token)]).toEqual([usual, usual]);
});

test("a canceled order lists what its buyer can have paid with in the same order, and another project's order changes nothing", async () => {
  const shop = await orderedShop();
  const other = await orderedShop();
  await shop.put(["testpay", "alipay"]);
  const { order, token } = await shop.order();
  for (const gateway of ["wechatpay", "alipay"] as const) await startPayment(app.ctx, shop.tenant, { order_id: order.id, gateway });
  await cancelOrder(app.ctx, shop.tenant, { order_id: order.id });
  expect(await shop.offered(token)).toEqual(["alipay", "wechatpay"]);
  expect(await other.listed()).toEqual(["wechatpay", "alipay", "testpay"]);
});

test.each<[string, unknown]>([
  ["a gateway that doesn't exist", ["stranger"]],
  ["a gateway twice", ["alipay", "alipay"]],
  ["what isn't a list", "alipay"],
])("an order with %s is refused", async (_what, given) => {
  const shop = await orderedShop();
  expect(await shop.put(given)).toMatchObject({ status: 400, body: { error: { code: "parameter_invalid" } } });
  expect(await shop.listed()).toEqual(["wechatpay", "alipay", "testpay"]);
});
