import { describe, expect, test } from "vitest";
import { listAudit } from "#audit/index.ts";
import { changeCalls } from "#calls/change/change-calls.ts";
import { findCall, hangUpCall } from "#calls/index.ts";
import { claimCalls } from "#calls/running/claim-calls.ts";
import { endCalls } from "#calls/running/end-calls.ts";
import { reviveCalls } from "#calls/running/revive-calls.ts";
import { listEventsOf } from "#events/sql.ts";
import { newRounds } from "#messaging/sending/rounds.ts";
import { type AppError, createLeaseNames, type Tenant } from "#platform/index.ts";
import { cancelSms, createSmsBatch } from "#sms/index.ts";
import { completed, outcomeOfCall } from "#test/support/messages/calls.ts";
import { guardedApp, outcomeOf, refusalOf } from "#test/support/messages/guards.ts";
import { liveShop, scriptedCarrier } from "#test/support/messages/sms.ts";
import { openNotices } from "#test/support/people/visitor-notices.ts";
import { changeLimits, findLimits, findPolicy, findPrices, replacePolicy, replacePrices } from "./index.ts";

const { app, ctx, carrier, room, set, call, usedOf, newNumber } = await guardedApp();

const usd = (csv: string) => replacePrices(ctx, { currency: "usd", csv, if_version: null });
const free = { allowed_countries: null, denied_countries: [], denied_prefixes: [], opened_prefixes: [], if_version: null };
const noticesOf = async (tenant: Tenant) =>
  (await listEventsOf(ctx.db, tenant, { object_id: tenant.project_id, after: null, limit: 100 }))
    .map(({ event, body }) => `${event} ${(JSON.parse(body.toString()) as { data: { cap: { measure: string } } }).data.cap.measure}`)
    .sort();

