import { expect, test } from "vitest";
import { updatePlanning } from "#platform/index.ts";
import type { Tx } from "#platform/sql.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { insertDeliveries, insertReplayed } from "#webhooks/delivery/fan-out.sql.ts";
import type { DeliveryFilter } from "#webhooks/pull/sql.ts";
import { listPulled } from "#webhooks/pull/sql.ts";
import { onClient, type Plan, plansOf } from "./plans.sql.ts";
import { insertManyEndpoints, insertManyEvents } from "./webhook-rows.sql.ts";

const app = await testApp();

test("an event's endpoints are read without the receivers of callbacks and the deleted endpoints of its project", async () => {
  const { project_id, livemode } = await app.tenant();
  const events = Array.from({ length: 50 }, (_, n) => ({
    ...{ project_id, livemode, id: `evt_${n}`, event: "order.paid", sequence: n, callback_url: null },
  }));
  await onClient(app.superuserUrl, async (client) => {
    const fanOut = async (): Promise<Plan | undefined> => {
      const plans = await plansOf(client, async (tx) => {
        await updatePlanning(tx);
        await insertDeliveries(tx, events);
      });
      return plans.at(-1);
    };
    await insertManyEndpoints(client, { project_id, livemode }, { living: 3, removed: 0, receivers: 0 });
    const before = await fanOut();
    await insertManyEndpoints(client, { project_id, livemode }, { living: 0, removed: 10_000, receivers: 10_000 });
    const after = await fanOut();
    expect(after?.indexes).toContain("webhook_endpoints_registered");
    expect(after?.blocks).toBeLessThan((before?.blocks ?? 0) + 10 * events.length);
  });
});

test("a list of events and a replay read what is recent, however many events came before", async () => {
  const { project_id, livemode } = await app.tenant();
  const tenant = { project_id, livemode };
  await onClient(app.superuserUrl, async (client) => {
    await insertManyEndpoints(client, tenant, { living: 1, removed: 0, receivers: 0 });
    await insertManyEvents(client, tenant, { count: 20_000, days: 400 });
    const created = { gte: null, gt: null, lte: null, lt: null };
    const list = (event: string[] | null, delivery: DeliveryFilter | null) => (tx: Tx) =>
      Promise.resolve(listPulled(tx, tenant, { event, delivery, created, tests: false, cut: { limit: 20 } }));
    const since = new Date(app.ctx.now().getTime() - 3_600_000);
    const replayed = { since, until: null, events: null, include_delivered: false, limit: 20_000, apartMs: 20 };
    const reads: [number, (tx: Tx) => Promise<unknown>][] = [
      [0, list(["refund.failed"], null)],
      [0, list(null, "given_up")],
      [21, list(null, "delivered")],
      [
        3,
        async (tx) => {
          await updatePlanning(tx);
          await insertReplayed(tx, { ...tenant, id: "we_living1" }, replayed);
        },
      ],
    ];
    for (const [rows, read] of reads) {
      const plan = (await plansOf(client, read)).at(-1);
      expect(plan?.rows).toBe(rows);
      expect(plan?.indexes).toContain("events_in_order");
      // Thirty days are 1 500 events, on 110 pages; all of them are 1 450 pages.
      expect(plan?.blocks).toBeLessThan(1_000);
    }
  });
});
