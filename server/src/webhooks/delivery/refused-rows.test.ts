import { expect, test } from "vitest";
import { lockNumbering } from "#events/index.ts";
import { countPutOff } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { refuseRows } from "#test/support/database/refuse-rows.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { backlogCount } from "#test/support/webhooks/backlogs.ts";
import { emitSome, endpointAt, reportTo } from "#test/support/webhooks/webhook-world.ts";
import { countNotices, insertBacklog, listDeliveryStates } from "#test/support/webhooks/webhooks.sql.ts";
import { changeEndpoint, fanOut, reviveExpired, tidyDeliveries, watchCallbacks } from "../index.ts";

const app = await testApp();
const { ctx } = app;
const hooks = "https://shop.example.com/hooks";

test("an event that couldn't be delivered isn't forgotten while another process numbers events", async () => {
  const tenant = await app.tenant();
  const { id } = await endpointAt(ctx, tenant, hooks);
  while ((await fanOut(ctx)) > 0);
  await emitSome(ctx, tenant, 1, "order.failed");
  const allow = await refuseRows(app, "webhook_deliveries", { ids: [id], column: "endpoint_id", on: "insert" });
  expect(await fanOut(ctx)).toBe(0);
  expect(countPutOff(ctx.db, "fan_out_events")).toBe(1);
  await ctx.transact(async (tx) => {
    await lockNumbering(tx);
    expect(await fanOut(ctx)).toBe(0);
  });
  expect(countPutOff(ctx.db, "fan_out_events")).toBe(1);
  await allow();
  await eventually("it is delivered", async () => (await fanOut(ctx)) === 1);
  expect(countPutOff(ctx.db, "fan_out_events")).toBe(0);
});

test("an event whose delivery can't be created keeps no other event from being delivered", async () => {
  for (let n = 0; n < 3; n += 1) {
    const tenant = await app.tenant();
    await endpointAt(ctx, tenant, hooks);
    await emitSome(ctx, tenant, 3);
  }
  const events = await runStatement<{ id: string }>(ctx.db, "select id from events where event = 'order.paid' order by id");
  const [odd = "", ...others] = events.map(({ id }) => id);
  const allow = await refuseRows(app, "webhook_deliveries", { ids: [odd], column: "event_id", on: "insert" });
  while ((await fanOut(ctx)) > 0);
  const delivered = async () => {
    const rows = await runStatement<{ event_id: string }>(ctx.db, "select event_id from webhook_deliveries order by event_id");
    return rows.map(({ event_id }) => event_id).filter((id) => id === odd || others.includes(id));
  };
  expect(await delivered()).toEqual(others);
  const waiting = await runStatement<{ id: string }>(ctx.db, "select id from events where sequence is null");
  expect(waiting.map(({ id }) => id)).toEqual([odd]);
  expect(countPutOff(ctx.db, "fan_out_events")).toBe(1);
  await allow();
});

test("a failing receiver whose merchant can't be notified keeps no other merchant from being notified", async () => {
  for (const host of ["one", "two"]) await reportTo(ctx, await app.tenant(), `https://${host}.example.com/hooks`);
  while ((await fanOut(ctx)) > 0);
  const since = new Date(ctx.now().getTime() - 25 * 3_600_000).toISOString();
  await runStatement(ctx.db, "update webhook_endpoints set failing_since = ? where kind = 'callback'", since);
  const [odd] = await runStatement<{ id: string }>(ctx.db, "select id from webhook_endpoints where kind = 'callback' order by id limit 1");
  const allow = await refuseRows(app, "webhook_endpoints", { ids: [odd?.id ?? ""] });
  expect(await watchCallbacks(ctx)).toBe(1);
  expect(await countNotices(ctx.db)).toMatchObject({ "webhook.callbacks_failing": 1 });
  await allow();
});

test("deliveries that can't be skipped keep no other endpoint's from being skipped", async () => {
  const disabled = async () => {
    const tenant = await app.tenant();
    const { id } = await endpointAt(ctx, tenant, hooks);
    await insertBacklog(ctx.db, tenant, { endpoint_id: id, count: backlogCount, now: ctx.now() });
    app.clock.advance(1);
    await changeEndpoint(ctx, tenant, { id, if_version: null, status: "disabled" });
    return { tenant, id };
  };
  const [odd, other] = [await disabled(), await disabled()];
  const allow = await refuseRows(app, "webhook_skips", { ids: [odd.id], column: "endpoint_id", on: "delete" });
  for (let pass = 0; pass < 3; pass += 1) await tidyDeliveries(ctx);
  const left = await runStatement<{ endpoint_id: string }>(ctx.db, "select endpoint_id from webhook_skips");
  expect(left.map(({ endpoint_id }) => endpoint_id)).toEqual([odd.id]);
  const states = await listDeliveryStates(ctx.db, other.tenant);
  expect(states.filter(({ state }) => state === "skipped")).toHaveLength(backlogCount);
  await allow();
});

test("a lost worker's delivery that can't be released keeps none of the others leased", async () => {
  const tenant = await app.tenant();
  await endpointAt(ctx, tenant, hooks);
  await emitSome(ctx, tenant, 3);
  while ((await fanOut(ctx)) > 0);
  const lost = "state = 'leased', lease = 'dlv_lost 1', lease_until = app_now() - interval '1 second'";
  await runStatement(ctx.db, `update webhook_deliveries set ${lost} where project_id = ?`, tenant.project_id);
  const states = () =>
    runStatement<{ event_id: string; state: string }>(
      ctx.db,
      "select event_id, state from webhook_deliveries where project_id = ? order by event_id",
      tenant.project_id,
    );
  const [odd, ...others] = await states();
  const allow = await refuseRows(app, "webhook_deliveries", { ids: [odd?.event_id ?? ""], column: "event_id" });
  expect(await reviveExpired(ctx)).toBe(others.length);
  expect((await states()).map(({ state }) => state)).toEqual(["leased", ...others.map(() => "due")]);
  await allow();
});
