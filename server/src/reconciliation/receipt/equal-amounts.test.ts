import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { bookFaults, type ReceiptShop, receiptShops } from "#test/support/payments/receipt-shop.ts";
import { listExceptions } from "../exception/list-exceptions.ts";
import { resolveException } from "../exception/resolve-exception.ts";
import { linkReceiptSet } from "./link-receipts.ts";
import { recordReceipts } from "./record-receipt.ts";

const app = await testApp();
const { ctx } = app;
const shopWith = receiptShops(app);
const statuses = async (shop: ReceiptShop, ids: string[]) =>
  Promise.all(ids.map(async (id) => (await app.api(shop.key).get(`/api/v1/projects/${shop.project_id}/receipts/${id}`)).body));
const rows = (amount_minor: number, count: number) =>
  Array.from({ length: count }, () => ({
    channel: "wechat" as const,
    source: "statement" as const,
    amount_minor,
    occurred_at: ctx.now(),
    external_id: ctx.id("req"),
  }));

test("three approvals and three receipts of one amount close as a set: none belongs to a specific order, and nothing is booked", async () => {
  const shop = await shopWith({ mode: "exact" });
  const orders = [await shop.paying(5123), await shop.paying(5123), await shop.paying(5123)];
  for (const { order_id } of orders) await shop.approve(order_id);
  const taken = await recordReceipts(ctx, shop, rows(5123, 3));
  expect(taken.map(({ outcome }) => outcome)).toEqual(["linked", "linked", "linked"]);
  const shown = await statuses(
    shop,
    taken.map(({ receipt }) => receipt.id),
  );
  expect(new Set(shown.map((one) => one.set_id)).size).toBe(1);
  expect(shown.map((one) => [one.status, one.payment_session_id])).toEqual(shown.map(() => ["linked", null]));
  expect((await shop.order(orders[0]?.order_id ?? "")).received).toBe(5123);
  expect(await shop.cases()).toEqual([]);
  expect(await bookFaults(app)).toEqual([]);
});

test("in either order of arrival, one after the other as well as all together", async () => {
  const shop = await shopWith({ mode: "exact" });
  const orders = [await shop.paying(6123), await shop.paying(6123)];
  const [first, second] = [await shop.receipt({ amount_minor: 6123 }), await shop.receipt({ amount_minor: 6123 })];
  for (const { order_id } of orders) await shop.approve(order_id);
  expect((await statuses(shop, [first.receipt.id, second.receipt.id])).map((one) => one.status)).toEqual(["linked", "linked"]);
  const more = [await shop.paying(6223), await shop.paying(6223)];
  const taken: string[] = [];
  for (const { order_id } of more) {
    await shop.approve(order_id);
    taken.push((await shop.receipt({ amount_minor: 6223 })).receipt.id);
  }
  expect((await statuses(shop, taken)).map((one) => one.status)).toEqual(["linked", "linked"]);
});

test("a forged screenshot among three approvals keeps the set open: two transfers aren't three orders' money", async () => {
  const shop = await shopWith({ mode: "exact" });
  for (const { order_id } of [await shop.paying(7123), await shop.paying(7123), await shop.paying(7123)]) await shop.approve(order_id);
  const taken = await recordReceipts(ctx, shop, rows(7123, 2));
  expect(taken.map(({ outcome }) => outcome)).toEqual(["suggested", "suggested"]);
  expect(taken[0]?.suggestions.map(({ fits }) => fits)).toEqual(["approved", "approved", "approved"]);
  const [third] = await recordReceipts(ctx, shop, rows(7123, 1));
  expect(third?.outcome).toBe("linked");
  expect(
    (
      await statuses(
        shop,
        taken.map(({ receipt }) => receipt.id),
      )
    ).map((one) => one.status),
  ).toEqual(["linked", "linked"]);
});

