import { describe, expect, test } from "vitest";
import { listTransactions, type Transaction } from "#ledger/index.ts";
import { findFigures } from "#orders/figures/find-figures.ts";
import { cancelOrder } from "#orders/order/cancel-order.ts";
import { expireDue } from "#orders/order/expire-due.ts";
import { listOrderEvents } from "#orders/order/list-parts.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { bookFaults, receiptShops } from "#test/support/payments/receipt-shop.ts";
import { reviewOrder } from "../review/review-order.ts";

const app = await testApp();
const { ctx, clock } = app;
const shopWith = receiptShops(app);
const booksBalance = async () => expect(await bookFaults(app)).toEqual([]);

describe("each order's request", () => {
  test("is a different amount for two orders of one price, neither of them the price, and each receipt pays its own", async () => {
    const shop = await shopWith({ mode: "unique_amount" });
    const [first, second] = [await shop.paying(9900), await shop.paying(9900)];
    expect([first.payable, second.payable]).toEqual([9899, 9898]);
    expect((await shop.receipt({ amount_minor: 9898 })).receipt).toMatchObject({
      status: "matched",
      payment_session_id: second.session_id,
    });
    expect([(await shop.order(first.order_id)).status, (await shop.order(second.order_id)).status]).toEqual(["unpaid", "paid"]);
    await booksBalance();
  });

  test("that is lowered is in its books and its events an adjustment and no fee, and figures count what arrived", async () => {
    const shop = await shopWith({ mode: "unique_amount" });
    const { order_id, payable } = await shop.paying(9900);
    await shop.receipt({ amount_minor: payable });
    const money = ({ type, amount_minor, fee_minor, net_minor, forgiven_minor }: Transaction) => ({
      type,
      amount_minor,
      fee_minor,
      net_minor,
      forgiven_minor,
    });
    const booked = [
      { type: "payment", amount_minor: 9899, fee_minor: 0, net_minor: 9899, forgiven_minor: 0 },
      { type: "adjustment", amount_minor: 0, fee_minor: 0, net_minor: 0, forgiven_minor: 1 },
    ];
    const byType = (one: { type: string }, other: { type: string }) => other.type.localeCompare(one.type);
    const { data } = (await listTransactions(ctx, shop, { limit: 10, filters: { order_id: [order_id] } })) ?? { data: [] };
    expect(data.map(money).sort(byType)).toEqual(booked);
    const { rows } = await listOrderEvents(ctx, shop, { order_id, limit: 100 });
    const transactions = rows
      .filter(({ event }) => event === "transaction.completed")
      .map(({ body }) => JSON.parse(body.toString()).data.transaction);
    expect(transactions.map(money).sort(byType)).toEqual(booked);
    const { days, channels } = await findFigures(ctx, shop, { from: null, to: new Date(ctx.now().getTime() + 1), time_zone: "UTC" });
    expect([days, channels]).toMatchObject([[{ paid_count: 1, paid_minor: 9899 }], [{ paid_count: 1, paid_minor: 9899 }]]);
    await booksBalance();
  });

  test("is a code if no amount is left, and says so; its amount pays no one without the code", async () => {
    const shop = await shopWith({ mode: "unique_amount", max_offset_minor: 1 });
    const orders = [await shop.paying(6100), await shop.paying(6100), await shop.paying(6100)];
    expect(orders.map(({ payable, flags }) => [payable, flags])).toEqual([
      [6099, []],
      [6100, ["ambiguous_amount"]],
      [6100, ["ambiguous_amount"]],
    ]);
    const third = orders[2] as (typeof orders)[0];
    expect((await shop.receipt({ amount_minor: 6100 })).receipt.status).toBe("unmatched");
    expect((await shop.receipt({ amount_minor: 6100, remark: third.code })).receipt).toMatchObject({
      status: "matched",
      payment_session_id: third.session_id,
    });
    expect(await Promise.all(orders.map(async ({ order_id }) => (await shop.order(order_id)).status))).toEqual([
      "unpaid",
      "unpaid",
      "paid",
    ]);
    await booksBalance();
  });

  test("is refused instead by a strict profile", async () => {
    const shop = await shopWith({ mode: "unique_amount", max_offset_minor: 1, strict: true });
    await shop.paying(500);
    await expect(shop.paying(500)).rejects.toMatchObject({ code: "no_free_amount" });
  });

  test("is never another order's price, and an amount that becomes one no longer pays automatically", async () => {
    const shop = await shopWith({ mode: "unique_amount" });
    await shop.paying(6099);
    const dearer = await shop.paying(6100);
    expect(dearer.payable).toBe(6097);
    const [lone, cheaper] = [await shop.paying(7100), await shop.paying(7099)];
    expect(lone.payable).toBe(7099);
    const { receipt, suggestions } = await shop.receipt({ amount_minor: 7099 });
    expect(receipt.status).toBe("unmatched");
    expect(suggestions.map(({ order_id }) => order_id).sort()).toEqual([lone.order_id, cheaper.order_id].sort());
    await booksBalance();
  });

  test("is different for sixteen concurrent buyers", async () => {
    const shop = await shopWith({ mode: "unique_amount", max_offset_minor: 8 });
    const payments = await Promise.all(Array.from({ length: 16 }, () => shop.paying(9000)));
    const amounts = payments.filter(({ code }) => code === null).map(({ payable }) => payable);
    expect(new Set(amounts).size).toBe(8);
    expect(Math.max(...amounts)).toBeLessThan(9000);
    expect(new Set(payments.flatMap(({ code }) => code ?? [])).size).toBe(8);
  });

  test("differs in amount between two projects of a merchant with one code; one statement in both pays once", async () => {
    const shop = await shopWith({ mode: "unique_amount" });
    const other = await shopWith({ mode: "unique_amount" }, { tenant: { merchant_id: shop.merchant_id } });
    const [here, there] = [await shop.paying(4500), await other.paying(4500)];
    expect([here.payable, there.payable]).toEqual([4499, 4498]);
    const row = { amount_minor: there.payable, external_id: "4200009901" };
    expect((await shop.receipt(row)).receipt).toMatchObject({ status: "matched", booked_project_id: other.project_id });
    expect(await other.receipt(row)).toMatchObject({ created: false });
    expect([(await shop.order(here.order_id)).status, (await other.order(there.order_id)).status]).toEqual(["unpaid", "paid"]);
    const seen = (await app.api(shop.key).get(`/api/v1/projects/${shop.project_id}/receipts`)).body.data[0];
    expect(seen).toMatchObject({ status: "matched", elsewhere: true, payment_session_id: null });
    await booksBalance();
  });

  test("if it is another project's, is only suggested by a receipt as being elsewhere", async () => {
    const shop = await shopWith({ mode: "exact" });
    const other = await shopWith({ mode: "exact" }, { tenant: { merchant_id: shop.merchant_id } });
    const stranger = await shopWith({ mode: "exact" });
    await other.paying(4600);
    expect((await shop.receipt({ amount_minor: 4600 })).suggestions).toEqual([
      { order_id: null, payment_session_id: null, fits: "payable", amount_minor: 4600, asked_at: null, elsewhere: true },
    ]);
    expect((await stranger.receipt({ amount_minor: 4600 })).suggestions).toEqual([]);
  });
});

