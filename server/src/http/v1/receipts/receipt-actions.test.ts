import { expect, test } from "vitest";
import { newId } from "#platform/index.ts";
import { listExceptions, recordReceipt, reviewOrder } from "#reconciliation/index.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { receiptShops } from "#test/support/payments/receipt-shop.ts";
import { type Good, refusalsIn } from "#test/support/refusals/refusals.ts";

const app = await testApp({ http: { perMinuteUnauthenticated: 1_000 } });
const refusals = refusalsIn(app);
const shopWith = receiptShops(app);

const base = (shop: TestTenant) => `/api/v1/projects/${shop.project_id}/receipts`;
const waiting = async (shop: TestTenant, amount_minor = 4242) =>
  (
    await recordReceipt(app.ctx, shop, {
      channel: "wechat",
      amount_minor,
      occurred_at: app.ctx.now(),
      source: "statement",
      external_id: newId("req"),
    })
  ).receipt.id;
const orderIn = async (shop: TestTenant) =>
  (await app.api(shop.key).post(`/api/v1/projects/${shop.project_id}/orders`, { amount_minor: 4242, currency: "CNY" })).body.id as string;

const linked: Good = async (shop) =>
  shop.livemode ? { params: { id: "rcp_none" } } : { params: { id: await waiting(shop) }, body: { order_id: await orderIn(shop) } };
const action = (name: string, body: object) => async (shop: TestTenant, good: Awaited<ReturnType<Good>>) =>
  void (await app.api(shop.key).post(`${base(shop)}/${good.params?.id}/${name}`, body));

refusals(
  "GET /api/v1/projects/:projectId/receipts/:id",
  async (shop) => ({ params: { id: shop.livemode ? "rcp_none" : await waiting(shop) } }),
  [{ name: "a receipt that does not exist", params: { id: "rcp_none" }, status: 404, code: "resource_missing" }],
);
refusals("POST /api/v1/projects/:projectId/receipts/:id/link", linked, [
  { name: "no order", body: {}, status: 400, code: "parameter_missing", param: "order_id" },
  { name: "an order that does not exist", body: { order_id: "ord_none" }, status: 400, code: "parameter_invalid", param: "order_id" },
  {
    name: "a payment that does not exist",
    body: { payment_session_id: "ps_none" },
    status: 400,
    code: "parameter_invalid",
    param: "payment_session_id",
  },
  { name: "a receipt that does not exist", params: { id: "rcp_none" }, status: 404, code: "resource_missing" },
  { name: "an ignored receipt", status: 409, code: "order_state_conflict", given: action("ignore", { reason: "private" }) },
  {
    name: "a canceled order",
    status: 409,
    code: "order_state_conflict",
    given: async (shop, good) =>
      void (await app
        .api(shop.key)
        .post(`/api/v1/projects/${shop.project_id}/orders/${(good.body as { order_id: string }).order_id}/cancel`, {})),
  },
]);
refusals(
  "POST /api/v1/projects/:projectId/receipts/:id/unlink",
  async (shop) => ({ params: { id: shop.livemode ? "rcp_none" : await waiting(shop) } }),
  [{ name: "a receipt that is not linked", status: 409, code: "order_state_conflict" }],
);
refusals(
  "POST /api/v1/projects/:projectId/receipts/:id/ignore",
  async (shop) => ({ params: { id: shop.livemode ? "rcp_none" : await waiting(shop) }, body: { reason: "private" } }),
  [
    { name: "no reason", body: {}, status: 400, code: "parameter_missing", param: "reason" },
    { name: "a blank reason", body: { reason: " " }, status: 400, code: "parameter_invalid", param: "reason" },
    {
      name: "a receipt that paid an order",
      status: 409,
      code: "order_state_conflict",
      given: async (shop, good) => action("link", { order_id: await orderIn(shop) })(shop, good),
    },
  ],
);
const many: Good = async (shop) => ({
  body: { action: "ignore", receipt_ids: [shop.livemode ? "rcp_none" : await waiting(shop)], reason: "private" },
});
const set = async (shop: TestTenant) => ({
  body: { action: "link_set", receipt_ids: [await waiting(shop)], order_ids: [await orderIn(shop)] },
});

