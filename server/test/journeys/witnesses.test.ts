import { describe, expect, test } from "vitest";
import { auditBooks, findOrder, type OrderRow, reportPayment, startPayment } from "#orders/index.ts";
import { listExceptions, matchWaitingReceipts, recordReceipt, reviewOrder } from "#reconciliation/index.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { payShop } from "#test/support/payments/pay-shop.ts";
import { countIncome } from "#test/support/race/race.sql.ts";

const app = await testApp();
const { ctx, clock } = app;
type Mode = "exact" | "unique_amount" | "remark";
type Witness = "approve" | "statement" | "listener";
const orders: Witness[][] = [
  ["approve", "statement", "listener"],
  ["approve", "listener", "statement"],
  ["statement", "approve", "listener"],
  ["statement", "listener", "approve"],
  ["listener", "approve", "statement"],
  ["listener", "statement", "approve"],
];
const modes: Mode[] = ["exact", "unique_amount", "remark"];

/** One transfer of 88.00 that a reviewer, the channel's statement and a listener on the merchant's phone each see. */
describe.each(modes)("one transfer seen three times, matched by %s, is booked once", (mode) => {
  test.each(orders)("%s, %s, %s", async (...sequence) => {
    const seen = await oneTransfer(mode);
    for (const witness of sequence) {
      await seen[witness]();
      clock.advance(5_000);
    }
    await expectOneTransfer(seen);
  });

  test("all three concurrently, four times", async () => {
    for (let turn = 0; turn < 4; turn += 1) {
      const seen = await oneTransfer(mode);
      await Promise.all((["approve", "statement", "listener"] as const).map((witness) => seen[witness]()));
      await expectOneTransfer(seen);
    }
  });
});

interface Scene extends Record<Witness, () => Promise<unknown>> {
  shop: TestTenant;
  order: OrderRow;
}

async function oneTransfer(mode: Mode): Promise<Scene> {
  const { tenant: shop, order: makeOrder } = await payShop(app, { matching: { mode } });
  const { order } = await makeOrder({ amount_minor: 8800 });
  const { session } = await startPayment(ctx, shop, { order_id: order.id, gateway: "wechatpay" });
  await reportPayment(ctx, shop, { order_id: order.id });
  const shown = {
    channel: "wechat" as const,
    amount_minor: session.payable_amount_minor,
    occurred_at: ctx.now(),
    payer_hint: null,
    remark: session.remark_code,
  };
  return {
    shop,
    order,
    approve: () => reviewOrder(ctx, shop, { order_id: order.id, decision: "approve" }).catch(onlyDecided),
    statement: () => recordReceipt(ctx, shop, { ...shown, external_id: `42000${order.id}`, source: "statement" }),
    listener: () => recordReceipt(ctx, shop, { ...shown, external_id: null, source: "listener" }),
  };
}

/** A receipt may have settled it before the reviewer did. */
function onlyDecided(error: unknown): void {
  expect(error).toMatchObject({ status: 409 });
}

async function expectOneTransfer({ shop, order }: Scene): Promise<void> {
  // Receipts that arrived before the approval wait an hour for a person, then are matched once more.
  clock.advance(2 * 3_600_000);
  await matchWaitingReceipts(ctx);
  expect((await findOrder(ctx, shop, order.id)).order).toMatchObject({ status: "paid", amount_received_minor: expect.any(Number) });
  expect(await countIncome(ctx.db, shop, order.id)).toBe(1);
  expect((await listExceptions(ctx, shop, { limit: 10, filters: {} })).rows).toEqual([]);
  expect(await auditBooks(ctx)).toEqual([]);
}
