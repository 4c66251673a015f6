import { expect, test } from "vitest";
import { findAccount, insertReceipt, type NewReceipt, newReceipt } from "#collection/index.ts";
import { countPutOff } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { withLog } from "#test/support/app/with-log.ts";
import { refuseRows } from "#test/support/database/refuse-rows.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { bookFaults, type ReceiptShop, receiptShops } from "#test/support/payments/receipt-shop.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { matchWaitingReceipts } from "./record-receipt.ts";

const app = await testApp();
const { ctx, lines } = withLog(app.ctx);
const shopWith = receiptShops(app);
const task = "match_waiting_receipts";

/** Writes a receipt that nothing has decided about yet, as another process's is for a moment. */
async function undecided(shop: ReceiptShop, given: Pick<NewReceipt, "amount_minor" | "source"> & Partial<NewReceipt>): Promise<string> {
  const receipt: NewReceipt = { channel: "wechat", currency: "CNY", occurred_at: ctx.now(), ...given };
  return ctx.transact(async (tx) => {
    const account = await findAccount(tx, shop, receipt);
    return (await insertReceipt(tx, newReceipt(ctx, { tenant: shop, account, receipt }), { named: false })).receipt.id;
  });
}

async function statusesOf(ids: readonly string[]): Promise<(string | undefined)[]> {
  const rows = await runStatement<{ id: string; status: string }>(ctx.db, "select id, status from receipts");
  return ids.map((id) => rows.find((row) => row.id === id)?.status);
}

test("a waiting receipt that can't be matched keeps none of nine others waiting, and is reported", async () => {
  const ids: string[] = [];
  for (let n = 0; n < 10; n += 1) {
    const shop = await shopWith({ mode: "unique_amount" });
    const { payable } = await shop.paying();
    ids.push(await undecided(shop, { amount_minor: payable, source: "statement", external_id: ctx.id("req") }));
  }
  const [odd = "", ...others] = ids;
  const allow = await refuseRows(app, "receipts", { ids: [odd] });
  app.clock.advance(2 * 3_600_000);
  expect(await matchWaitingReceipts(ctx, 4)).toBe(9);
  expect(new Set(await statusesOf(others))).toEqual(new Set(["matched"]));
  expect(await statusesOf([odd])).toEqual(["unmatched"]);
  expect(lines).toMatchObject([{ task, kind: "receipt", row: odd, err: { message: "this row is refused" } }]);
  expect(countPutOff(ctx.db, task)).toBe(1);
  await allow();
  await eventually("it is matched as well", async () => (await matchWaitingReceipts(ctx)) === 1);
  expect([await statusesOf([odd]), countPutOff(ctx.db, task)]).toEqual([["matched"], 0]);
  expect(await bookFaults(app)).toEqual([]);
});

test("if no waiting receipt can be matched, the run fails after five of them", async () => {
  const ids: string[] = [];
  for (let n = 0; n < 7; n += 1) {
    const shop = await shopWith({ mode: "unique_amount" });
    const { payable } = await shop.paying();
    ids.push(await undecided(shop, { amount_minor: payable, source: "statement", external_id: ctx.id("req") }));
  }
  const allow = await refuseRows(app, "receipts", { ids });
  app.clock.advance(2 * 3_600_000);
  await expect(matchWaitingReceipts(ctx)).rejects.toThrow("this row is refused");
  expect(countPutOff(ctx.db, task)).toBe(5);
  await allow();
  expect(await matchWaitingReceipts(ctx)).toBe(7);
  expect(countPutOff(ctx.db, task)).toBe(0);
});

test("receipts of the same amount and day are paired for each of several merchants", async () => {
  const ids: string[] = [];
  for (let n = 0; n < 2; n += 1) {
    const shop = await shopWith({ mode: "exact" });
    await undecided(shop, { amount_minor: 4_200, source: "statement", external_id: ctx.id("req") });
    ids.push(await undecided(shop, { amount_minor: 4_200, source: "listener", occurred_at: new Date(ctx.now().getTime() + 1_000) }));
  }
  app.clock.advance(2 * 3_600_000);
  expect(await matchWaitingReceipts(ctx)).toBe(2);
  expect(await statusesOf(ids)).toEqual(["linked", "linked"]);
});
