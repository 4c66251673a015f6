import { expect, test } from "vitest";
import { auditLedger } from "#ledger/index.ts";
import { auditBooks } from "#orders/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { compareCounting } from "#test/support/gateways/scripted/compare-days.ts";
import { feeOf, type ListedShop, listedShops } from "#test/support/gateways/scripted/listed-shops.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";

const gateway = payingGateway({ lists: true });
const app = await testApp({ gateways: { adapters: [gateway.adapter] }, http: { perMinuteUnauthenticated: 100_000 } });
const { ctx } = app;
const open = listedShops(app, gateway);
const cny = (amount_minor: number) => ({ amount_minor, currency: "CNY" });

test("the fees of 210 listed payments are booked in a few transactions", async () => {
  const shop = await open();
  const paid: Awaited<ReturnType<ListedShop["paid"]>>[] = [];
  for (let some = 0; some < 7; some += 1) {
    const payments = Array.from({ length: 30 }, () => shop.paid({ fee: cny(53) }));
    paid.push(...(await Promise.all(payments)));
  }
  expect(await compareCounting(app)).toBeLessThanOrEqual(6);
  const counts = `select count(distinct p.id)::int as stored, count(distinct t.id)::int as booked, sum(t.amount_minor)::int as total
    from gateway_payments p left join ledger_transfers t on t.order_id = p.order_id and t.kind = 'fee'
    where p.credential_id = ? and p.fee_minor = 53 and p.fee_currency = 'CNY'`;
  expect(await runStatement(ctx.db, counts, shop.credential)).toEqual([{ stored: 210, booked: 210, total: 210 * 53 }]);
  const [one] = paid;
  expect(one && (await feeOf(app, shop, one))).toEqual({ fee: [53, "CNY"], fees: 1, balance: 210 * 9_847 });
});

test("after all of these tests the books agree", async () => {
  expect(await auditBooks(ctx)).toEqual([]);
  expect((await auditLedger(ctx)).faults).toEqual([]);
});
