import { beforeEach, describe, expect, test } from "vitest";
import { createLeaseNames, updateExtended } from "#platform/index.ts";
import { resolveException } from "#reconciliation/exception/resolve-exception.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { pollDueRefunds } from "#test/support/gateways/scripted/gateway-shop.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { type RefundShop, refundShop } from "#test/support/gateways/scripted/refund-shop.ts";
import { bookFaults } from "#test/support/payments/receipt-shop.ts";
import { queueContract } from "#test/support/queues/queue-contract.ts";
import { watchPayments } from "../../gateway/process-payments.ts";
import { refundOrder } from "../refund-order.ts";
import { reviveGatewayRefunds } from "./process-refunds.ts";
import { refundQueue, updateLeasedRefunds, updateRefundPolled } from "./queue.sql.ts";

const gateway = payingGateway();
const app = await testApp({ gateways: { adapters: [gateway.adapter] } });
const { ctx, clock } = app;
const minute = 60_000;
const dayMinutes = 24 * 60;

beforeEach(async () => {
  gateway.refundsBegin = { state: "pending" };
  // What earlier tests left in progress would be queried on each of the days that pass.
  await runStatement(ctx.db, "update gateway_refunds set state = 'done', lease = null, lease_until = null where state <> 'done'");
});

const open = () => refundShop(app, gateway);
const startRefund = async (shop: RefundShop) => {
  const { order } = await shop.paid();
  return refundOrder(ctx, shop.tenant, { order_id: order.id });
};
const pollsOf = (id: string) => gateway.calls.filter(({ verb, reference }) => verb === "query_refund" && reference === id).length;

test("a refund whose end isn't reported is queried after 5 minutes, an hour, and then every day", async () => {
  const { id } = await startRefund(await open());
  const polled: number[] = [];
  let now = 0;
  for (const minutes of [4, 5, 64, 65, 65 + dayMinutes - 1, 65 + dayMinutes, 65 + 40 * dayMinutes]) {
    clock.advance((minutes - now) * minute);
    now = minutes;
    const before = pollsOf(id);
    await pollDueRefunds(app);
    if (pollsOf(id) > before) polled.push(minutes);
  }
  expect(polled).toEqual([5, 65, 65 + dayMinutes, 65 + 40 * dayMinutes]);
});

describe("a refund whose outcome the provider never reports", () => {
  const silence = async (id: string, times: number) => {
    for (let time = 0; time < times; time += 1, clock.advance(dayMinutes * minute)) {
      gateway.fault("query_refund", { kind: "unavailable", of: id });
      await pollDueRefunds(app);
    }
  };

  test("is shown to a person after five queries, once, and still queried: its money may have been refunded", async () => {
    const shop = await open();
    const { id, order_id } = await startRefund(shop);
    clock.advance(5 * minute);
    await silence(id, 4);
    expect(await shop.cases()).toEqual([]);
    await silence(id, 4);
    const [one, ...others] = await shop.cases();
    expect([one, others]).toMatchObject([
      { kind: "unmatched", order_id, transaction_id: null, detail: { reason: "refund_unknown", refund_id: id } },
      [],
    ]);
    const accept = resolveException(ctx, shop.tenant, { exception_id: one?.id ?? "", action: "accept" });
    await expect(accept).rejects.toMatchObject({ code: "order_state_conflict" });
    gateway.changeRefund(id, { state: "succeeded" });
    await pollDueRefunds(app);
    expect(await shop.sums(order_id ?? "")).toMatchObject({ refunded: 9_900, refunding: 0 });
    expect(await bookFaults(app)).toEqual([]);
  });

  test("is shown to a person if it is in progress for more than thirty days", async () => {
    const shop = await open();
    const { id } = await startRefund(shop);
    for (let days = 0; days < 36; days += 3, clock.advance(3 * dayMinutes * minute)) await pollDueRefunds(app);
    expect(await shop.cases()).toMatchObject([{ detail: { reason: "refund_unknown", refund_id: id } }]);
  });

  test("isn't left to a person while the buyer must claim it", async () => {
    gateway.refundsBegin = { state: "requires_action", claimUrl: "https://btc.example/1" };
    const shop = await open();
    await startRefund(shop);
    for (let days = 0; days < 40; days += 4, clock.advance(4 * dayMinutes * minute)) await pollDueRefunds(app);
    expect(await shop.cases()).toEqual([]);
  });
});

