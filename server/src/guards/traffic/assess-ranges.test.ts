import { expect, test } from "vitest";
import type { Tenant } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { refuseRows } from "#test/support/database/refuse-rows.ts";
import { liveShop, openSms, scriptedCarrier } from "#test/support/messages/sms.ts";
import { admitMessages } from "../admit/admit-messages.ts";
import { changeLimits } from "../limits/change-limits.ts";
import { findLimits } from "../limits/find-limits.ts";
import { assessRanges } from "./assess-ranges.ts";
import { listPauses, releasePause } from "./find-pauses.ts";
import { countTraffic } from "./traffic.sql.ts";

const app = await testApp({ sms: openSms([scriptedCarrier()]) });
const { ctx } = app;
const pausesOf = async (tenant: Tenant) => (await listPauses(ctx, tenant, { limit: 10, status: [] })).rows;

/** Has guards count one message to each number. */
async function countMessages({ project_id, livemode }: Tenant, numbers: readonly string[]): Promise<void> {
  const { effective_caps: caps } = await findLimits(ctx, project_id);
  const admitted = { price_micros: null, currency: null, caps };
  const same = { tenant: { project_id, livemode }, channel: "sms", units: 1, is_code: false, admitted } as const;
  const messages = numbers.map((recipient) => ({ ...same, recipient, message_id: ctx.id("sms") }));
  await ctx.transact((tx) => admitMessages(tx, ctx, { messages, now: ctx.now() }));
}

const inOrder = (first: number, count = 30) => Array.from({ length: count }, (_none, at) => `+${first + at}`);
/** Unassigned neighboring numbers. */
const scattered = (first: number, count: number) => Array.from({ length: count }, (_none, at) => `+${first + at * 997}`);

async function shopOf() {
  const shop = await liveShop(app, "GB");
  await changeLimits(ctx, { project_id: shop.project_id, caps: {}, if_version: null });
  return shop;
}

test("while ten thousand numbers of a range are paused, others in it are paused as well", async () => {
  const shop = await shopOf();
  await countMessages(shop, [...inOrder(447400123400), ...scattered(447400500000, 100)]);
  expect(await assessRanges(ctx)).toBe(1);
  await countMessages(shop, inOrder(447400333400));
  expect(await assessRanges(ctx)).toBe(1);
  expect((await pausesOf(shop)).map(({ prefix }) => prefix)).toEqual(["44740033", "44740012"]);
  expect(await assessRanges(ctx)).toBe(0);
});

test("ten thousand released numbers aren't paused again, but the rest of their range is", async () => {
  const shop = await shopOf();
  await countMessages(shop, [...inOrder(447400123400), ...scattered(447400500000, 100)]);
  expect(await assessRanges(ctx)).toBe(1);
  const [pause] = await pausesOf(shop);
  await releasePause(ctx, shop, pause?.id ?? "");
  expect(await assessRanges(ctx)).toBe(0);
  app.clock.advance(2 * 3_600_000);
  await countMessages(shop, [...inOrder(447400123500), ...inOrder(447400333400)]);
  expect(await assessRanges(ctx)).toBe(1);
  expect((await pausesOf(shop)).map(({ prefix, status }) => [prefix, status])).toEqual([
    ["44740033", "active"],
    ["44740012", "released"],
  ]);
});

test("a project whose ranges can't be paused keeps no other project's from being paused", async () => {
  const [one, two] = [await shopOf(), await shopOf()];
  const [odd, other] = one.project_id < two.project_id ? [one, two] : [two, one];
  for (const shop of [odd, other]) await countMessages(shop, inOrder(447400123400));
  const allow = await refuseRows(app, "messaging_pauses", { ids: [odd.project_id], column: "project_id", on: "insert" });
  expect(await assessRanges(ctx)).toBe(1);
  expect([(await pausesOf(odd)).length, (await pausesOf(other)).length]).toEqual([0, 1]);
  await allow();
  expect(await assessRanges(ctx)).toBe(1);
});

test("sending to hundreds of other, busier ranges hides no sequential numbers", async () => {
  const [large, small] = [await shopOf(), await shopOf()];
  const busy = Array.from({ length: 450 }, (_none, at) => ({
    prefix: `1${200 + at}`,
    channel: "sms" as const,
    messages: 900,
    codes: 0,
    approved: 0,
  }));
  await ctx.transact((tx) =>
    countTraffic(
      tx,
      busy.map((one) => ({ ...one, project_id: large.project_id, livemode: true })),
    ),
  );
  await countMessages(small, inOrder(447400123400));
  expect(await assessRanges(ctx)).toBe(1);
  expect([await pausesOf(large), await pausesOf(small)]).toMatchObject([[], [{ prefix: "44740", cause: "sequential_numbers" }]]);
});
