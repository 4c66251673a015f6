import { describe, expect, test } from "vitest";
import { listReceipts, type ProfileInput, putProfile } from "#collection/index.ts";
import { listWallets } from "#ledger/index.ts";
import { house } from "#test/house.ts";
import { auditBooks } from "../audit-books.ts";
import { listExceptions } from "../exception/list-exceptions.ts";
import { createOrder } from "../order/create-order.ts";
import { expireDue } from "../order/expire-due.ts";
import { findOrder } from "../order/find-order.ts";
import { reportPayment } from "../session/report-payment.ts";
import { startPayment } from "../session/start-payment.ts";
import { reviewOrder } from "../settle/review-order.ts";
import { matchWaitingReceipts, type ReceiptInput, recordReceipt } from "./record-receipt.ts";

const { ctx, tenant, clock } = await house();
const code = "wxp://f2f0AbCdEfGhIjKlMnOpQrStUvWxYz01234";
let amount = 10_000;

async function shopWith(matching: NonNullable<ProfileInput["matching"]>) {
  const shop = await tenant();
  await putProfile(ctx, shop, { channel: "wechat", if_version: null, qr_payload: code, matching });
  return shop;
}
type Shop = Awaited<ReturnType<typeof shopWith>>;

/** An order of an amount that no other test uses, with an open WeChat session. */
async function paying(shop: Shop, amount_minor = (amount += 1000)) {
  const { order } = await createOrder(ctx, shop, { amount_minor, currency: "CNY" });
  const { session } = await startPayment(ctx, shop, { order_id: order.id, gateway: "wechatpay" });
  return { order, session, amount_minor };
}
const receipt = (shop: Shop, input: Partial<ReceiptInput> & { amount_minor: number }) =>
  recordReceipt(ctx, shop, { channel: "wechat", occurred_at: ctx.now(), source: "statement", external_id: ctx.id("req"), ...input });
const statusOf = async (shop: Shop, id: string) => (await findOrder(ctx, shop, id)).order.status;
const openCases = async (shop: Shop) => (await listExceptions(ctx, shop, { limit: 100, filters: { status: ["open"] } })).rows;
const booksBalance = async () => expect(await auditBooks(ctx)).toEqual([]);

describe("unique amounts", () => {
  test("two orders of one price are asked for different amounts, and each receipt pays its own", async () => {
    const shop = await shopWith({ mode: "unique_amount", max_offset_minor: 20 });
    const first = await paying(shop, 9900);
    const second = await paying(shop, 9900);
    expect([first.session.payable_amount_minor, second.session.payable_amount_minor]).toEqual([9900, 9899]);
    expect((await receipt(shop, { amount_minor: 9899 })).receipt).toMatchObject({ status: "matched", payment_session_id: second.session.id });
    expect(await statusOf(shop, second.order.id)).toBe("paid");
    expect(await statusOf(shop, first.order.id)).toBe("unpaid");
    await booksBalance();
  });

  test("a transfer after the session's time is held for its order, and pays nothing by itself", async () => {
    const shop = await shopWith({ mode: "unique_amount" });
    const { order, amount_minor } = await paying(shop);
    clock.advance(31 * 60_000);
    await receipt(shop, { amount_minor });
    expect(await statusOf(shop, order.id)).toBe("unpaid");
    expect(await openCases(shop)).toMatchObject([{ kind: "late", order_id: order.id, amount_minor }]);
    await booksBalance();
  });

  test("when no amount is free a strict profile says so, another falls back to a person", async () => {
    const strict = await shopWith({ mode: "unique_amount", max_offset_minor: 0, strict: true });
    await paying(strict, 500);
    await expect(paying(strict, 500)).rejects.toMatchObject({ code: "no_free_amount" });
    const lenient = await shopWith({ mode: "unique_amount", max_offset_minor: 0 });
    await paying(lenient, 500);
    expect((await paying(lenient, 500)).session).toMatchObject({ matching_mode: "exact", payable_amount_minor: 500 });
  });
});