refusals("POST /api/v1/projects/:projectId/receipts/bulk", many, [
  { name: "a receipt that does not exist", body: { action: "unlink", receipt_ids: ["rcp_none"] }, status: 404, code: "resource_missing" },
  { name: "a set of an order that was not approved", given: set, status: 409, code: "order_state_conflict", param: "order_ids" },
  { name: "an action that is none", body: { action: "burn" }, status: 400, code: "parameter_invalid", param: "action" },
  { name: "no reason", body: { action: "ignore", receipt_ids: ["rcp_none"] }, status: 400, code: "parameter_missing", param: "reason" },
  { name: "no receipts", body: { action: "unlink" }, status: 400, code: "parameter_missing", param: "receipt_ids" },
  { name: "a link without receipts", body: { action: "link" }, status: 400, code: "parameter_missing", param: "links" },
  {
    name: "a set of more receipts than orders",
    body: { action: "link_set", receipt_ids: ["rcp_a", "rcp_b"], order_ids: ["ord_a"] },
    status: 400,
    code: "parameter_conflict",
    param: "order_ids",
  },
]);

test("a person's link pays an order like an approval; unlinking can't undo any of it", async () => {
  const shop = await shopWith({ mode: "exact" });
  const api = app.api(shop.key);
  const { order_id, session_id, payable } = await shop.paying();
  const { receipt } = await shop.receipt({ amount_minor: payable, payer_hint: "王五" });
  const suggested = {
    status: "unmatched",
    elsewhere: false,
    suggestions: [{ order_id, payment_session_id: session_id, fits: "payable", amount_minor: payable }],
    suggested_session_ids: [session_id],
  };
  expect((await api.get(`${base(shop)}/${receipt.id}`)).body).toMatchObject(suggested);
  expect((await api.get(base(shop))).body.data).toMatchObject([{ id: receipt.id, ...suggested }]);
  const done = await api.post(`${base(shop)}/${receipt.id}/link`, { order_id });
  expect(done).toMatchObject({ status: 200, body: { status: "matched", payment_session_id: session_id, suggestions: [] } });
  expect(await shop.order(order_id)).toEqual({ status: "paid", flags: ["manually_verified"], received: payable });
  expect(await api.post(`${base(shop)}/${receipt.id}/unlink`, {})).toMatchObject({
    status: 409,
    body: { error: { code: "order_state_conflict" } },
  });
});

test.each([
  { action: "accept", can_unlink: false, status: 409 },
  { action: "ignore", can_unlink: true, status: 200 },
])("after $action, a receipt shows its exception as resolved, and whether it can be unlinked", async ({ action, can_unlink, status }) => {
  const shop = await shopWith({ mode: "remark" });
  const api = app.api(shop.key);
  const { payable, code } = await shop.paying();
  const [paid, twice] = [
    await shop.receipt({ amount_minor: payable, remark: code }),
    await shop.receipt({ amount_minor: payable, remark: code }),
  ];
  const shown = async ({ receipt }: typeof paid) => (await api.get(`${base(shop)}/${receipt.id}`)).body;
  expect(await shown(paid)).toMatchObject({ status: "matched", exception_id: null, exception_status: null, can_unlink: false });
  const open = await shown(twice);
  expect(open).toMatchObject({ status: "matched", exception_status: "open", can_unlink: true });
  const resolve = `/api/v1/projects/${shop.project_id}/exceptions/${open.exception_id}/resolve`;
  expect((await api.post(resolve, { action, note: "the buyer knows" })).status).toBe(200);
  expect(await shown(twice)).toMatchObject({ status: "matched", exception_status: "resolved", can_unlink });
  expect((await api.post(`${base(shop)}/${twice.receipt.id}/unlink`, {})).status).toBe(status);
});