test("a refund that the buyer must claim is queried every 5 minutes for an hour, every hour for a day, and then daily", async () => {
  gateway.refundsBegin = { state: "requires_action", claimUrl: "https://btc.example/1" };
  const { id } = await startRefund(await open());
  const polled: number[] = [];
  let now = 0;
  for (const minutes of [4, 5, 9, 10, 59, 60, 64, 123, 124, dayMinutes, 2 * dayMinutes - 1, 2 * dayMinutes]) {
    clock.advance((minutes - now) * minute);
    now = minutes;
    const before = pollsOf(id);
    await pollDueRefunds(app);
    if (pollsOf(id) > before) polled.push(minutes);
  }
  expect(polled).toEqual([5, 10, 59, 64, 124, dayMinutes, 2 * dayMinutes]);
});

test("a refund that the buyer must claim is queried immediately while its order is viewed, and not again for 30 seconds", async () => {
  gateway.refundsBegin = { state: "requires_action", claimUrl: "https://btc.example/1" };
  const shop = await open();
  const { order } = await shop.paid();
  const { id } = await refundOrder(ctx, shop.tenant, { order_id: order.id });
  const other = await startRefund(shop);
  clock.advance(minute);
  for (let second = 0; second < 50; second += 10, clock.advance(10_000)) {
    await watchPayments(ctx, [order]);
    await pollDueRefunds(app);
  }
  expect([pollsOf(id), pollsOf(other.id)]).toEqual([2, 0]);
});

test("a page on which the buyer must claim a refund leaves it to no person while the provider is silent for some minutes", async () => {
  gateway.refundsBegin = { state: "requires_action", claimUrl: "https://btc.example/1" };
  const shop = await open();
  const { order } = await shop.paid();
  const { id } = await refundOrder(ctx, shop.tenant, { order_id: order.id });
  for (let times = 0; times < 12; times += 1) {
    clock.advance(31_000);
    gateway.fault("query_refund", { kind: "auth", of: id });
    await watchPayments(ctx, [order]);
    await pollDueRefunds(app);
  }
  expect(pollsOf(id)).toBe(12);
  expect(await shop.cases()).toEqual([]);
});

test("one failed query leaves no refund to a person, however long it is in progress", async () => {
  const shop = await open();
  const { id } = await startRefund(shop);
  clock.advance(5 * minute);
  for (let days = 0; days < 12; days += 1, clock.advance(dayMinutes * minute)) {
    if (days % 2 === 1) gateway.fault("query_refund", { kind: "unavailable", of: id });
    await pollDueRefunds(app);
  }
  expect(await shop.cases()).toEqual([]);
});

test("a refund that the provider only asks to wait with is requested until it is made, and left to a person after thirty days", async () => {
  const shop = await open();
  gateway.fault("refund", { kind: "rate_limited", isBusy: true });
  const { id } = await startRefund(shop);
  const postpone = async (times: number) => {
    for (let time = 0; time < times; time += 1) {
      clock.advance(3 * dayMinutes * minute);
      gateway.fault("refund", { kind: "rate_limited", isBusy: true, of: id });
      await pollDueRefunds(app);
    }
  };
  await postpone(9);
  expect(await shop.cases()).toEqual([]);
  await postpone(3);
  expect(await shop.cases()).toMatchObject([{ kind: "unmatched", detail: { reason: "refund_unknown", refund_id: id } }]);
  expect(gateway.refunds.has(id)).toBe(false);
  clock.advance(2 * minute);
  await pollDueRefunds(app);
  expect(gateway.refunds.has(id)).toBe(true);
});