describe("money with a mark that can't pay", () => {
  test("for a paid order is a duplicate, for a canceled one late, each identifying its order; a standard price belongs to no one", async () => {
    const shop = await shopWith({ mode: "unique_amount" });
    const [paid, gone] = [await shop.paying(5500), await shop.paying(5500)];
    await shop.receipt({ amount_minor: paid.payable });
    await cancelOrder(ctx, shop, { order_id: gone.order_id });
    await shop.receipt({ amount_minor: paid.payable });
    await shop.receipt({ amount_minor: gone.payable });
    await shop.receipt({ amount_minor: 5500 });
    expect((await shop.cases()).map(({ kind, order_id }) => [kind, order_id]).sort()).toEqual([
      ["duplicate", paid.order_id],
      ["late", gone.order_id],
    ]);
    expect((await shop.order(paid.order_id)).flags).toEqual(["auto_matched", "duplicate_payment"]);
    await booksBalance();
  });

  test("of two transfers that two sources report, two are linked and no excess duplicate results", async () => {
    const shop = await shopWith({ mode: "unique_amount" });
    const { order_id, payable } = await shop.paying(5600);
    const at = (seconds: number) => new Date(ctx.now().getTime() + seconds * 1000);
    await shop.receipt({ amount_minor: payable, source: "listener", external_id: null, occurred_at: at(2) });
    await shop.receipt({ amount_minor: payable, source: "listener", external_id: null, occurred_at: at(240) });
    const late = await shop.receipt({ amount_minor: payable, occurred_at: at(238) });
    const early = await shop.receipt({ amount_minor: payable, occurred_at: at(1) });
    expect([early.receipt.status, late.receipt.status]).toEqual(["linked", "linked"]);
    expect(late.receipt.exception_id).toBeNull();
    expect((await shop.cases()).map(({ kind, order_id }) => [kind, order_id])).toEqual([["duplicate", order_id]]);
    await booksBalance();
  });
});

