import { afterAll, expect, test } from "vitest";
import { type Ctx, createWaitLimit, narrow, openDatabase } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { booksBalanceOf } from "#test/support/books/books-balance.ts";
import { startDatabaseProxy } from "#test/support/network/database-proxy.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { createOrder } from "../order/create-order.ts";
import { findOrder } from "../order/find-order.ts";
import type { OrderRow } from "../shapes.ts";
import { simulatePayment } from "./simulate-payment.ts";

const app = await testApp();
const shop = await app.tenant();
const booksBalance = booksBalanceOf(app);
const proxy = await startDatabaseProxy(app.url);
const far = 600_000;
let isArmed = false;
const database = openDatabase({
  url: proxy.url,
  max: 4,
  ...{ shared: 0, waitMs: far, lockMs: far, noticeMs: far },
  probe() {
    // The first statement after the lost COMMIT: the look for it gets no response.
    if (isArmed && proxy.mode === "pass") proxy.mode = "hold";
  },
});
afterAll(async () => {
  await database.close(0);
  await proxy.close();
});

interface Lost {
  order: OrderRow;
  error: unknown;
  /** How often its outcome was looked for. */
  tries: number;
}

/** A payment of a new order, whose COMMIT is lost; the look for it gets no response. */
async function lose(mode: "stop commit" | "lose commit"): Promise<Lost> {
  const { order } = await createOrder(app.ctx, shop, { amount_minor: 9900, currency: "CNY" });
  const lost: Lost = { order, error: null, tries: 0 };
  const usual: Ctx = { ...narrow(app.ctx, {}, database), db: database.db };
  const own: Ctx = {
    ...usual,
    transact(work) {
      lost.tries += 1;
      return usual.transact(work);
    },
  };
  await usual.transact(async () => {});
  [proxy.mode, isArmed] = [mode, true];
  const paying = createWaitLimit({ ms: 200 }).run(() => simulatePayment(own, shop, { order_id: order.id }));
  lost.error = await paying.catch((thrown: unknown) => thrown);
  isArmed = false;
  proxy.mode = "pass";
  proxy.drop();
  return lost;
}

/** On a busy machine, the request's time may be over before the COMMIT. */
async function loseInTime(mode: "stop commit" | "lose commit"): Promise<Lost> {
  let lost: Lost | undefined;
  await eventually("a COMMIT within the request's time", async () => (lost = await lose(mode)).tries > 0);
  return lost as unknown as Lost;
}

test.each([
  ["stop commit", "unpaid"],
  ["lose commit", "paid"],
] as const)(
  "%s, and then the database stops responding: 503 once the request's time is over, without further tries, and the order is %s",
  async (mode, status) => {
    const { error, tries, order } = await loseInTime(mode);
    expect(error).toMatchObject({ code: "service_unavailable", extras: { headers: { "retry-after": "1" } } });
    expect(tries).toBe(1);
    expect((await findOrder(app.ctx, shop, order.id)).order.status).toBe(status);
    await booksBalance();
  },
);
