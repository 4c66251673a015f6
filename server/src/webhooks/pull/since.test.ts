import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { refuseRows } from "#test/support/database/refuse-rows.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { emitSome, endpointAt } from "#test/support/webhooks/webhook-world.ts";
import { fanOut, replayEvents } from "../index.ts";
import { pullEvents } from "./pull-events.ts";

const app = await testApp();
const { ctx } = app;
const dayMs = 86_400_000;

test("lists and replays since a time have every event of that time, also those numbered before older ones", async () => {
  const tenant = await app.tenant();
  const { id: endpoint_id } = await endpointAt(ctx, tenant, "https://shop.example.com/hooks");
  while ((await fanOut(ctx)) > 0);
  const waiting = () => runStatement<{ id: string }>(ctx.db, "select id from events where sequence is null order by id");
  await emitSome(ctx, tenant, 2);
  const late = (await waiting()).map(({ id }) => id);
  const allow = await refuseRows(app, "webhook_deliveries", { ids: late, column: "event_id", on: "insert" });
  expect(await fanOut(ctx)).toBe(0);
  app.clock.advance(3 * dayMs);
  const since = ctx.now();
  await emitSome(ctx, tenant, 1);
  expect(await fanOut(ctx)).toBe(1);
  expect((await waiting()).map(({ id }) => id)).toEqual(late);
  app.clock.advance(dayMs);
  await allow();
  await eventually("the others are numbered too", async () => {
    await fanOut(ctx);
    return (await waiting()).length === 0;
  });
  const created = { gte: since, gt: null, lte: null, lt: null };
  const { rows } = await pullEvents(ctx, tenant, { limit: 10, event: ["order.paid"], delivery: null, created });
  expect(rows).toHaveLength(1);
  await runStatement(ctx.db, "update webhook_deliveries set state = 'skipped' where project_id = ?", tenant.project_id);
  expect(await replayEvents(ctx, tenant, { endpoint_id, since, events: ["order.paid"] })).toMatchObject({ scheduled: 1 });
});
