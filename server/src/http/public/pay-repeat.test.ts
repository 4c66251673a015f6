import { expect, test } from "vitest";
import { putProfile } from "#collection/index.ts";
import { cancelOrder, createOrder } from "#orders/index.ts";
import { testApp } from "#test/support/app/test-app.ts";

const { ctx, tenant, server } = await testApp();
const shop = await tenant();
await putProfile(ctx, shop, { channel: "wechat", if_version: null, qr_payload: "wxp://f2f0AbCdEfGhIjKlMnOpQrStUvWxYz01234" });

async function aLink() {
  const { order, link } = await createOrder(ctx, shop, { amount_minor: 8800, currency: "CNY" });
  return { order, path: `/api/public/pay/${link?.token}` };
}

async function post(path: string, body: object, key: string) {
  const reply = await (await server()).inject({ method: "POST", url: path, payload: body, headers: { "idempotency-key": key } });
  return { status: reply.statusCode, body: reply.json(), replayed: reply.headers["idempotent-replayed"] };
}

test("a buyer's repeated request has one effect and gets the first response", async () => {
  const { path } = await aLink();
  const first = await post(`${path}/initiate`, { gateway: "wechatpay" }, "tap-1");
  const again = await post(`${path}/initiate`, { gateway: "wechatpay" }, "tap-1");
  expect([first.status, again.status, again.replayed]).toEqual([201, 201, "true"]);
  expect(again.body.id).toBe(first.body.id);
  const proof = await post(`${path}/voucher`, { transaction_reference: "420000119" }, "proof-1");
  const sameProof = await post(`${path}/voucher`, { transaction_reference: "420000119" }, "proof-1");
  expect([proof.status, sameProof.status, sameProof.body.id, sameProof.replayed]).toEqual([201, 201, proof.body.id, "true"]);
});

test("a buyer's key with another body is refused", async () => {
  const { path } = await aLink();
  await post(`${path}/report`, { gateway: "wechatpay" }, "say-1");
  const other = await post(`${path}/report`, { gateway: "alipay" }, "say-1");
  expect([other.status, other.body.error.code]).toEqual([422, "idempotency_key_reused"]);
});

test("the response is the same even if the link expired in the meantime", async () => {
  const { order, path } = await aLink();
  const first = await post(`${path}/initiate`, { gateway: "wechatpay" }, "tap-2");
  await cancelOrder(ctx, shop, { order_id: order.id });
  const again = await post(`${path}/initiate`, { gateway: "wechatpay" }, "tap-2");
  expect([again.status, again.body.id, again.replayed]).toEqual([201, first.body.id, "true"]);
});