describe("remarks", () => {
  test("the code in the note pays its order among orders of one price", async () => {
    const shop = await shopWith({ mode: "remark" });
    const [first, second] = [await paying(shop, 7700), await paying(shop, 7700)];
    await receipt(shop, { amount_minor: 7700, remark: `for the book ${second.session.remark_code}` });
    expect([await statusOf(shop, first.order.id), await statusOf(shop, second.order.id)]).toEqual(["unpaid", "paid"]);
    expect((await receipt(shop, { amount_minor: 7700, remark: null })).suggestions).toEqual([first.session.id]);
    await booksBalance();
  });
});

describe("exact amounts", () => {
  test("a receipt alone is a suggestion; the approval then takes it, and one transfer is booked", async () => {
    const shop = await shopWith({ mode: "exact" });
    const { order, session, amount_minor } = await paying(shop);
    const recorded = await receipt(shop, { amount_minor });
    expect(recorded).toMatchObject({ receipt: { status: "unmatched" }, suggestions: [session.id] });
    await reviewOrder(ctx, shop, { order_id: order.id, decision: "approve" });
    clock.advance(2 * 3_600_000);
    await matchWaitingReceipts(ctx);
    expect(await openCases(shop)).toEqual([]);
    await booksBalance();
  });

  test("approve, then the statement, then the listener: one transfer", async () => {
    const shop = await shopWith({ mode: "exact" });
    const { order, session, amount_minor } = await paying(shop);
    await reportPayment(ctx, shop, { order_id: order.id });
    await reviewOrder(ctx, shop, { order_id: order.id, decision: "approve" });
    const seen = [await receipt(shop, { amount_minor }), await receipt(shop, { amount_minor, source: "listener", external_id: null })];
    expect(seen.map((one) => [one.receipt.status, one.receipt.payment_session_id])).toEqual([
      ["linked", session.id],
      ["linked", session.id],
    ]);
    expect(await openCases(shop)).toEqual([]);
    expect((await findOrder(ctx, shop, order.id)).order.amount_received_minor).toBe(amount_minor);
    await booksBalance();
  });

  test("an approval and the statement at once: one transfer, whichever is first", async () => {
    const shop = await shopWith({ mode: "exact" });
    for (let round = 0; round < 15; round += 1) {
      const { order, amount_minor } = await paying(shop);
      await Promise.all([reviewOrder(ctx, shop, { order_id: order.id, decision: "approve" }), receipt(shop, { amount_minor })]);
      expect((await findOrder(ctx, shop, order.id)).order).toMatchObject({ status: "paid", flags: ["manually_verified"], amount_received_minor: amount_minor });
    }
    clock.advance(2 * 3_600_000);
    await matchWaitingReceipts(ctx);
    expect(await openCases(shop)).toEqual([]);
    await booksBalance();
  });

  test("a receipt with a booked number but another amount stays before a person", async () => {
    const shop = await shopWith({ mode: "exact" });
    const { order, session, amount_minor } = await paying(shop);
    await reviewOrder(ctx, shop, { order_id: order.id, decision: "approve", external_transaction_id: "4200000777" });
    const odd = await receipt(shop, { amount_minor: amount_minor - 100, external_id: "4200000777" });
    expect(odd).toMatchObject({ receipt: { status: "unmatched" }, suggestions: [session.id] });
    await booksBalance();
  });

  test("a second real transfer of the same amount is not taken for the first", async () => {
    const shop = await shopWith({ mode: "exact" });
    const { order, amount_minor } = await paying(shop);
    await reviewOrder(ctx, shop, { order_id: order.id, decision: "approve" });
    await receipt(shop, { amount_minor });
    await receipt(shop, { amount_minor });
    expect(await openCases(shop)).toMatchObject([{ kind: "unmatched", amount_minor }]);
    await booksBalance();
  });

  test("a receipt that came before anybody reported pays on approval, and one transfer is booked", async () => {
    const shop = await shopWith({ mode: "exact" });
    const { order } = await createOrder(ctx, shop, { amount_minor: 31_337, currency: "CNY" });
    await receipt(shop, { amount_minor: 31_337 });
    expect(await openCases(shop)).toMatchObject([{ kind: "unmatched" }]);
    await reportPayment(ctx, shop, { order_id: order.id, gateway: "wechatpay" });
    expect((await reviewOrder(ctx, shop, { order_id: order.id, decision: "approve" })).order).toMatchObject({ status: "paid", amount_received_minor: 31_337 });
    expect(await openCases(shop)).toEqual([]);
    expect((await listWallets(ctx, shop, { limit: 10 }))?.data).toMatchObject([{ balance_minor: 31_337 }]);
    await booksBalance();
  });

  test("a statement that comes after the code's time still waits for a person, and the approval takes it", async () => {
    const shop = await shopWith({ mode: "exact" });
    const { order, session, amount_minor } = await paying(shop);
    const occurred_at = ctx.now();
    clock.advance(3_600_000);
    for (let expired = 1; expired > 0; ) expired = await expireDue(ctx);
    expect(await receipt(shop, { amount_minor, occurred_at })).toMatchObject({ receipt: { status: "unmatched" }, suggestions: [session.id] });
    clock.advance(2 * 3_600_000);
    await matchWaitingReceipts(ctx);
    expect(await statusOf(shop, order.id)).toBe("unpaid");
    await reviewOrder(ctx, shop, { order_id: order.id, decision: "approve" });
    expect(await openCases(shop)).toEqual([]);
    expect((await findOrder(ctx, shop, order.id)).order).toMatchObject({ status: "paid", amount_received_minor: amount_minor });
    await booksBalance();
  });

  test("a receipt that nobody claims becomes an exception once its sessions are gone", async () => {
    const shop = await shopWith({ mode: "exact" });
    const { order, amount_minor } = await paying(shop);
    await receipt(shop, { amount_minor });
    clock.advance(25 * 3_600_000);
    for (let expired = 1; expired > 0; ) expired = await expireDue(ctx);
    expect(await matchWaitingReceipts(ctx, 1)).toBeGreaterThan(0);
    expect(await statusOf(shop, order.id)).toBe("expired");
    expect(await openCases(shop)).toMatchObject([{ kind: "late", order_id: order.id, amount_minor }]);
    const [late] = await openCases(shop);
    const { rows } = await listReceipts(ctx, shop, { limit: 10, filters: {} });
    expect(rows).toMatchObject([{ status: "matched", exception_id: late?.id, payment_session_id: null }]);
    await booksBalance();
  });
});