describe("destinations of messages and calls", () => {
  test("are only the merchant's own country, or those that its owner chose, as far as operators allow", async () => {
    const shop = await liveShop(app);
    const outcomes = async () =>
      Promise.all(
        ["+14155552671", "+447400123456"].map((to) => Promise.all([outcomeOf(room.send(shop, { to })), outcomeOf(call(shop, to))])),
      );
    const both = (one: string) => [one, one];
    expect(await outcomes()).toEqual([both("done"), both("country_not_allowed")]);
    const found = await changeLimits(ctx, { project_id: shop.project_id, countries: ["GB", "GB"], if_version: 1 });
    expect(found).toMatchObject({ countries: ["GB"], reachable_countries: ["GB"], version: 2 });
    expect(await outcomes()).toEqual([both("country_not_allowed"), both("done")]);
    await replacePolicy(ctx, { ...free, denied_countries: ["GB"] });
    expect(await outcomes()).toEqual([both("country_not_allowed"), both("denied_by_operator")]);
    expect((await findLimits(ctx, shop.project_id)).reachable_countries).toEqual([]);
    expect(await outcomeOf(changeLimits(ctx, { project_id: shop.project_id, countries: ["US", "GB"], if_version: null }))).toBe(
      "denied_by_operator",
    );
    await replacePolicy(ctx, { ...free, allowed_countries: ["US"], denied_prefixes: ["1415555"] });
    await changeLimits(ctx, { project_id: shop.project_id, countries: null, if_version: null });
    expect(await outcomes()).toEqual([both("denied_by_operator"), both("denied_by_operator")]);
    await replacePolicy(ctx, free);
    expect(await outcomeOf(room.send(await liveShop(app), { to: "+12125552671" }))).toBe("done");
  });

  test("exclude ranges that cost extra unless operators opened them", async () => {
    const shop = await liveShop(app);
    expect([await outcomeOf(room.send(shop, { to: "+881612345678" })), await outcomeOf(call(shop, "+19005551234"))]).toEqual([
      "premium_number",
      "premium_number",
    ]);
    await replacePolicy(ctx, { ...free, opened_prefixes: ["8816", "1900555"] });
    expect([await outcomeOf(room.send(shop, { to: "+881612345678" })), await outcomeOf(call(shop, "+19005551234"))]).not.toContain(
      "premium_number",
    );
    expect(await outcomeOf(room.send(shop, { to: "+881712345678" }))).toBe("premium_number");
    await replacePolicy(ctx, free);
  });

  test("cause a notice to owners about added countries, and about nothing else", async () => {
    const shop = await liveShop(app);
    const { project_id } = shop;
    const change = (countries: string[] | null) => changeLimits(ctx, { project_id, countries, if_version: null });
    const notices = async () =>
      (await openNotices<{ countries: string[] }>(app, "countries_added", shop.merchant_id)).map(({ countries }) => countries);
    await change(["US"]);
    expect(await notices()).toEqual([]);
    await change(["US", "GB", "CA"]);
    await change(["GB"]);
    expect(await notices()).toEqual([["CA", "GB"]]);
    const operations = await listAudit(ctx, { filters: { merchant_id: null, object_id: project_id }, limit: 100 });
    expect(operations.rows.map(({ action }) => action)).toEqual([...new Array(3).fill("messaging_limits.updated"), "project.created"]);
  });

  test.each<[object, string[]]>([
    [{ countries: ["US", "XX", "ZZ"] }, ["countries[1]", "countries[2]"]],
    [
      { quiet_hours: { calls: { from: "08:00", to: "08:00" }, marketing: { from: "08:00", to: "23:00" } }, countries: ["QQ"] },
      ["countries[0]", "quiet_hours.marketing", "quiet_hours.calls"],
    ],
  ])("%j is refused with all its faults, changing nothing", async (change, params) => {
    const shop = await liveShop(app);
    const error = await changeLimits(ctx, { project_id: shop.project_id, if_version: null, ...change }).catch(
      (thrown: unknown) => thrown as AppError,
    );
    expect(((error as AppError).extras.details ?? []).map(({ param }) => param)).toEqual(params);
    expect(await findLimits(ctx, shop.project_id)).toMatchObject({ version: 1, countries: null });
  });

  test("aren't overwritten by an outdated change", async () => {
    const shop = await liveShop(app);
    const [{ version }, prices] = [await findPolicy(ctx), await findPrices(ctx)];
    expect(await outcomeOf(replacePolicy(ctx, { ...free, if_version: version + 1 }))).toBe("version_conflict");
    expect(await outcomeOf(replacePrices(ctx, { currency: "USD", csv: "", if_version: prices.version + 1 }))).toBe("version_conflict");
    expect(await outcomeOf(changeLimits(ctx, { project_id: shop.project_id, countries: null, if_version: 2 }))).toBe("version_conflict");
    expect(await outcomeOf(replacePrices(ctx, { currency: "XYZ", csv: "", if_version: null }))).toBe("not_a_currency");
  });
});