describe("a refund that the provider has forgotten", () => {
  const startForgotten = async ({ demo }: { demo: boolean }) => {
    const shop = await open();
    await runStatement(ctx.db, "update gateway_credentials set demo = ? where id = ?", demo, shop.credential);
    const { id } = await startRefund(shop);
    gateway.refunds.delete(id);
    for (let days = 0; days < 8; days += 1, clock.advance(dayMinutes * minute)) await pollDueRefunds(app);
    return { shop, id };
  };

  test("is left to a person", async () => {
    const { shop, id } = await startForgotten({ demo: false });
    expect(await shop.cases()).toMatchObject([{ detail: { reason: "refund_unknown", refund_id: id } }]);
  });

  test("fails if the provider is simulated, since that one remembers for two weeks", async () => {
    const { shop, id } = await startForgotten({ demo: true });
    const [refund] = await runStatement<{ status: string; failure_code: string; order_id: string }>(
      ctx.db,
      "select status, failure_code, order_id from refunds where id = ?",
      id,
    );
    expect(refund).toMatchObject({ status: "failed", failure_code: "forgotten" });
    expect(await shop.sums(refund?.order_id ?? "")).toMatchObject({ refunding: 0, refunded: 0 });
    expect(await shop.cases()).toEqual([]);
    expect(await bookFaults(app)).toEqual([]);
  });
});

test("several concurrent workers query each refund once", async () => {
  const shop = await open();
  const all = await Promise.all(Array.from({ length: 6 }, () => startRefund(shop)));
  clock.advance(6 * minute);
  await Promise.all([pollDueRefunds(app), pollDueRefunds(app), pollDueRefunds(app)]);
  expect(all.map(({ id }) => pollsOf(id))).toEqual(all.map(() => 1));
});

test("while a request queries its refund, no worker does", async () => {
  const shop = await open();
  const { order } = await shop.paid();
  const seen: number[] = [];
  gateway.meanwhile = async (verb) => {
    if (verb !== "refund") return;
    clock.advance(2 * minute);
    await reviveGatewayRefunds(ctx);
    await pollDueRefunds(app);
    seen.push(gateway.countOf("query_refund"));
  };
  const before = gateway.countOf("query_refund");
  await refundOrder(ctx, shop.tenant, { order_id: order.id });
  gateway.meanwhile = null;
  expect(seen).toEqual([before]);
});

const worlds = await open();

/** The order that every job refunds a cent of. */
let paid: string | undefined;
/** Jobs that ended well: they are like new ones, and creating a refund takes longer than what is tested with it. */
const ended = new Set<string>();

queueContract({
  app,
  queue: refundQueue,
  leaseMs: 60_000,
  async add(count) {
    await runStatement(
      ctx.db,
      "update gateway_refunds set state = 'done', lease = null, lease_until = null where state <> 'done' and project_id <> ?",
      worlds.tenant.project_id,
    );
    const ids = [...ended].slice(0, count);
    for (const id of ids) ended.delete(id);
    paid ??= (await worlds.paid()).order.id;
    while (ids.length < count) ids.push((await refundOrder(ctx, worlds.tenant, { order_id: paid, amount_minor: 1 })).id);
    await runStatement(
      ctx.db,
      `update gateway_refunds r set state = 'due', due_at = app_now() - (? + 1 - given.place) * interval '1 millisecond'
        from unnest(?::text[]) with ordinality as given (id, place) where r.id = given.id`,
      count,
      ids,
    );
    return ids;
  },
  worker() {
    const names = createLeaseNames();
    const held = new Map<string, Parameters<typeof updateRefundPolled>[1]>();
    const give = async (jobs: string[], waitMs: number) => {
      let done = 0;
      for (const id of jobs) {
        const job = held.get(id);
        if (job === undefined) continue;
        const changed = await ctx.transact((tx) => updateRefundPolled(tx, job, { waitMs, asks: 0 }));
        if (changed > 0 && waitMs > 0) ended.add(id);
        done += changed;
      }
      return done;
    };
    return {
      async claim(limit, alone = false) {
        const jobs = await ctx.transact((tx) => updateLeasedRefunds(tx, { lease: names.next(ctx), durationMs: 60_000, limit, alone }));
        for (const job of jobs) held.set(job.id, job);
        return jobs.map(({ id }) => id);
      },
      end: (jobs) => give(jobs, 10 * dayMinutes * minute),
      release: async (jobs) => void (await give(jobs, 0)),
      async extend(jobs) {
        const leases = [...new Set(jobs.flatMap((id) => held.get(id)?.lease ?? []))];
        return (await ctx.transact((tx) => updateExtended(tx, refundQueue, { leases, durationMs: 60_000 }))).map(({ job }) => job);
      },
    };
  },
  sweep: () => reviveGatewayRefunds(ctx),
  sweepBy: (given) => reviveGatewayRefunds(given),
});
