import { beforeEach, expect, test } from "vitest";
import { resolveException } from "#reconciliation/index.ts";
import { reversePayment } from "#reconciliation/reverse/reverse-payment.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { booksBalanceOf } from "#test/support/books/books-balance.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { applyReport, storeReport } from "#test/support/gateways/scripted/apply-report.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { type RefundShop, refundShop } from "#test/support/gateways/scripted/refund-shop.ts";
import { settleModes } from "#test/support/payments/settle-money.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { startPayment } from "../payment/start-payment.ts";
import { findGatewayPayment } from "../rows/gateway-payments.sql.ts";
import { simulatePayment } from "../settle/simulate-payment.ts";
import type { SessionRow } from "../shapes.ts";

const gateway = payingGateway();
const app = await testApp({ gateways: { adapters: [gateway.adapter] } });
const { ctx } = app;
const booksBalance = booksBalanceOf(app);
const yuan = (amount_minor: number) => ({ amount_minor, currency: "CNY" });

let shop: RefundShop;
beforeEach(async () => {
  shop = await refundShop(app, gateway);
});

const receivedOf = async ({ id }: SessionRow) =>
  (await runStatement(ctx.db, "select amount_minor from received_payments where payment_session_id = ? order by amount_minor", id)).map(
    (row) => Number(row["amount_minor"]),
  );
const paymentOf = ({ id }: SessionRow) => findGatewayPayment(ctx.db, shop.tenant, id);

test("money that a provider reports in addition is booked, also if it reported less in between", async () => {
  const { session } = await shop.started();
  for (const amountMinor of [6_000, 10_000, 6_000, 12_000]) {
    gateway.pay(session.id, { paid: yuan(amountMinor) });
    await shop.ask(session);
  }
  expect(await receivedOf(session)).toEqual([2_000, 4_000, 6_000]);
  expect(await paymentOf(session)).toMatchObject({ settled_id: `cap_${session.id}`, paid_minor: 12_000 });
  await booksBalance();
});

test.each([
  ["less", yuan(6_000)],
  ["another currency", { amount_minor: 9_900, currency: "EUR" }],
])("a payment that is later reported with %s keeps its booked amount", async (_what, paid) => {
  const { session } = await shop.paid();
  gateway.change(session.id, { paid });
  await shop.ask(session);
  expect(await receivedOf(session)).toEqual([9_900]);
  expect(await paymentOf(session)).toMatchObject({ paid_minor: 9_900, paid_currency: "CNY" });
  await booksBalance();
});

test.each(settleModes)("a payment that is later reported with another fee keeps the fee that was booked, settled %s", async (way) => {
  const { session } = await shop.paid({}, { fee: yuan(60) });
  gateway.change(session.id, { fee: yuan(80) });
  const callback = await storeReport(ctx, { gateway, account: shop.credential, reference: session.id });
  await applyReport(ctx, { callback, way });
  expect(await paymentOf(session)).toMatchObject({ fee_minor: 60, paid_minor: 9_900 });
  const fees = await runStatement(
    ctx.db,
    "select amount_minor from ledger_transfers where payment_session_id = ? and kind = 'fee'",
    session.id,
  );
  expect(fees).toMatchObject([{ amount_minor: 60 }]);
  await booksBalance();
});

test("money that a person reversed as never received, and that is then reported with less, is the amount that is booked", async () => {
  const { order, session } = await shop.paid();
  await reversePayment(ctx, shop.tenant, { order_id: order.id, cause: "not_received", note: "slip" });
  gateway.change(session.id, { paid: yuan(6_000) });
  await shop.ask(session);
  expect(await receivedOf(session)).toEqual([6_000]);
  expect(await paymentOf(session)).toMatchObject({ paid_minor: 6_000 });
  await booksBalance();
});

test("money that a person reversed as never received, and that is then reported with more, is booked once", async () => {
  const { order, session } = await shop.paid();
  await reversePayment(ctx, shop.tenant, { order_id: order.id, cause: "not_received", note: "slip" });
  gateway.change(session.id, { paid: yuan(12_000) });
  for (const _report of ["new", "repeated"]) await shop.ask(session);
  expect(await receivedOf(session)).toEqual([12_000]);
  expect(await paymentOf(session)).toMatchObject({ paid_minor: 12_000 });
  gateway.change(session.id, { paid: yuan(15_000) });
  for (const _report of ["new", "repeated"]) await shop.ask(session);
  expect(await receivedOf(session)).toEqual([3_000, 12_000]);
  await booksBalance();
});

