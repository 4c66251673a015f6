import { expect, test } from "vitest";
import { listEventsOf } from "#events/sql.ts";
import { ownMerchantId } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { liveShop, openSms, scriptedCarrier, smsRoom } from "#test/support/messages/sms.ts";
import { openNotices } from "#test/support/people/visitor-notices.ts";
import { codeOf } from "#verifications/derive-code.ts";
import { checkCode, startVerification } from "#verifications/index.ts";
import { changeLimits } from "../limits/change-limits.ts";
import { assessRanges } from "./assess-ranges.ts";
import { findPauseOverview, listAllPauses, listPauses, releasePause } from "./find-pauses.ts";

const carrier = scriptedCarrier();
const app = await testApp({ sms: openSms([carrier]) });
const { ctx } = app;
const room = smsRoom(ctx, [carrier]);
const pausesOf = async (tenant: Parameters<typeof listPauses>[1]) => (await listPauses(ctx, tenant, { limit: 10, status: [] })).rows;

test("sequential numbers pause their range: reported, refused, and released for a month", async () => {
  const shop = await liveShop(app);
  await changeLimits(ctx, { project_id: shop.project_id, countries: ["US", "GB"], if_version: null });
  const pumped = Array.from({ length: 29 }, (_none, at) => `+4474001${String(23_400 + at)}`);
  for (const to of pumped) await room.send(shop, { to });
  expect(await assessRanges(ctx)).toBe(0);
  const next = "+447400123429";
  await room.send(shop, { to: next });
  expect(await assessRanges(ctx)).toBe(1);
  expect(await assessRanges(ctx)).toBe(0);
  const [pause] = await pausesOf(shop);
  if (pause === undefined) throw new Error("nothing was paused");
  expect(pause).toMatchObject({
    channel: "sms",
    prefix: "44740",
    cause: "sequential_numbers",
    status: "active",
    figures: { messages: 30, sequential_percent: 100 },
  });
  await expect(room.send(shop, { to: next })).rejects.toMatchObject({
    code: "country_not_allowed",
    extras: { details: [{ reason: "prefix_paused" }] },
  });
  await room.send(shop, { to: "+447512345678" });
  await room.send(await liveShop(app, "GB"), { to: next });
  for (const reader of [shop.project_id, ownMerchantId])
    expect(await openNotices(app, "prefix_paused", reader)).toMatchObject([{ prefix: "44740", messages: 30 }]);
  expect(await findPauseOverview(ctx, pause.id)).toMatchObject({ id: pause.id, merchant_id: shop.merchant_id, project_name: "Shop" });
  expect((await listAllPauses(ctx, { limit: 10, status: ["active"] })).rows.map(({ id }) => id)).toEqual([pause.id]);

  for (let time = 0; time < 2; time += 1)
    expect(await releasePause(ctx, shop, pause.id)).toMatchObject({ status: "released", released_at: ctx.now() });
  await room.send(shop, { to: next });
  expect(await assessRanges(ctx)).toBe(0);
  const events = await listEventsOf(ctx.db, shop, { object_id: pause.id, after: null, limit: 10 });
  expect(events.map(({ event }) => event)).toEqual(["messaging.released", "messaging.paused"]);
  await expect(releasePause(ctx, await liveShop(app), pause.id)).rejects.toMatchObject({ code: "resource_missing" });
  app.clock.advance(31 * 86_400_000);
  for (const to of [...pumped, next]) await room.send(shop, { to });
  expect(await assessRanges(ctx)).toBe(1);
});

test("codes that are never entered pause their range, if others' are entered; those ranges stay open", async () => {
  const shop = await liveShop(app);
  await changeLimits(ctx, { project_id: shop.project_id, countries: ["US", "GB"], if_version: null });
  const start = (to: string) =>
    startVerification(ctx, shop, { tier: "pro", verification: { to, channels: ["sms"], from: "+14155550100" } });
  for (let at = 0; at < 30; at += 1) {
    await start(`+447400${String(100_000 + at * 997)}`);
    const good = await start(`+1415555${String(1_000 + at * 97)}`);
    if (at % 2 === 0) await checkCode(ctx, shop, { id: good.id, code: codeOf(ctx.masterKeys, good) });
  }
  expect(await assessRanges(ctx), "they may still come back").toBe(0);
  app.clock.advance(20 * 60_000);
  expect(await assessRanges(ctx)).toBe(1);
  expect(await pausesOf(shop)).toMatchObject([
    { prefix: "44740", cause: "no_conversions", figures: { codes: 30, approved: 0, share_percent: 50 } },
  ]);
  await expect(start("+447400199999")).rejects.toMatchObject({ code: "country_not_allowed" });
  expect(await start("+14155559999")).toMatchObject({ status: "pending" });
});