test("the same receipt a hundred times at once is taken once", async () => {
  const shop = await shopWith({ mode: "unique_amount" });
  const { order, amount_minor } = await paying(shop);
  const all = await Promise.all(Array.from({ length: 100 }, () => receipt(shop, { amount_minor, external_id: "4200000001" })));
  expect(all.filter((one) => one.created)).toHaveLength(1);
  expect((await findOrder(ctx, shop, order.id)).order).toMatchObject({ status: "paid", version: 3 });
  await booksBalance();
});

test("a listener's and a statement's receipt of one transfer at once: paid once, nothing over", async () => {
  const shop = await shopWith({ mode: "unique_amount" });
  const { order, amount_minor } = await paying(shop);
  await Promise.all([receipt(shop, { amount_minor }), receipt(shop, { amount_minor, source: "listener", external_id: null })]);
  expect(await statusOf(shop, order.id)).toBe("paid");
  expect(await openCases(shop)).toEqual([]);
  await booksBalance();
});

test("of a channel that nobody has set up, two sources that tell of one transfer at once are held once", async () => {
  for (let round = 0; round < 5; round += 1) {
    const shop = await tenant();
    const told = await Promise.all([receipt(shop, { amount_minor: 4200 }), receipt(shop, { amount_minor: 4200, source: "listener", external_id: null })]);
    expect(told.map((one) => one.receipt.status).sort()).toEqual(["linked", "matched"]);
    expect(await openCases(shop)).toMatchObject([{ kind: "unmatched", amount_minor: 4200 }]);
  }
  await booksBalance();
});