test("a receipt linked to an approved order books nothing, and can be unlinked and linked to another", async () => {
  const shop = await shopWith({ mode: "exact" });
  const api = app.api(shop.key);
  const [first, second] = [await shop.paying(7100), await shop.paying(7100)];
  await shop.approve(first.order_id);
  await shop.approve(second.order_id);
  const { receipt } = await shop.receipt({ amount_minor: 7100 });
  expect(receipt.status).toBe("unmatched");
  expect((await api.post(`${base(shop)}/${receipt.id}/link`, { order_id: first.order_id })).body).toMatchObject({
    status: "linked",
    payment_session_id: first.session_id,
  });
  expect((await api.post(`${base(shop)}/${receipt.id}/unlink`, {})).body).toMatchObject({ status: "unmatched", payment_session_id: null });
  expect((await api.post(`${base(shop)}/${receipt.id}/link`, { order_id: second.order_id })).body).toMatchObject({
    status: "linked",
    payment_session_id: second.session_id,
  });
  expect((await shop.order(second.order_id)).received).toBe(7100);
  expect((await listExceptions(app.ctx, shop, { limit: 10, filters: {} })).rows).toEqual([]);
});

test("many receipts are decided together: what is refused is reported and stops none of the others", async () => {
  const shop = await shopWith({ mode: "exact" });
  const api = app.api(shop.key);
  const { order_id, payable } = await shop.paying();
  const paid = await shop.receipt({ amount_minor: payable });
  const [one, two] = [await shop.receipt({ amount_minor: 888 }), await shop.receipt({ amount_minor: 520 })];
  expect((await api.post(`${base(shop)}/bulk`, { action: "link", links: [{ receipt_id: paid.receipt.id, order_id }] })).body).toMatchObject(
    {
      done: 1,
      refused: 0,
    },
  );
  const ids = [one.receipt.id, paid.receipt.id, two.receipt.id];
  const unknown = await api.post(`${base(shop)}/bulk`, { action: "ignore", receipt_ids: [...ids, "rcp_none"], reason: "family" });
  expect(unknown).toMatchObject({ status: 404, body: { error: { code: "resource_missing", param: "receipt_ids" } } });
  const answer = await api.post(`${base(shop)}/bulk`, { action: "ignore", receipt_ids: ids, reason: "family" });
  expect(answer).toMatchObject({
    status: 200,
    body: {
      done: 2,
      refused: 1,
      results: [
        { receipt_id: ids[0], status: "ignored", error: null },
        { receipt_id: ids[1], status: null, error: { code: "order_state_conflict" } },
        { receipt_id: ids[2], status: "ignored", error: null },
      ],
    },
  });
  expect((await api.post(`${base(shop)}/bulk`, { action: "unlink", receipt_ids: [ids[0]] })).body).toMatchObject({ done: 1 });
  expect((await api.get(`${base(shop)}/${ids[0]}`)).body).toMatchObject({ status: "unmatched", decision_reason: "unlinked" });
});

test("a set that another order keeps open is closed by a person in one action", async () => {
  const shop = await shopWith({ mode: "exact" });
  const api = app.api(shop.key);
  const orders = [await shop.paying(5123), await shop.paying(5123), await shop.paying(5123)];
  for (const { order_id } of orders.slice(0, 2)) await shop.approve(order_id);
  const receipts = [await shop.receipt({ amount_minor: 5123 }), await shop.receipt({ amount_minor: 5123 })];
  expect(receipts.map(({ receipt }) => receipt.status)).toEqual(["unmatched", "unmatched"]);
  const receipt_ids = receipts.map(({ receipt }) => receipt.id);
  const wrong = await api.post(`${base(shop)}/bulk`, {
    action: "link_set",
    receipt_ids,
    order_ids: [orders[0]?.order_id, orders[2]?.order_id],
  });
  expect(wrong).toMatchObject({ status: 409, body: { error: { code: "order_state_conflict" } } });
  const order_ids = orders.slice(0, 2).map(({ order_id }) => order_id);
  expect((await api.post(`${base(shop)}/bulk`, { action: "link_set", receipt_ids, order_ids })).body).toMatchObject({
    done: 2,
    refused: 0,
  });
  const shown = await Promise.all(receipt_ids.map(async (id) => (await api.get(`${base(shop)}/${id}`)).body));
  expect(new Set(shown.map((one) => one.set_id)).size).toBe(1);
  expect(shown).toMatchObject([
    { status: "linked", payment_session_id: null },
    { status: "linked", payment_session_id: null },
  ]);
  await reviewOrder(app.ctx, shop, { order_id: orders[2]?.order_id ?? "", decision: "approve" });
  expect((await shop.receipt({ amount_minor: 5123 })).receipt.status).toBe("linked");
});