describe("costs of messages and calls", () => {
  test("without prices are counted in segments and minutes, exactly to the cap under concurrency", async () => {
    const shop = await liveShop(app);
    await set(shop, { daily_segments: 25, daily_minutes: 30 });
    const sent = await Promise.all(Array.from({ length: 40 }, () => outcomeOf(room.send(shop, { to: newNumber() }))));
    expect([sent.filter((one) => one === "done").length, sent.filter((one) => one === "spend_cap_day").length]).toEqual([25, 15]);
    const called = await Promise.all(Array.from({ length: 5 }, () => outcomeOf(call(shop, newNumber()))));
    expect(called.filter((one) => one === "done").length).toBe(3);
    expect(await usedOf(shop)).toEqual({ segments: [25, 25], minutes: [30, 30] });
    const refused = await refusalOf(room.send(shop, { to: newNumber() }));
    expect(refused).toEqual({ code: "quota_exceeded", after: 16 * 3_600 });
    expect((await noticesOf(shop)).filter((one) => one.includes("reached"))).toEqual([
      "messaging.cap_reached minutes",
      "messaging.cap_reached segments",
    ]);
  });

  test("an event and an email report when four fifths of a cap, and all of it, are used, once each", async () => {
    const shop = await liveShop(app);
    await set(shop, { daily_segments: 10 });
    const levels: string[][] = [];
    for (let sent = 0; sent < 12; sent += 1) {
      await outcomeOf(room.send(shop, { to: newNumber() }));
      levels.push(await noticesOf(shop));
    }
    const [warning, reached] = ["messaging.cap_warning segments", "messaging.cap_reached segments"];
    expect(levels).toEqual([...new Array(7).fill([]), [warning], [warning], [reached, warning], [reached, warning], [reached, warning]]);
    expect((await openNotices<{ level: number }>(app, "spend_cap", shop.project_id)).map(({ level }) => level)).toEqual([80, 100]);
  });

  test("a batch that exceeds the cap leaves nothing behind, and says so once", async () => {
    const shop = await liveShop(app);
    await set(shop, { daily_segments: 10 });
    const items = Array.from({ length: 11 }, () => ({ to: newNumber(), body: "Hello" }));
    for (let time = 0; time < 2; time += 1)
      expect(await outcomeOf(createSmsBatch(ctx, shop, { tier: "pro", items, strict: true }))).toBe("spend_cap_day");
    expect(await usedOf(shop)).toEqual({});
    expect(await noticesOf(shop)).toEqual(["messaging.cap_reached segments"]);
    expect(await outcomeOf(createSmsBatch(ctx, shop, { tier: "pro", items: items.slice(1), strict: true }))).toBe("done");
  });

  test("what was never sent is refunded, once; what was sent isn't", async () => {
    const shop = await liveShop(app);
    const canceled = await room.send(shop, { to: newNumber(), scheduled_at: "2026-11-21T08:00:00Z" });
    await room.send(shop, { to: newNumber(), body: "x".repeat(200) });
    expect(await usedOf(shop)).toEqual({ segments: [3, 3] });
    await cancelSms(ctx, shop, { id: canceled.id });
    await expect(cancelSms(ctx, shop, { id: canceled.id })).rejects.toThrow();
    expect(await usedOf(shop)).toEqual({ segments: [2, 2] });
    carrier.answer = () =>
      ({
        provider: "carrier",
        sent: [],
        result: "refused",
        code: "invalid_recipient",
        message: "no such number",
        provider_code: "11",
      }) as never;
    await room.settle();
    carrier.answer = scriptedCarrier().answer;
    expect(await usedOf(shop)).toEqual({});
    await room.send(shop, { to: newNumber() });
    await room.settle();
    expect(await usedOf(shop)).toEqual({ segments: [1, 1] });
  });

  test("a call that was never placed returns all of its minutes", async () => {
    const shop = await liveShop(app);
    const { id } = await call(shop, newNumber(), { scheduled_at: "2026-11-21T08:00:00Z", time_limit: 61 });
    expect(await usedOf(shop)).toEqual({ minutes: [2, 2] });
    await hangUpCall(ctx, shop, { id });
    expect(await usedOf(shop)).toEqual({});
  });

  test("as many calls are in progress concurrently as the caps allow, and one that ends returns the minutes that it didn't use", async () => {
    const shop = await liveShop(app);
    for (let made = 0; made < 6; made += 1) await call(shop, newNumber());
    const names = createLeaseNames();
    const claim = async () => {
      const claiming = { livemode: true, room: 100, partitionMax: 100, lease: names.next(ctx), leaseMs: 45_000 };
      const claimed = await ctx.transact((tx) => claimCalls(tx, ctx, { rounds: newRounds({ usual: 100_000, reserved: 0 }), claiming }));
      return claimed.filter(({ project_id }) => project_id === shop.project_id);
    };
    await set(shop, { calls_at_once: 2 });
    const [first] = await claim();
    expect((await claim()).length).toBe(0);
    await set(shop, { calls_at_once: 4 });
    expect((await claim()).length).toBe(2);
    await changeLimits(ctx, { project_id: shop.project_id, caps: { calls_at_once: 3 }, if_version: null });
    expect((await claim()).length).toBe(0);
    if (first === undefined) throw new Error("no call was claimed");
    const at = ctx.now();
    const outcome = outcomeOfCall(completed, at, { answeredAt: new Date(at.getTime() - 61_000) });
    await ctx.transact((tx) => changeCalls(tx, ctx, { keys: [first.call], change: () => ({ to: { status: "initiated" } }) }));
    for (let time = 0; time < 2; time += 1)
      await ctx.transact((tx) => endCalls(tx, ctx, [{ key: first.call, lease: first.lease, outcome }]));
    expect(await usedOf(shop)).toEqual({ minutes: [52, 52] });
    expect((await claim()).length).toBe(0);
  });

  test("prices apply by the longest prefix of a number, its country, then everywhere; without one a destination is refused", async () => {
    await usd("sms,US,0.01\nsms,1415555,0.02\ncall,*,0.5");
    const shop = await liveShop(app);
    await changeLimits(ctx, { project_id: shop.project_id, countries: ["US", "GB"], if_version: null });
    await room.send(shop, { to: newNumber(), body: "x".repeat(200) });
    await room.send(shop, { to: "+12125550123" });
    expect(await usedOf(shop)).toEqual({ spend_micros: [50_000, 50_000] });
    expect([await outcomeOf(room.send(shop, { to: "+447400123456" })), await outcomeOf(call(shop, "+447400123456"))]).toEqual([
      "no_price",
      "done",
    ]);
    expect(await usedOf(shop)).toEqual({ spend_micros: [5_050_000, 5_050_000] });
    await set(shop, { monthly_spend_micros: 5_069_999 });
    expect(await refusalOf(room.send(shop, { to: newNumber() }))).toEqual({ code: "quota_exceeded", after: (10 * 24 + 16) * 3_600 });
    expect(await outcomeOf(room.send(shop, { to: "+12125550124" }))).toBe("done");
    await usd("");
    expect(await findPrices(ctx)).toMatchObject({ currency: null, prices: [] });
  });

  test("TEST is neither counted nor restricted", async () => {
    const test_ = await app.tenant();
    for (let time = 0; time < 8; time += 1) expect(await outcomeOf(room.send(test_, { to: "+447400123456" }))).toBe("done");
    expect(await usedOf(test_)).toEqual({});
  });

  test.each(["worker_lost", "outcome_unknown"])("a call that ends as %s returns nothing: it may have lasted", async (code) => {
    const shop = await liveShop(app);
    const placed = await call(shop, newNumber(), { time_limit: 61 });
    const lease = createLeaseNames().next(ctx);
    const claiming = { livemode: true, room: 100, partitionMax: 100, lease, leaseMs: 45_000 };
    await ctx.transact((tx) => claimCalls(tx, ctx, { rounds: newRounds({ usual: 100_000, reserved: 0 }), claiming }));
    const become = (status: "initiated" | "in_progress") =>
      ctx.transact((tx) => changeCalls(tx, ctx, { keys: [placed], change: () => ({ to: { status } }) }));
    await become("initiated");
    if (code === "worker_lost") {
      await become("in_progress");
      app.clock.advance(46_000);
      await reviveCalls(ctx);
    } else {
      const end = { status: "failed", sip_code: null, reason: null, hangup_by: null, error: { code, message: "No answer came." } } as const;
      await ctx.transact((tx) => endCalls(tx, ctx, [{ key: placed, lease, outcome: outcomeOfCall(end, ctx.now()) }]));
    }
    expect(await findCall(ctx, shop, placed.id)).toMatchObject({ status: "failed", error: { code } });
    expect(await usedOf(shop)).toEqual({ minutes: [2, 2] });
  });
});