describe("codes in notes", () => {
  test("the code and its amount pay their order among orders of one price, however it is typed", async () => {
    const shop = await shopWith({ mode: "remark" });
    const typed = [(code: string) => `for the book ${code}`, (code: string) => `${code.slice(0, 2)} ${code.slice(2)}`, wide];
    for (const write of typed) {
      const [other, own] = [await shop.paying(7700), await shop.paying(7700)];
      expect(own.code).toMatch(/^\d{5,6}$/);
      await shop.receipt({ amount_minor: 7700, remark: write(own.code ?? "") });
      expect([(await shop.order(other.order_id)).status, (await shop.order(own.order_id)).status]).toEqual(["unpaid", "paid"]);
    }
    expect((await shop.receipt({ amount_minor: 7700, remark: null })).receipt.status).toBe("unmatched");
    await booksBalance();
  });

  test("a code with another amount is reported with its order, is in no books, and moves nothing until a person decides", async () => {
    const shop = await shopWith({ mode: "remark" });
    const { order_id, code } = await shop.paying(8600);
    const { receipt, outcome } = await shop.receipt({ amount_minor: 8500, remark: code });
    expect({ outcome, status: receipt.status }).toEqual({ outcome: "held", status: "unmatched" });
    expect(await shop.cases()).toEqual([{ kind: "mismatch", order_id, amount_minor: 8500, transaction_id: null }]);
    expect(await shop.order(order_id)).toEqual({ status: "unpaid", flags: [], received: 0 });
    await booksBalance();
    const api = app.api(shop.key);
    const [{ id }] = (await api.get(`/api/v1/projects/${shop.project_id}/exceptions?status=open`)).body.data;
    const accept = (more: object) =>
      api.post(`/api/v1/projects/${shop.project_id}/exceptions/${id}/resolve`, { action: "accept", note: "the rest in cash", ...more });
    expect(await accept({})).toMatchObject({ status: 409, body: { error: { code: "shortfall_unconfirmed" } } });
    expect(await accept({ confirm_shortfall_minor: 100 })).toMatchObject({ status: 200 });
    expect(await shop.order(order_id)).toMatchObject({ status: "paid", flags: ["manually_verified", "underpaid"], received: 8500 });
    await booksBalance();
  });

  test("for a paid order a second transfer with its code is a duplicate, for an expired one a later transfer is late, each identifying its order", async () => {
    const shop = await shopWith({ mode: "remark" });
    const [paid, gone] = [await shop.paying(8700), await shop.paying(8700, 3600)];
    await shop.receipt({ amount_minor: 8700, remark: paid.code });
    expect((await shop.receipt({ amount_minor: 8700, remark: paid.code })).outcome).toBe("held");
    clock.advance(2 * 3_600_000);
    while ((await expireDue(ctx)) > 0);
    expect((await shop.receipt({ amount_minor: 8700, remark: gone.code })).outcome).toBe("held");
    expect((await shop.cases()).map(({ kind, order_id, transaction_id }) => [kind, order_id, transaction_id !== null]).sort()).toEqual([
      ["duplicate", paid.order_id, true],
      ["late", gone.order_id, true],
    ]);
    expect(await shop.order(paid.order_id)).toEqual({ status: "paid", flags: ["auto_matched", "duplicate_payment"], received: 8700 });
    expect((await shop.order(gone.order_id)).status).toBe("expired");
    await booksBalance();
  });

  test("two readings that identify two orders wait, with both suggested", async () => {
    const shop = await shopWith({ mode: "remark" });
    const [one, two] = [await shop.paying(9100), await shop.paying(9100)];
    const { receipt, suggestions } = await shop.receipt({ amount_minor: 9100, remark: `${one.code} / ${two.code}` });
    expect(receipt.status).toBe("unmatched");
    expect(suggestions.map(({ order_id, fits }) => [order_id, fits]).sort()).toEqual(
      [
        [one.order_id, "code"],
        [two.order_id, "code"],
      ].sort(),
    );
  });
});

describe("transfer numbers", () => {
  test.each([["42000DUP1"], [" 42000DUP1"], ["42000DUP1\t"], ["42000dup1"], ["４２０００ＤＵＰ１"]])(
    "%j approves one order and no other",
    async (typed) => {
      const shop = await shopWith({ mode: "exact" });
      const [own, other] = [await shop.paying(1900), await shop.paying(1900)];
      await shop.approve(own.order_id, "42000DUP1");
      await expect(
        reviewOrder(ctx, shop, { order_id: other.order_id, decision: "approve", external_transaction_id: typed }),
      ).rejects.toMatchObject({
        code: "review_exists",
      });
      expect((await shop.order(other.order_id)).status).toBe("unpaid");
    },
  );

  test("a typed number of a waiting receipt links that receipt, and one of another order's receipt is refused", async () => {
    const shop = await shopWith({ mode: "exact" });
    const [own, other] = [await shop.paying(2900), await shop.paying(2900)];
    const [first, second] = [
      await shop.receipt({ amount_minor: 2900, external_id: "1000777A" }),
      await shop.receipt({ amount_minor: 2900 }),
    ];
    await shop.approve(own.order_id, "1000777a ");
    const api = app.api(shop.key);
    const read = async (id: string) => (await api.get(`/api/v1/projects/${shop.project_id}/receipts/${id}`)).body;
    expect(await read(first.receipt.id)).toMatchObject({ status: "linked", external_id: "1000777A" });
    expect(await read(second.receipt.id)).toMatchObject({ status: "unmatched" });
    await expect(
      reviewOrder(ctx, shop, { order_id: other.order_id, decision: "approve", external_transaction_id: "1000777A" }),
    ).rejects.toMatchObject({
      code: "review_exists",
    });
    await booksBalance();
  });
});

function wide(code: string): string {
  return code.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)));
}
