import { describe, expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { bookFaults, type ReceiptShop, receiptShops } from "#test/support/payments/receipt-shop.ts";
import { testPassword, type Visitor, visitor } from "#test/support/people/visitors.ts";

const app = await testApp();
const shopWith = receiptShops(app);
const base = (shop: ReceiptShop) => `/api/v1/projects/${shop.project_id}`;
const denied = { status: 403, body: { error: { code: "permission_denied" } } };
const stale = { status: 403, body: { error: { code: "fresh_session_required" } } };

/** A shop in LIVE whose order was asked for a code, and its owner. */
async function shopOf(mode: "remark" | "unique_amount" | "exact" = "remark") {
  const shop = await shopWith({ mode }, { tenant: { livemode: true } });
  const owner = await visitor(app, { merchant_id: shop.merchant_id });
  return { shop, owner };
}

/** Types a transfer in, as a signed-in person does. */
async function typed(
  shop: ReceiptShop,
  person: Visitor,
  money: { amount_minor: number; remark?: string | null; external_id?: string; source?: string },
) {
  const body = { channel: "wechat", occurred_at: app.clock.now().toISOString(), ...money };
  return person.in("live").post(`${base(shop)}/receipts`, body);
}

const link = (shop: ReceiptShop, person: Visitor, given: { receipt: string; order: string }) =>
  person.in("live").post(`${base(shop)}/receipts/${given.receipt}/link`, { order_id: given.order });
const bulkLink = async (shop: ReceiptShop, person: Visitor, given: { receipt: string; order: string }) => {
  const { body } = await person.in("live").post(`${base(shop)}/receipts/bulk`, {
    action: "link",
    links: [{ receipt_id: given.receipt, order_id: given.order }],
  });
  return body.error?.code ?? body.results[0].error?.code ?? body.results[0].status;
};

describe("a receipt that a person typed in", () => {
  test.each(["remark", "unique_amount"] as const)("says so and pays nothing automatically, although it has our mark (%s)", async (mode) => {
    const { shop, owner } = await shopOf(mode);
    const order = await shop.paying();
    const answer = await typed(shop, owner, { amount_minor: order.payable, remark: order.code });
    expect(answer).toMatchObject({ status: 201, body: { source: "manual", status: "unmatched", exception_id: null } });
    expect(answer.body.suggestions).toMatchObject([{ order_id: order.order_id }]);
    expect(await shop.order(order.order_id)).toEqual({ status: "unpaid", flags: [], received: 0 });
    const short = await typed(shop, owner, { amount_minor: order.payable - 1, remark: order.code });
    expect(short.body).toMatchObject({ status: "unmatched", exception_id: null });
    expect(await shop.cases()).toEqual([]);
  });

  test("is never a listener's or a statement's, and a key's is never a person's", async () => {
    const { shop, owner } = await shopOf();
    for (const source of ["listener", "statement"])
      expect(await typed(shop, owner, { amount_minor: 900, source })).toMatchObject({
        status: 400,
        body: { error: { code: "parameter_invalid" } },
      });
    const { key } = await app.key({ project_id: shop.project_id, livemode: false }, ["receipts:write", "payments:read"]);
    const transfer = { channel: "wechat", amount_minor: 900, occurred_at: app.clock.now().toISOString() };
    const path = `${base(shop)}/receipts`;
    expect(await app.api(key).post(path, { ...transfer, source: "manual" })).toMatchObject({
      status: 400,
      body: { error: { code: "parameter_invalid" } },
    });
    expect(await app.api(key).post(path, transfer)).toMatchObject({ status: 201, body: { source: "listener" } });
  });

  test("is linked by another person: not by who typed it, individually, with others or in a set, and not by a key", async () => {
    const { shop, owner } = await shopOf("exact");
    const reviewer = await visitor(app, { merchant_id: shop.merchant_id, role: "reviewer" });
    const order = await shop.paying(6400);
    const receipt = (await typed(shop, reviewer, { amount_minor: 6400 })).body.id;
    const given = { receipt, order: order.order_id };
    expect(await link(shop, reviewer, given)).toMatchObject(denied);
    expect(await bulkLink(shop, reviewer, given)).toBe("permission_denied");
    expect(await app.api(shop.key).post(`${base(shop)}/receipts/${receipt}/link`, { order_id: order.order_id })).toMatchObject({
      status: 403,
      body: { error: { code: "session_required" } },
    });
    const approved = await shop.paying(6400);
    await shop.approve(approved.order_id);
    const set = { action: "link_set", receipt_ids: [receipt], order_ids: [approved.order_id] };
    expect(await reviewer.in("live").post(`${base(shop)}/receipts/bulk`, set)).toMatchObject(denied);
    expect((await shop.order(order.order_id)).status).toBe("unpaid");
    expect(await link(shop, owner, given)).toMatchObject({ status: 200, body: { status: "matched", order_id: order.order_id } });
    expect(await shop.order(order.order_id)).toMatchObject({ status: "paid", received: 6400 });
    expect(await bookFaults(app)).toEqual([]);
  });

  test("requires a fresh session of a merchant's only reviewer; people who may not review don't count", async () => {
    const { shop, owner } = await shopOf("exact");
    await visitor(app, { merchant_id: shop.merchant_id, role: "viewer" });
    const order = await shop.paying(6500);
    const receipt = (await typed(shop, owner, { amount_minor: 6500 })).body.id;
    const given = { receipt, order: order.order_id };
    app.clock.advance(10 * 60_000 + 1);
    expect(await link(shop, owner, given)).toMatchObject(stale);
    expect(await bulkLink(shop, owner, given)).toBe("fresh_session_required");
    expect((await shop.order(order.order_id)).status).toBe("unpaid");
    const confirmed = await owner.api.post("/api/auth/confirm", { password: testPassword });
    expect(confirmed.status, confirmed.text).toBe(200);
    expect(await bulkLink(shop, owner, given)).toBe("matched");
    expect((await shop.order(order.order_id)).status).toBe("paid");
    expect(await bookFaults(app)).toEqual([]);
  });

  test("that was unlinked and whose money is in suspense again is still its author's word", async () => {
    const { shop, owner } = await shopOf("exact");
    const other = await visitor(app, { merchant_id: shop.merchant_id, role: "admin" });
    const [approved, open] = [await shop.paying(6600), await shop.paying(6600)];
    await shop.approve(approved.order_id);
    const receipt = (await typed(shop, owner, { amount_minor: 6600 })).body.id;
    expect(await link(shop, other, { receipt, order: approved.order_id })).toMatchObject({ status: 200, body: { status: "linked" } });
    expect((await owner.in("live").post(`${base(shop)}/receipts/${receipt}/unlink`, {})).status).toBe(200);
    expect(await link(shop, owner, { receipt, order: open.order_id })).toMatchObject(denied);
    expect((await shop.order(open.order_id)).status).toBe("unpaid");
  });
});
