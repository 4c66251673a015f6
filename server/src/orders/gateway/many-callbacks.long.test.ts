import { expect, test } from "vitest";
import { auditLedger } from "#ledger/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { readBooks } from "#test/support/books/books.sql.ts";
import { gatewayShop } from "#test/support/gateways/scripted/gateway-shop.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { auditBooks } from "../audit-books.ts";
import { startPayment } from "../payment/start-payment.ts";
import { createCallbackApplier } from "./receive-callback.ts";

const count = 10_000;
/** More than one process applies at once. */
const atOnce = 1_000;

let groups = 0;
const gateway = payingGateway();
const app = await testApp({
  gateways: { adapters: [gateway.adapter] },
  http: { perMinuteUnauthenticated: 100_000 },
  probe(text) {
    if (text.includes("insert into received_payments")) groups += 1;
  },
});
const { ctx } = app;

test("callbacks of 10 000 orders, a thousand at a time, are acknowledged, and settled in groups by the process and a worker, each order once", async () => {
  const shop = await gatewayShop(app);
  const account = await shop.account("tp_many");
  const references: string[] = [];
  const workers = Array.from({ length: 8 }, async () => {
    while (references.length < count) {
      const { order } = await shop.order();
      references.push((await startPayment(ctx, shop.tenant, { order_id: order.id, gateway: "testpay" })).session.id);
    }
  });
  await Promise.all(workers);
  const callbacks = references.map((reference) => {
    gateway.pay(reference);
    return gateway.callback(reference);
  });
  const applier = createCallbackApplier();
  const before = groups;
  const statuses: number[] = [];
  const senders = Array.from({ length: atOnce }, async () => {
    for (let next = callbacks.pop(); next !== undefined; next = callbacks.pop())
      statuses.push((await app.api().call("POST", `/api/payments/testpay/webhook/${account}`, next)).status);
  });
  await Promise.all(senders);
  expect([statuses.length, new Set(statuses)]).toEqual([references.length, new Set([200])]);
  // On a busy machine some wait too long for a group: they are a worker's, too, once their time is over.
  app.clock.advance(21_000);
  let unpaid: string[] = [];
  const isEachPaid = async () => {
    await applier.run(ctx);
    await applier.idle();
    unpaid = (await readBooks(ctx.db, shop.tenant)).orders.filter((line) => !line.startsWith("paid "));
    // One that was put off is due some seconds later.
    app.clock.advance(1_000);
    return unpaid.length === 0;
  };
  await eventually(() => `every order is paid: ${unpaid.length} aren't, such as ${unpaid[0]}`, isEachPaid, {
    withinMs: 600_000,
    everyMs: 100,
  });
  await applier.finish(ctx);
  const books = await readBooks(ctx.db, shop.tenant);
  expect(books.received).toHaveLength(references.length);
  expect(books.exceptions).toEqual([]);
  expect(new Set(books.callbacks)).toEqual(new Set(["testpay payment.updated done applied"]));
  console.info(`${references.length} callbacks in ${groups - before} groups`);
  expect(groups - before).toBeLessThan(references.length / 8);
  expect(await auditBooks(ctx)).toEqual([]);
  expect((await auditLedger(ctx)).faults).toEqual([]);
});
