import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { type Claim, type Ctx, type Database, narrow, openDatabase, type Tenant } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { readBooks } from "#test/support/books/books.sql.ts";
import { booksBalanceOf } from "#test/support/books/books-balance.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { startDatabaseProxy } from "#test/support/network/database-proxy.ts";
import { moneyFor as paidFor, settleMoney } from "#test/support/payments/settle-money.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { cancelOrder } from "../order/cancel-order.ts";
import { createOrder } from "../order/create-order.ts";
import { findOrder } from "../order/find-order.ts";
import { listOrderEvents } from "../order/list-parts.ts";
import type { OrderRow } from "../shapes.ts";
import type { Settled } from "./arrival.ts";
import type { Money } from "./decide.ts";
import { simulatePayment } from "./simulate-payment.ts";

/** How many groups wrote money down. */
let groups = 0;
const app = await testApp({
  probe(text) {
    if (text.includes("insert into received_payments")) groups += 1;
  },
});
const { ctx, database, tenant, url } = app;
const shop = await tenant();
const raw = new pg.Client(url);
await raw.connect();
/** Waits 100 ms for a lock instead of 15 s. */
const impatient = openDatabase({ url, max: 4, shared: 0, lockMs: 100, applicationName: "settle-impatient" });
afterAll(() => Promise.all([raw.end(), impatient.close(0)]));

const anOrder = async (own: Tenant = shop, amount_minor = 9900) => (await createOrder(ctx, own, { amount_minor, currency: "CNY" })).order;
const orders = (count: number, own?: Tenant) => Promise.all(Array.from({ length: count }, () => anOrder(own)));
const moneyFor = (order: OrderRow, change?: Partial<Money>) => paidFor(ctx, order, change);
const pay = (money: Money, on: Ctx = ctx) => settleMoney(on, { tenant: shop, money, way: "together" });
const keyed = (key: string, on: Database = database): Ctx => {
  const claim: Claim = { ...shop, method: "POST", path: "/settle", key, fingerprint: "f", replayed: false, used: false };
  return { ...narrow(ctx, { claim }, on), db: on.db };
};
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: { code?: string }) => error.code,
  );
const statusOf = async (order: OrderRow) => (await findOrder(ctx, order, order.id)).order.status;
const eventsOf = async (order: OrderRow) =>
  (await listOrderEvents(ctx, shop, { order_id: order.id, limit: 9 })).rows.map((row) => row.event).reverse();
const booksBalance = booksBalanceOf(app);

/** How many groups wrote something while `work` ran. */
async function groupsOf(work: () => Promise<unknown>): Promise<number> {
  const before = groups;
  await work();
  return groups - before;
}

test("what waits is settled together, and each gets its own response", async () => {
  const all = await orders(50);
  let settled: Settled[] = [];
  const count = await groupsOf(async () => {
    settled = await Promise.all(all.map((order) => pay(moneyFor(order))));
  });
  expect(settled.map(({ outcome, order }) => `${outcome} ${order?.id}`)).toEqual(all.map(({ id }) => `paid ${id}`));
  expect(count).toBeLessThanOrEqual(2);
  await booksBalance();
});

test("a group leaves the same books as one by one", async () => {
  const played = async (way: "alone" | "together") => {
    const own = await tenant();
    const [exact, short, over, other, late] = (await orders(5, own)) as [OrderRow, OrderRow, OrderRow, OrderRow, OrderRow];
    await settleMoney(ctx, { tenant: own, money: moneyFor(late, { amount_minor: 9000 }), way: "alone" });
    const all = [
      moneyFor(exact),
      moneyFor(short, { amount_minor: 9000 }),
      moneyFor(over, { amount_minor: 10_000, gateway: "alipay" }),
      moneyFor(other, { currency: "USD" }),
      moneyFor(late, { amount_minor: 900 }),
      moneyFor(exact, { order_id: null }),
    ];
    const results = [];
    if (way === "together") results.push(...(await Promise.all(all.map((money) => settleMoney(ctx, { tenant: own, money, way })))));
    else for (const money of all) results.push(await settleMoney(ctx, { tenant: own, money, way }));
    return { outcomes: results.map(({ outcome, exception }) => [outcome, exception?.kind]), books: await readBooks(ctx.db, own) };
  };
  const alone = await played("alone");
  expect(alone.outcomes.map(([outcome]) => outcome)).toEqual(["paid", "underpaid", "paid", "exception", "paid", "exception"]);
  expect(await played("together")).toEqual(alone);
  await booksBalance();
});