test("an honest buyer who hasn't reported keeps the set open: the money may be theirs", async () => {
  const shop = await shopWith({ mode: "exact" });
  const [first, second, quiet] = [await shop.paying(8123), await shop.paying(8123), await shop.paying(8123)];
  for (const { order_id } of [first, second]) await shop.approve(order_id);
  const taken = await recordReceipts(ctx, shop, rows(8123, 2));
  expect(taken.map(({ outcome }) => outcome)).toEqual(["suggested", "suggested"]);
  expect((await shop.order(quiet.order_id)).status).toBe("unpaid");
  await shop.approve(quiet.order_id);
  await recordReceipts(ctx, shop, rows(8123, 1));
  expect(
    (
      await statuses(
        shop,
        taken.map(({ receipt }) => receipt.id),
      )
    ).map((one) => one.status),
  ).toEqual(["linked", "linked"]);
});

test("reports of unrequested income from two sources are paired if as many of each arrived", async () => {
  const shop = await shopWith({ mode: "exact" });
  const at = (seconds: number) => new Date(ctx.now().getTime() + seconds * 1000);
  const results = [];
  for (const second of [1, 60])
    results.push(await shop.receipt({ amount_minor: 888, source: "listener", external_id: null, occurred_at: at(second) }));
  const taken = await recordReceipts(
    ctx,
    shop,
    [0, 59, 4000].map((second) => ({ ...(rows(888, 1)[0] as ReturnType<typeof rows>[number]), occurred_at: at(second) })),
  );
  expect(
    (
      await statuses(
        shop,
        results.map(({ receipt }) => receipt.id),
      )
    ).map((one) => one.status),
  ).toEqual(["linked", "linked"]);
  expect(
    (
      await statuses(
        shop,
        taken.map(({ receipt }) => receipt.id),
      )
    ).map((one) => one.status),
  ).toEqual(["unmatched", "unmatched", "unmatched"]);
  expect(await bookFaults(app)).toEqual([]);
});

test("a statement's row whose own notification is known isn't the money of a payment that another notification showed", async () => {
  const shop = await shopWith({ mode: "exact" });
  const { order_id } = await shop.paying(9923);
  await shop.approve(order_id);
  const byListener = (occurred_at: Date) => shop.receipt({ amount_minor: 9923, source: "listener", external_id: null, occurred_at });
  const [firstAt, secondAt] = [ctx.now(), new Date(ctx.now().getTime() + 20 * 60_000)];
  app.clock.advance(30 * 60_000);
  expect((await byListener(firstAt)).outcome).toBe("linked");
  const second = await byListener(secondAt);
  expect(second.outcome).not.toBe("linked");
  const row = (occurred_at: Date) =>
    recordReceipts(
      ctx,
      shop,
      rows(9923, 1).map((one) => ({ ...one, occurred_at })),
    );
  const [later] = await row(secondAt);
  expect(later?.outcome).toBe("suggested");
  const [earlier] = await row(firstAt);
  expect(earlier?.outcome).toBe("linked");
  const shown = await statuses(shop, [second.receipt.id, later?.receipt.id ?? "", earlier?.receipt.id ?? ""]);
  expect(shown.map((one) => one.status)).toEqual(["linked", "unmatched", "linked"]);
  expect(await bookFaults(app)).toEqual([]);
});

test("a row of another time isn't the money of a payment that a notification showed", async () => {
  const shop = await shopWith({ mode: "remark" });
  const { code } = await shop.paying(9823);
  const [otherAt, paidAt] = [new Date(ctx.now().getTime() + 60 * 60_000), new Date(ctx.now().getTime() + 180 * 60_000)];
  app.clock.advance(180 * 60_000);
  const notified = await shop.receipt({ amount_minor: 9823, source: "listener", external_id: null, remark: code, occurred_at: paidAt });
  expect(notified.outcome).toBe("settled");
  const stranger = await shop.receipt({ amount_minor: 9823, occurred_at: otherAt });
  expect(stranger.receipt.status).toBe("unmatched");
  expect((await shop.receipt({ amount_minor: 9823, remark: code, occurred_at: paidAt })).outcome).toBe("linked");
  expect(await shop.cases()).toEqual([]);
  expect(await bookFaults(app)).toEqual([]);
});

