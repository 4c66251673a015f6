import { expect, test } from "vitest";
import { auditLedger } from "#ledger/index.ts";
import { auditBooks, findOrder } from "#orders/index.ts";
import { lockOrder } from "#orders/rows/orders.sql.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { compareCounting, compareDays } from "#test/support/gateways/scripted/compare-days.ts";
import { feeOf, type ListedShop, listedShops } from "#test/support/gateways/scripted/listed-shops.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { listExceptions } from "../exception/list-exceptions.ts";
import { resolveException } from "../exception/resolve-exception.ts";
import { reversePayment } from "../reverse/reverse-payment.ts";
import { recordFees } from "./record-fees.ts";

const gateway = payingGateway({ lists: true });
const app = await testApp({ gateways: { adapters: [gateway.adapter] }, http: { perMinuteUnauthenticated: 100_000 } });
const { ctx, clock } = app;
const open = listedShops(app, gateway);
const cny = (amount_minor: number) => ({ amount_minor, currency: "CNY" });

/** Each day is compared, and then all of them again. */
async function compareTwice(shop: ListedShop): Promise<void> {
  await compareDays(app, 2);
  const again = "update gateway_comparisons set compared_until = compared_until - interval '20 days' where credential_id = ?";
  await runStatement(ctx.db, again, shop.credential);
  await compareDays(app, 2);
}

test.each([
  {
    name: "that only the list tells is booked once",
    listed: cny(53),
    reported: null,
    expected: { fee: [53, "CNY"], fees: 1, balance: 9_847 },
  },
  {
    name: "in another currency is stored, and not booked",
    listed: { amount_minor: 7, currency: "USD" },
    reported: null,
    expected: { fee: [7, "USD"], fees: 0, balance: 9_900 },
  },
  {
    name: "that was reported with the payment stays, and isn't booked again",
    listed: cny(53),
    reported: cny(60),
    expected: { fee: [60, "CNY"], fees: 1, balance: 9_840 },
  },
])("a fee $name", async ({ listed, reported, expected }) => {
  const shop = await open();
  const paid = await shop.paid({ fee: listed }, { fee: reported });
  await compareTwice(shop);
  expect(await feeOf(app, shop, paid)).toEqual(expected);
  expect((await listExceptions(ctx, shop.tenant, { limit: 9, filters: {} })).rows).toEqual([]);
});

test("the fee of a payment that the list reported first is booked when it is settled", async () => {
  const shop = await open();
  const { order, session } = await shop.started({ expires_in: 2_592_000 });
  gateway.pay(session.id, { paidAt: clock.now() });
  shop.list({ reference: session.id, fee: cny(53) });
  await compareTwice(shop);
  expect((await findOrder(ctx, shop.tenant, order.id)).order).toMatchObject({ status: "paid" });
  expect(await feeOf(app, shop, { order_id: order.id, session_id: session.id })).toEqual({ fee: [53, "CNY"], fees: 1, balance: 9_847 });
});

const reverse = ({ tenant }: ListedShop, order_id: string, cause: "not_received" | "other_order" = "not_received") =>
  reversePayment(ctx, tenant, { order_id, cause, note: "slip" });

test("a fee isn't booked for money that a person reverses as never received while the list is compared", async () => {
  const shop = await open();
  const paid = await shop.paid({ fee: cny(53) });
  const { session } = await shop.started({ expires_in: 2_592_000 });
  gateway.pay(session.id, { paidAt: clock.now() });
  shop.list({ reference: session.id });
  gateway.meanwhile = async (verb, reference) => {
    if (verb !== "query" || reference !== session.id) return;
    gateway.meanwhile = null;
    await reverse(shop, paid.order_id);
  };
  await compareTwice(shop);
  expect(gateway.meanwhile).toBeNull();
  expect(await feeOf(app, shop, paid)).toEqual({ fee: [null, null], fees: 0, balance: 9_900 });
});

test("a fee that is booked while its money is reversed as another order's leaves the books with that money", async () => {
  const shop = await open();
  const { order_id, session_id } = await shop.paid(null);
  await reverse(shop, order_id, "other_order");
  const [held] = (await listExceptions(ctx, shop.tenant, { limit: 9, filters: {} })).rows;
  const other = (await shop.order()).order.id;
  await resolveException(ctx, shop.tenant, { exception_id: held?.id ?? "", action: "accept", order_id: other });
  const waiting = "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
  let reversing: Promise<unknown> | undefined;
  let isReversed = false;
  const inParallel: Pick<typeof ctx, "transactUnclaimed"> = {
    transactUnclaimed: (work) =>
      ctx.transactUnclaimed(async (tx) => {
        const result = await work(tx);
        reversing = reverse(shop, other).then(() => (isReversed = true));
        const isWaiting = async () => (await app.asSuperuser((db) => runStatement(db, waiting))).length > 0;
        await eventually("the reversal waits", async () => isReversed || (await isWaiting()));
        return result;
      }),
  };
  await recordFees({ ...ctx, ...inParallel }, [{ payment: { ...shop.tenant, payment_session_id: session_id, order_id }, fee: cny(53) }]);
  await reversing;
  expect(await feeOf(app, shop, { order_id, session_id })).toEqual({ fee: [53, "CNY"], fees: 1, balance: 0 });
});

test("a fee whose order is locked is booked once the lock is released, and delays no other one", async () => {
  const shop = await open();
  const [held, free] = [await shop.paid({ fee: cny(53) }), await shop.paid({ fee: cny(54) })];
  const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = ctx.transact(async (tx) => {
    await lockOrder(tx, shop.tenant, held.order_id);
    locked.resolve();
    await released.promise;
  });
  await locked.promise;
  const seen: unknown[] = [];
  const release = () => {
    if (seen.length > 0) return;
    seen.push(feeOf(app, shop, free));
    released.resolve();
  };
  await compareCounting(app, release);
  await holding;
  expect(await seen[0]).toMatchObject({ fee: [54, "CNY"] });
  expect(await feeOf(app, shop, held)).toEqual({ fee: [53, "CNY"], fees: 1, balance: 2 * 9_900 - 53 - 54 });
});

test("after all of these tests the books agree", async () => {
  expect(await auditBooks(ctx)).toEqual([]);
  expect((await auditLedger(ctx)).faults).toEqual([]);
});