/** A payment to which money was added, and whose first money a person then reversed as never received. */
async function reversedWithMore() {
  const { order, session } = await shop.paid();
  gateway.change(session.id, { paid: yuan(12_000) });
  await shop.ask(session);
  await reversePayment(ctx, shop.tenant, { order_id: order.id, cause: "not_received", note: "slip" });
  return session;
}

test("a part of a payment that a person reversed is booked again without the other part, which waits for a person", async () => {
  const session = await reversedWithMore();
  expect(await receivedOf(session)).toEqual([2_100]);
  for (const _report of ["new", "repeated"]) await shop.ask(session);
  expect(await receivedOf(session)).toEqual([2_100, 9_900]);
  await booksBalance();
});

test("what is paid in addition after a reversal is booked, also if the books have had the same sum before", async () => {
  const session = await reversedWithMore();
  for (const amountMinor of [9_900, 12_000, 12_000]) {
    gateway.change(session.id, { paid: yuan(amountMinor) });
    await shop.ask(session);
  }
  expect(await receivedOf(session)).toEqual([2_100, 2_100, 7_800]);
  expect(await paymentOf(session)).toMatchObject({ paid_minor: 12_000 });
  await booksBalance();
});

test.each(settleModes)("a part that the books still hold isn't booked with the rest again, settled %s", async (way) => {
  const session = await reversedWithMore();
  gateway.change(session.id, { paid: yuan(9_900) });
  const callback = await storeReport(ctx, { gateway, account: shop.credential, reference: session.id });
  await applyReport(ctx, { callback, way });
  expect(await receivedOf(session)).toEqual([2_100, 7_800]);
  await booksBalance();
});

test("a report of a payment waits for another order's reversal that takes its money, and books it beside what was added", async () => {
  const { order, session } = await shop.paid();
  gateway.change(session.id, { paid: yuan(12_000) });
  await shop.ask(session);
  await reversePayment(ctx, shop.tenant, { order_id: order.id, cause: "other_order", note: "slip" });
  const held = (await shop.cases()).find(({ kind }) => kind === "unmatched");
  const other = (await shop.order()).order.id;
  await resolveException(ctx, shop.tenant, { exception_id: held?.id ?? "", action: "accept", order_id: other });
  const waiting = "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
  let reporting: Promise<void> | undefined;
  const inParallel: Pick<typeof ctx, "transact"> = {
    transact: (work) =>
      ctx.transact(async (tx) => {
        const result = await work(tx);
        reporting = shop.ask(session);
        await eventually("the report waits", async () => (await app.asSuperuser((db) => runStatement(db, waiting))).length > 0);
        return result;
      }),
  };
  await reversePayment({ ...ctx, ...inParallel }, shop.tenant, { order_id: other, cause: "not_received", note: "slip" });
  await reporting;
  expect(await receivedOf(session)).toEqual([2_100, 9_900]);
  await booksBalance();
});

test.each(settleModes)("a second payment whose money another order had is booked beside what was added, settled %s", async (way) => {
  const { order, session } = await shop.started();
  await startPayment(ctx, shop.tenant, { order_id: order.id, gateway: "wechatpay" });
  await simulatePayment(ctx, shop.tenant, { order_id: order.id });
  for (const amountMinor of [6_000, 9_900]) {
    gateway.pay(session.id, { paid: yuan(amountMinor) });
    await shop.ask(session);
  }
  const held = (await shop.cases()).find(({ amount_minor }) => amount_minor === 6_000);
  const other = (await shop.order({ amount_minor: 6_000 })).order.id;
  await resolveException(ctx, shop.tenant, { exception_id: held?.id ?? "", action: "accept", order_id: other });
  await reversePayment(ctx, shop.tenant, { order_id: other, cause: "not_received", note: "slip" });
  const callback = await storeReport(ctx, { gateway, account: shop.credential, reference: session.id });
  await applyReport(ctx, { callback, way });
  expect(await receivedOf(session)).toEqual([3_900, 6_000]);
  await booksBalance();
});