test("an order is in a group at most once: the rest goes to the next, and is held as a duplicate", async () => {
  const order = await anOrder();
  let settled: Settled[] = [];
  const count = await groupsOf(async () => {
    settled = await Promise.all(Array.from({ length: 8 }, () => pay(moneyFor(order))));
  });
  expect(count).toBe(8);
  expect(settled.map(({ outcome }) => outcome).sort()).toEqual([...Array(7).fill("exception"), "paid"]);
  await booksBalance();
});

test("a number is in a group at most once, also if two spellings or two projects share it", async () => {
  const [one, other] = (await orders(2)) as [OrderRow, OrderRow];
  const external_id = "42000AbCd";
  let settled: Settled[] = [];
  const count = await groupsOf(async () => {
    settled = await Promise.all([pay(moneyFor(one, { external_id })), pay(moneyFor(other, { external_id: " 42000aBcD" }))]);
  });
  expect(count).toBe(2);
  expect(settled.map(({ repeat }) => repeat).sort()).toEqual([false, true]);
  expect([await statusOf(one), await statusOf(other)].sort()).toEqual(["paid", "unpaid"]);
  await booksBalance();
});

test("a member whose order is busy leaves the group, and nothing waits for it", async () => {
  const [busy, ...free] = (await orders(6)) as [OrderRow, ...OrderRow[]];
  await raw.query("begin");
  await raw.query("select from orders where id = $1 for no key update", [busy.id]);
  let isSettled = false;
  const late = pay(moneyFor(busy)).then((settled) => {
    isSettled = true;
    return settled;
  });
  const others = await Promise.all(free.map((order) => pay(moneyFor(order))));
  expect(others.map(({ outcome }) => outcome)).toEqual(Array(5).fill("paid"));
  expect(isSettled).toBe(false);
  await raw.query("commit");
  expect(await late).toMatchObject({ outcome: "paid", repeat: false });
  await booksBalance();
});

test("what another transaction is writing for the first time breaks a group up after 50 ms, and the others continue", async () => {
  const [slow, ...free] = (await orders(4)) as [OrderRow, ...OrderRow[]];
  const money = moneyFor(slow);
  await raw.query("begin");
  await raw.query(
    `insert into received_payments (project_id, livemode, gateway, external_id, source, outcome, amount_minor, currency, occurred_at,
      created_at)
     values ($1, false, $2, $3, 'callback', 'exception', 1, 'CNY', now(), now())`,
    [shop.project_id, money.gateway, money.external_id],
  );
  const late = pay(money);
  const others = await Promise.all(free.map((order) => pay(moneyFor(order))));
  expect(others.map(({ outcome }) => outcome)).toEqual(Array(3).fill("paid"));
  await raw.query("rollback");
  expect(await late).toMatchObject({ outcome: "paid", repeat: false });
  await booksBalance();
});

test("a poisoned member harms no other", async () => {
  const all = await orders(20);
  const moneys = all.map((order, index) => moneyFor(order, index === 7 ? { gateway: "no such gateway" } : {}));
  const codes = await Promise.all(moneys.map((money) => codeOf(pay(money))));
  expect(codes).toEqual(all.map((_, index) => (index === 7 ? "23514" : "done")));
  expect(await Promise.all(all.map(statusOf))).toEqual(all.map((_, index) => (index === 7 ? "unpaid" : "paid")));
  await booksBalance();
});

test("an order that can't be simulated only refuses its own simulation, and its key may be used again", async () => {
  const [canceled, paid, ...free] = (await orders(5)) as [OrderRow, OrderRow, ...OrderRow[]];
  await cancelOrder(ctx, shop, { order_id: canceled.id });
  await pay(moneyFor(paid));
  let codes: unknown[] = [];
  const count = await groupsOf(async () => {
    const played = [canceled, paid, ...free].map((order) =>
      codeOf(simulatePayment(keyed(`play ${order.id}`), shop, { order_id: order.id })),
    );
    codes = await Promise.all([...played, codeOf(simulatePayment(ctx, shop, { order_id: "ord_none" }))]);
  });
  expect(codes).toEqual(["order_state_conflict", "order_already_paid", "done", "done", "done", "resource_missing"]);
  expect(count).toBe(1);
  const again = keyed(`play ${canceled.id}`);
  expect(await codeOf(simulatePayment(again, shop, { order_id: canceled.id }))).toBe("order_state_conflict");
  expect(again.claim?.replayed).toBe(false);
  await booksBalance();
});

test("one key twice concurrently settles once, and the second response is the first one's", async () => {
  const order = await anOrder();
  const [one, other] = [keyed("twice"), keyed("twice")];
  const [first, second] = await Promise.all([one, other].map((own) => simulatePayment(own, shop, { order_id: order.id })));
  expect(second).toEqual(first);
  expect([one.claim?.replayed, other.claim?.replayed].sort()).toEqual([false, true]);
  await booksBalance();
});

