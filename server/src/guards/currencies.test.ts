import { expect, test } from "vitest";
import { listEventsOf } from "#events/sql.ts";
import type { Tenant } from "#platform/index.ts";
import { cancelSms } from "#sms/index.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { guardedApp, outcomeOf } from "#test/support/messages/guards.ts";
import { liveShop } from "#test/support/messages/sms.ts";
import { findSpending, replacePrices } from "./index.ts";

const { app, ctx, room, set, usedOf, newNumber } = await guardedApp();

const prices = { usd: "sms,US,0.01", eur: "sms,US,0.05" } as const;
const priceIn = (currency: keyof typeof prices, csv: string = prices[currency]) => replacePrices(ctx, { currency, csv, if_version: null });
const tomorrow = "2026-11-21T08:00:00Z";
const schedule = async (shop: Tenant) => (await room.send(shop, { to: newNumber(), scheduled_at: tomorrow })).id;
const noticesOf = async (tenant: Tenant) =>
  (await listEventsOf(ctx.db, tenant, { object_id: tenant.project_id, after: null, limit: 100 }))
    .map(({ event, body }) => `${event} ${(JSON.parse(body.toString()) as { data: { cap: { currency: string } } }).data.cap.currency}`)
    .sort();

test("prices in another currency start from nought, and what was spent in the first one stays its own", async () => {
  await priceIn("usd");
  const shop = await liveShop(app);
  const [first] = [await schedule(shop), await schedule(shop), await schedule(shop)];
  expect(await usedOf(shop)).toEqual({ spend_micros: [30_000, 30_000] });

  await priceIn("eur");
  expect(await usedOf(shop)).toEqual({});
  await set(shop, { monthly_spend_micros: 100_000 });
  const sent = [await schedule(shop), await schedule(shop)];
  expect(await outcomeOf(schedule(shop))).toBe("spend_cap_month");
  expect(await usedOf(shop)).toEqual({ spend_micros: [100_000, 100_000] });
  await cancelSms(ctx, shop, { id: first });
  expect(await usedOf(shop), "a refund in another currency changes nothing").toEqual({ spend_micros: [100_000, 100_000] });

  await priceIn("usd");
  expect(await usedOf(shop)).toEqual({ spend_micros: [20_000, 20_000] });
  await schedule(shop);
  await cancelSms(ctx, shop, { id: sent[0] as string });
  expect(await usedOf(shop)).toEqual({ spend_micros: [30_000, 30_000] });

  await priceIn("eur");
  expect(await usedOf(shop)).toEqual({ spend_micros: [50_000, 50_000] });
});

test("a cap is reported once in each currency", async () => {
  await priceIn("usd");
  const shop = await liveShop(app);
  await set(shop, { daily_spend_micros: 10_000 });
  for (let time = 0; time < 3; time += 1) await outcomeOf(schedule(shop));
  await priceIn("eur");
  for (let time = 0; time < 3; time += 1) expect(await outcomeOf(schedule(shop))).toBe("spend_cap_day");
  expect(await noticesOf(shop)).toEqual(["messaging.cap_reached EUR", "messaging.cap_reached USD"]);
});

test("what an earlier version counted is in the currency that the price table had", async () => {
  await priceIn("usd");
  const shop = await liveShop(app);
  const [first] = [await schedule(shop), await schedule(shop)];
  for (const table of ["message_spending", "message_charges"] as const)
    await runStatement(ctx.db, `update ${table} set currency = null where project_id = ?`, shop.project_id);
  expect(await usedOf(shop)).toEqual({ spend_micros: [20_000, 20_000] });
  await priceIn("usd", "");
  await priceIn("eur");
  await schedule(shop);
  expect(await usedOf(shop)).toEqual({ spend_micros: [50_000, 50_000] });
  await cancelSms(ctx, shop, { id: first });
  expect(await usedOf(shop)).toEqual({ spend_micros: [50_000, 50_000] });
  await priceIn("usd");
  expect(await usedOf(shop)).toEqual({ spend_micros: [10_000, 10_000] });
});

test("without prices no money is shown", async () => {
  await priceIn("usd");
  const shop = await liveShop(app);
  await schedule(shop);
  await priceIn("usd", "");
  await schedule(shop);
  const { currency, measures } = await findSpending(ctx, shop);
  expect([currency, measures.map(({ measure }) => measure)]).toEqual([null, ["segments", "minutes"]]);
});
