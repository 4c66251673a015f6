import { expect, test } from "vitest";
import { linkReceipt, listExceptions, recordReceipt, reviewOrder } from "#reconciliation/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { countNotices } from "#test/support/mail/notices.sql.ts";
import { auditedActions } from "#test/support/payments/collection.sql.ts";
import { type PayShop, payShop } from "#test/support/payments/pay-shop.ts";

const at = await testApp();
const buyer = at.api(null);
const shop = await payShop(at);
const page = (token: string, action = "") => `/api/public/pay/${token}${action}`;
const orders = `/api/v1/projects/${shop.tenant.project_id}/orders`;
const merchant = at.api(shop.tenant.key);
const cancel = (id: string) => merchant.post(`${orders}/${id}/cancel`, {});
const mails = () => countNotices(at.ctx.db, "canceled_order_claimed");

/** An order whose code was shown before it was canceled. */
async function canceled(given: Parameters<PayShop["order"]>[0] = {}) {
  const { order, token } = await shop.order(given);
  await buyer.post(page(token, "/initiate"), { gateway: "alipay" });
  await buyer.post(page(token, "/initiate"), { gateway: "wechatpay" });
  await cancel(order.id);
  return { id: order.id, token };
}

test("a buyer who paid a canceled order can say so, once; it remains canceled, and its merchant is notified", async () => {
  const { id, token } = await canceled();
  const before = (await buyer.get(page(token))).body;
  expect(before).toMatchObject({
    state: "canceled",
    can_report: true,
    can_prove: true,
    channels: ["wechatpay", "alipay"],
    reported_at: null,
  });
  const answer = await buyer.post(page(token, "/report"), { gateway: "alipay" });
  expect(answer).toMatchObject({
    status: 200,
    body: { state: "canceled", can_report: false, can_prove: true, reported_at: at.ctx.now().toISOString() },
  });
  expect(answer.body.version).not.toBe(before.version);
  expect((await merchant.get(`${orders}/${id}`)).body).toMatchObject({
    status: "canceled",
    claimed_at: at.ctx.now().toISOString(),
    failure_code: "canceled",
  });
  expect((await buyer.post(page(token, "/report"), {})).body).toEqual(answer.body);
  const claimed = async (since: string) =>
    (await merchant.get(`${orders}?claimed[gte]=${since}`)).body.data.map((one: { id: string }) => one.id);
  expect([await claimed(at.ctx.now().toISOString()), await claimed("2100-01-01T00:00:00Z")]).toEqual([[id], []]);
  expect((await merchant.get(`/api/v1/projects/${shop.tenant.project_id}/events?event=order.payment_pending_verify`)).body.data).toEqual(
    [],
  );
  expect((await merchant.get(`/api/v1/projects/${shop.tenant.project_id}/reviews/queue`)).body.data).toEqual([]);
});

test("proof for a canceled order is stored with it and waits for no review", async () => {
  const { id, token } = await canceled();
  const sent = await buyer.post(page(token, "/voucher"), { transaction_reference: "4821", gateway: "alipay" });
  expect(sent).toMatchObject({ status: 201, body: { object: "voucher", transaction_reference: "4821" } });
  expect((await buyer.get(page(token))).body).toMatchObject({ state: "canceled", proof: { submitted_at: at.ctx.now().toISOString() } });
  const shown = (await merchant.get(`${orders}/${id}?expand[]=vouchers&expand[]=payment_sessions`)).body;
  const alipay = shown.payment_sessions.find(({ gateway }: { gateway: string }) => gateway === "alipay");
  expect(shown).toMatchObject({ status: "canceled", vouchers: [{ payment_session_id: alipay.id, transaction_reference: "4821" }] });
  await expect(reviewOrder(at.ctx, shop.tenant, { order_id: id, decision: "approve" })).rejects.toMatchObject({
    code: "order_state_conflict",
  });
});

test("if no code was shown there is nothing to report", async () => {
  const { order, token } = await shop.order();
  await cancel(order.id);
  expect((await buyer.get(page(token))).body).toMatchObject({ state: "canceled", can_report: false, can_prove: false, channels: [] });
  for (const [action, body] of [
    ["/report", { gateway: "wechatpay" }],
    ["/voucher", { gateway: "wechatpay", transaction_reference: "4821" }],
  ] as const)
    expect(await buyer.post(page(token, action), body)).toMatchObject({ status: 409, body: { error: { code: "order_state_conflict" } } });
});

test("the page of an order that was canceled after a partial payment shows what arrived, until someone has decided about it", async () => {
  const { order, token } = await shop.order({ amount_minor: 5000 });
  const { receipt } = await recordReceipt(at.ctx, shop.tenant, {
    channel: "wechat",
    amount_minor: 2000,
    occurred_at: at.ctx.now(),
    source: "statement",
  });
  await linkReceipt(at.ctx, shop.tenant, { receipt_id: receipt.id, order_id: order.id });
  await cancel(order.id);
  expect((await buyer.get(page(token))).body.order).toMatchObject({ received_minor: 0, held_minor: 2000 });
  const { rows } = await listExceptions(at.ctx, shop.tenant, { limit: 5, filters: { order_id: order.id } });
  await merchant.post(`/api/v1/projects/${shop.tenant.project_id}/exceptions/${rows[0]?.id}/resolve`, {
    action: "ignore",
    note: "returned",
  });
  expect((await buyer.get(page(token))).body.order).toMatchObject({ held_minor: 0 });
});

test("reviewers get one email about a canceled order, however often its buyer writes", async () => {
  const before = await mails();
  const { token } = await canceled();
  await buyer.post(page(token, "/report"), {});
  await buyer.post(page(token, "/voucher"), { transaction_reference: "4822" });
  await buyer.post(page(token, "/voucher"), { transaction_reference: "4823" });
  expect((await mails()) - before).toBe(1);
});

test("a claim is dismissed with a reason, which is stored in the audit log; a new one shows again and is emailed again", async () => {
  const before = await mails();
  const { id, token } = await canceled();
  const dismiss = (reason: string) => merchant.post(`${orders}/${id}/claim/dismiss`, { reason });
  const claims = async () =>
    (await merchant.get(`${orders}?claimed[gte]=1970-01-01T00:00:00Z&q=${id}`)).body.data.map((one: { id: string }) => one.id);
  expect(await dismiss("nothing said yet")).toMatchObject({ status: 409, body: { error: { code: "order_state_conflict" } } });
  const answer = (await buyer.post(page(token, "/report"), {})).body;
  expect(await claims()).toEqual([id]);
  expect(await dismiss("returned on Friday")).toMatchObject({ status: 200, body: { id, status: "canceled", claimed_at: null } });
  expect(await claims()).toEqual([]);
  expect((await dismiss("again")).status).toBe(409);
  const audited = (await auditedActions(at.ctx.db, id)).filter(({ action }) => action === "order.claim_dismissed");
  expect(audited).toMatchObject([{ detail: { reason: "returned on Friday", claimed_at: answer.reported_at } }]);
  const shown = (await buyer.get(page(token))).body;
  expect(shown).toMatchObject({ state: "canceled", can_report: true, can_prove: true, reported_at: null });
  expect(shown.version).not.toBe(answer.version);
  expect((await buyer.post(page(token, "/voucher"), { transaction_reference: "4830" })).status).toBe(201);
  expect(await claims()).toEqual([id]);
  expect((await mails()) - before).toBe(2);
});
