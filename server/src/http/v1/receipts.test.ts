import { expect, test } from "vitest";
import { createOrder, startPayment } from "#orders/index.ts";
import { multipart } from "#test/api.ts";
import { house, type TestTenant } from "#test/house.ts";
import { refusalsIn } from "#test/refusals.ts";
import { wechatStatement } from "#test/statements.ts";

const home = await house({ http: { perMinuteUnauthenticated: 1_000 } });
const refusals = refusalsIn(home);

const receipts = (shop: TestTenant) => `/api/v1/projects/${shop.project_id}/receipts`;
const receipt = { channel: "wechat", amount_minor: 990, occurred_at: "2026-11-20T08:01:00Z", external_id: "1000049901202611201234567890" };
const statement = multipart(wechatStatement([{}]));
const sent = { payload: statement.payload, headers: { "content-type": statement.type } };

refusals("GET /api/v1/projects/:projectId/receipts", () => ({}), [
  { name: "a state that is none", query: "status=odd", status: 400, code: "parameter_invalid", param: "status" },
  { name: "a cursor that names nothing", query: "starting_after=rcp_none", status: 400, code: "invalid_cursor", param: "starting_after" },
]);
refusals("POST /api/v1/projects/:projectId/receipts", () => ({ body: receipt }), [
  { name: "no amount", body: { ...receipt, amount_minor: undefined }, status: 400, code: "parameter_missing", param: "amount_minor" },
  { name: "half a cent", body: { ...receipt, amount_minor: 0.5 }, status: 400, code: "amount_out_of_range", param: "amount_minor" },
  { name: "dollars", body: { ...receipt, currency: "USD" }, status: 400, code: "unsupported_currency", param: "currency" },
  { name: "a statement's source", body: { ...receipt, source: "statement" }, status: 400, code: "parameter_invalid", param: "source" },
  { name: "year 0", body: { ...receipt, occurred_at: "0000-01-01T00:00:00Z" }, status: 400, code: "parameter_invalid", param: "occurred_at" },
  {
    name: "a year beyond the last",
    body: { ...receipt, occurred_at: "9999-12-31T23:59:59-23:59" },
    status: 400,
    code: "parameter_invalid",
    param: "occurred_at",
  },
  { name: "a leap second", body: { ...receipt, occurred_at: "2026-06-30T23:59:60Z" }, status: 400, code: "parameter_invalid", param: "occurred_at" },
  { name: "half an offset", body: { ...receipt, occurred_at: "2026-11-01T00:00:00+00" }, status: 400, code: "parameter_invalid", param: "occurred_at" },
  { name: "no time of day", body: { ...receipt, occurred_at: "2026-11-01" }, status: 400, code: "parameter_invalid", param: "occurred_at" },
  { name: "a number with a space", body: { ...receipt, external_id: "10 00" }, status: 400, code: "parameter_invalid", param: "external_id" },
]);
refusals("POST /api/v1/projects/:projectId/receipts/import", () => sent, [
  { name: "no form", payload: "{}", headers: { "content-type": "application/json" }, status: 415, code: "unsupported_media_type" },
  { name: "a workbook", payload: multipart(Buffer.from("PK\u0003\u0004rest")).payload, status: 415, code: "unsupported_media_type", param: "file" },
  { name: "a file of something else", payload: multipart(Buffer.from("a,b\n1,2\n")).payload, status: 400, code: "parameter_invalid", param: "file" },
  { name: "the other wallet's statement", payload: multipart(wechatStatement([{}]), { channel: "alipay" }).payload, status: 400, code: "parameter_conflict" },
  {
    name: "a wallet that is none",
    payload: multipart(wechatStatement([{}]), { channel: "paypal" }).payload,
    status: 400,
    code: "parameter_invalid",
    param: "channel",
  },
]);

async function waitingFor(shop: TestTenant, amount_minor: number) {
  const api = home.api(shop.key);
  await api.put(`/api/v1/projects/${shop.project_id}/collection-profiles/wechat`, {
    qr_payload: "wxp://f2f0AbCdEfGh1234567890-_xyzXYZ1",
    matching: { mode: "unique_amount" },
  });
  const { order } = await createOrder(home.ctx, shop, { amount_minor, currency: "CNY" });
  return startPayment(home.ctx, shop, { order_id: order.id, gateway: "wechatpay" });
}