test("an approval takes a row and its own notification, and leaves another notification of the amount", async () => {
  const shop = await shopWith({ mode: "exact" });
  const { order_id } = await shop.paying(9523);
  const [paidAt, otherAt] = [ctx.now(), new Date(ctx.now().getTime() + 20 * 60_000)];
  app.clock.advance(30 * 60_000);
  const own = await shop.receipt({ amount_minor: 9523, source: "listener", external_id: null, occurred_at: paidAt });
  const row = await shop.receipt({ amount_minor: 9523, occurred_at: paidAt });
  const other = await shop.receipt({ amount_minor: 9523, source: "listener", external_id: null, occurred_at: otherAt });
  await shop.approve(order_id);
  const shown = await statuses(
    shop,
    [own, row, other].map(({ receipt }) => receipt.id),
  );
  expect(shown.map((one) => one.status)).toEqual(["linked", "linked", "unmatched"]);
  expect((await shop.order(order_id)).received).toBe(9523);
  expect(await bookFaults(app)).toEqual([]);
});

test("an order that was asked for less than this, its own amount, keeps the set open until it is paid", async () => {
  const lowered = await shopWith({ mode: "unique_amount", max_offset_minor: 1 });
  const exact = await shopWith({ mode: "exact" }, { tenant: { merchant_id: lowered.merchant_id } });
  for (const isPaid of [false, true]) {
    const amount_minor = isPaid ? 9723 : 9623;
    const { payable } = await lowered.paying(amount_minor);
    expect(payable).toBeLessThan(amount_minor);
    if (isPaid) expect((await lowered.receipt({ amount_minor: payable })).outcome).toBe("settled");
    const { order_id } = await exact.paying(amount_minor);
    await exact.approve(order_id);
    const { outcome } = await exact.receipt({ amount_minor });
    expect([isPaid, outcome]).toEqual([isPaid, isPaid ? "linked" : "suggested"]);
  }
  expect(await bookFaults(app)).toEqual([]);
});

test("a set that a person closes takes a receipt out of its exception, and no refunded one", async () => {
  const shop = await shopWith({ mode: "remark" });
  const [named, approved] = [await shop.paying(9000), await shop.paying(8900)];
  await shop.approve(approved.order_id);
  const { receipt } = await shop.receipt({ amount_minor: 8900, remark: named.code });
  const refunded = await shop.receipt({ amount_minor: 8900, state: "refunded" });
  expect(await shop.cases()).toMatchObject([{ kind: "mismatch", order_id: named.order_id }]);
  const close = (id: string) => linkReceiptSet(ctx, shop, { receipt_ids: [id], order_ids: [approved.order_id] });
  await expect(close(refunded.receipt.id)).rejects.toMatchObject({ code: "order_state_conflict" });
  expect(await close(receipt.id)).toMatchObject([{ status: "linked", exception_id: null }]);
  expect(await shop.cases()).toEqual([]);
  const { rows: all } = await listExceptions(ctx, shop, { limit: 9, filters: {} });
  expect(all).toMatchObject([{ status: "resolved", resolution: "released" }]);
  expect(await bookFaults(app)).toEqual([]);
});

test("an exception whose receipt an earlier version linked in a set can be ignored, and the receipt stays linked", async () => {
  const shop = await shopWith({ mode: "remark" });
  const { code } = await shop.paying(9100);
  const { receipt } = await shop.receipt({ amount_minor: 8950, remark: code });
  const [exception] = (await listExceptions(ctx, shop, { limit: 9, filters: {} })).rows;
  await runStatement(ctx.db, "update receipts set status = 'linked', exception_id = null, set_id = 'set_old' where id = ?", receipt.id);
  await resolveException(ctx, shop, { exception_id: exception?.id ?? "", action: "ignore" });
  expect(await shop.cases()).toEqual([]);
  expect(await statuses(shop, [receipt.id])).toMatchObject([{ status: "linked" }]);
});