/** Runs `work` on a database whose next COMMIT never arrives ("stop commit"), or is carried out and not answered. */
async function cutting(mode: "stop commit" | "lose commit", work: (database: Database) => Promise<void>): Promise<void> {
  const proxy = await startDatabaseProxy(url);
  const cut = openDatabase({ url: proxy.url, max: 4, shared: 0, applicationName: "settle-cut" });
  try {
    await settleMoney(keyed("warm", cut), { tenant: shop, money: moneyFor(await anOrder()), way: "alone" });
    proxy.mode = mode;
    await work(cut);
    expect(proxy.mode).toBe("pass");
  } finally {
    await cut.close(0);
    await proxy.close();
  }
}

test.each(["stop commit", "lose commit"] as const)("%s: everyone gets the right response, and each order is paid once", async (mode) => {
  const all = await orders(5);
  const played = (await orders(4)) as [OrderRow, OrderRow, OrderRow, OrderRow];
  await cutting(mode, async (cut) => {
    const bare: Ctx = { ...narrow(ctx, {}, cut), db: cut.db };
    const withKeys = played.slice(2).map((order) => ({ order, own: keyed(`${mode} ${order.id}`, cut) }));
    const [settled, shown] = await Promise.all([
      Promise.all(all.map((order) => pay(moneyFor(order), bare))),
      Promise.all([
        ...played.slice(0, 2).map((order) => simulatePayment(bare, shop, { order_id: order.id })),
        ...withKeys.map(({ order, own }) => simulatePayment(own, shop, { order_id: order.id })),
      ]),
    ]);
    expect(settled.map(({ outcome, order }) => `${outcome} ${order?.id} ${order?.status}`)).toEqual(all.map(({ id }) => `paid ${id} paid`));
    expect(shown.map(({ order }) => `${order.id} ${order.status} ${order.version}`)).toEqual(played.map(({ id }) => `${id} paid 2`));
    for (const [index, { order, own }] of withKeys.entries()) {
      expect(own.claim?.replayed).toBe(false);
      const again = keyed(`${mode} ${order.id}`);
      expect(await simulatePayment(again, shop, { order_id: order.id })).toEqual(shown[index + 2]);
      expect(again.claim?.replayed).toBe(true);
    }
  });
  await booksBalance();
});

/** What a transaction fails with whose COMMIT was not answered. */
async function unansweredCommit(): Promise<unknown> {
  let error: unknown;
  await cutting("stop commit", async (cut) => {
    error = await cut.transact((tx) => runStatement(tx, "select 1")).catch((thrown: unknown) => thrown);
  });
  return error;
}

/** A database whose first COMMIT loses its response and only ends after `until`; what follows runs on `next`. */
async function slowToCommit(next: Database, until: () => Promise<unknown>): Promise<Database> {
  const error = await unansweredCommit();
  let isLost = false;
  return {
    ...next,
    db: { ...next.db },
    async transact(work, claim) {
      if (isLost) return next.transact(work, claim);
      isLost = true;
      const written = Promise.withResolvers<void>();
      void database.transact(async (tx) => {
        const result = await work(tx);
        written.resolve();
        await until();
        return result;
      });
      await written.promise;
      throw error;
    },
  };
}

test("a COMMIT that is still in progress when its response is lost is waited for", async () => {
  const all = await orders(4);
  // It only ends once a statement waits for it.
  const isLookedFor = async () => {
    const { rows } = await raw.query("select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()");
    return rows.length > 0;
  };
  const slow = await slowToCommit(database, () => eventually("a statement that waits for the COMMIT", isLookedFor));
  const own: Ctx = { ...narrow(ctx, {}, slow), db: slow.db };
  const shown = await Promise.all(all.map((order) => simulatePayment(own, shop, { order_id: order.id })));
  expect(shown.map(({ order }) => `${order.id} ${order.status} ${order.version}`)).toEqual(all.map(({ id }) => `${id} paid 2`));
  for (const order of all)
    expect(await eventsOf(order)).toEqual(["order.created", "payment.session.created", "order.paid", "transaction.completed"]);
  await booksBalance();
});

test("a COMMIT that takes longer than the look for it is a 503, not a key in use, and the same key finds its result", async () => {
  const { id: order_id } = await anOrder();
  let answer: Promise<unknown> = Promise.resolve();
  const slow = await slowToCommit(impatient, () => answer);
  answer = codeOf(simulatePayment(keyed("outlasts", slow), shop, { order_id }));
  expect(await answer).toBe("service_unavailable");
  const again = keyed("outlasts");
  expect((await simulatePayment(again, shop, { order_id })).order.status).toBe("paid");
  expect(again.claim?.replayed).toBe(true);
  await booksBalance();
});