test("a receipt of an amount that one buyer was asked for pays that order; sent again it changes nothing", async () => {
  const shop = await home.tenant();
  const { order, session } = await waitingFor(shop, 990);
  const api = home.api(shop.key);
  const first = await api.post(receipts(shop), { ...receipt, amount_minor: session.payable_amount_minor });
  expect(first).toMatchObject({ status: 201, body: { object: "receipt", status: "matched", payment_session_id: session.id, source: "manual" } });
  const again = await api.post(receipts(shop), { ...receipt, amount_minor: session.payable_amount_minor });
  expect(again).toMatchObject({ status: 200, body: { id: first.body.id } });
  expect((await api.get(`/api/v1/projects/${shop.project_id}/orders/${order.id}`)).body.status).toBe("paid");
});

test("a statement pays what waits, lists what it could not take, and brings nothing new the second time", async () => {
  const shop = await home.tenant();
  const { session } = await waitingFor(shop, 1250);
  const api = home.api(shop.key);
  const file = wechatStatement([{ amount: "¥12.50", time: "2026-11-20 16:01:00" }, { direction: "支出" }, { number: "1.00005E+27" }]);
  const brought = await api.upload(`${receipts(shop)}/import`, file);
  expect(brought).toMatchObject({
    status: 201,
    body: { object: "receipt_import", channel: "wechat", total: 1, created: 1, matched: 1, faults: [{ code: "number_rounded" }] },
  });
  expect((await api.upload(`${receipts(shop)}/import`, file)).body).toMatchObject({ total: 1, created: 0, matched: 0 });
  const list = (await api.get(`${receipts(shop)}?channel=wechat&status=matched&include=total_count`)).body;
  expect(list).toMatchObject({ total_count: 1, data: [{ source: "statement", payment_session_id: session.id, amount_minor: 1250 }] });
});

test("an Idempotency-Key that was used for another statement is refused, and nothing of this one is taken", async () => {
  const shop = await home.tenant();
  const api = home.api(shop.key);
  const headers = { "idempotency-key": "november" };
  const first = await api.upload(`${receipts(shop)}/import`, wechatStatement([{ number: "1000000001" }]), {}, { headers });
  expect(first).toMatchObject({ status: 201, body: { created: 1 } });
  const again = await api.upload(`${receipts(shop)}/import`, wechatStatement([{ number: "1000000001" }]), {}, { headers });
  expect(again).toMatchObject({ status: 201, body: first.body });
  expect(again.headers["idempotent-replayed"]).toBe("true");
  const other = await api.upload(`${receipts(shop)}/import`, wechatStatement([{ number: "1000000002" }]), {}, { headers });
  expect(other).toMatchObject({ status: 422, body: { error: { code: "idempotency_key_reused" } } });
  expect((await api.get(`${receipts(shop)}?include=total_count`)).body.total_count).toBe(1);
});

test("of two statements at once under one Idempotency-Key, one is taken and nothing of the other", async () => {
  const shop = await home.tenant();
  const api = home.api(shop.key);
  const headers = { "idempotency-key": "december" };
  const files = [1, 2].map((first) => wechatStatement(Array.from({ length: 20 }, (_, n) => ({ number: `10000${first}${String(n).padStart(5, "0")}` }))));
  const answers = await Promise.all(files.map((file) => api.upload(`${receipts(shop)}/import`, file, {}, { headers })));
  expect(answers.map((answer) => answer.status).sort()).toEqual([201, 422]);
  expect((await api.get(`${receipts(shop)}?include=total_count`)).body.total_count).toBe(20);
});

test("a statement that cannot be read leaves its Idempotency-Key to the next", async () => {
  const shop = await home.tenant();
  const api = home.api(shop.key);
  const headers = { "idempotency-key": "january" };
  expect((await api.upload(`${receipts(shop)}/import`, Buffer.from("no statement"), {}, { headers })).status).toBe(400);
  expect((await api.upload(`${receipts(shop)}/import`, wechatStatement([{}]), {}, { headers })).status).toBe(201);
});
