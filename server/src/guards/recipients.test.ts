import { describe, expect, test } from "vitest";
import { findCall, rescheduleCall } from "#calls/index.ts";
import { claimCalls } from "#calls/running/claim-calls.ts";
import { newRounds } from "#messaging/sending/rounds.ts";
import { createLeaseNames } from "#platform/index.ts";
import { createSmsBatch, rescheduleSms } from "#sms/index.ts";
import { guardedApp, outcomeOf, refusalOf } from "#test/support/messages/guards.ts";
import { accepted, liveShop } from "#test/support/messages/sms.ts";
import { startVerification } from "#verifications/index.ts";
import { guardTasks } from "./guard-tasks.ts";
import { changeLimits } from "./index.ts";

const { app, ctx, carrier, room, call, usedOf, newNumber } = await guardedApp();

describe("messages and calls to one number", () => {
  test("are limited to five SMS in ten minutes and two calls, exactly under concurrency, each separately", async () => {
    const shop = await liveShop(app);
    const to = newNumber();
    const sent = await Promise.all(Array.from({ length: 9 }, () => outcomeOf(room.send(shop, { to }))));
    expect([sent.filter((one) => one === "done").length, sent.filter((one) => one === "recipient_pace").length]).toEqual([5, 4]);
    const called = await Promise.all(Array.from({ length: 4 }, () => outcomeOf(call(shop, to))));
    expect(called.filter((one) => one === "done").length).toBe(2);
    expect(await outcomeOf(room.send(shop, { to: newNumber() }))).toBe("done");
    expect(await refusalOf(room.send(shop, { to }))).toEqual({ code: "quota_exceeded", after: 600 });
    expect(await usedOf(shop)).toMatchObject({ segments: [6, 6], minutes: [20, 20] });
    app.clock.advance(600_000);
    expect(await outcomeOf(room.send(shop, { to }))).toBe("done");
  });

  test("more of them in one batch than the limit ever allows are refused without a time to retry", async () => {
    const shop = await liveShop(app);
    const to = newNumber();
    const batch = (count: number) =>
      createSmsBatch(ctx, shop, { tier: "pro", items: Array.from({ length: count }, () => ({ to, body: "Hi" })), strict: true });
    expect(await refusalOf(batch(6))).toEqual({ code: "quota_exceeded", after: Number.NaN });
    expect(await usedOf(shop)).toEqual({});
    expect(await outcomeOf(batch(5))).toBe("done");
    expect(await refusalOf(batch(2))).toEqual({ code: "quota_exceeded", after: 600 });
  });

  test("who got too many are left out of a permissive batch, and a strict one says which items are theirs", async () => {
    const shop = await liveShop(app);
    const api = app.api(shop.key);
    const [busy, other, full] = [newNumber(), newNumber(), newNumber()];
    for (let time = 0; time < 4; time += 1) await room.send(shop, { to: busy });
    for (let time = 0; time < 5; time += 1) await room.send(shop, { to: full });
    const items = [full, other, busy, busy, other].map((to) => ({ to, body: "Hi" }));
    const strict = await api.post("/v1/sms/batch", items);
    expect([strict.status, strict.body.error.code, strict.headers["retry-after"]]).toEqual([429, "quota_exceeded", "600"]);
    const refused = { param: "to", code: "quota_exceeded", reason: "recipient_pace", values: { max: 5, seconds: 600 } };
    const errors = [0, 3].map((index) => ({ index, ...refused }));
    expect(strict.body.error.details).toMatchObject(errors);
    expect(await usedOf(shop)).toMatchObject({ segments: [9, 9] });
    const permissive = { headers: { "x-batch-validation": "permissive" } };
    const made = await api.post("/v1/sms/batch", items, permissive);
    expect([made.status, made.body]).toMatchObject([201, { total: 5, accepted: 3, errors }]);
    expect(made.body.data.map(({ index }: { index: number }) => index)).toEqual([1, 2, 4]);
    expect((await api.get(`/v1/batches/${made.body.id}`)).body).toMatchObject({ accepted: 3, errors });
    expect(await usedOf(shop)).toMatchObject({ segments: [12, 12] });
    const none = await api.post("/v1/sms/batch", [items[0], { to: "none", body: "Hi" }], permissive);
    expect([none.status, none.body.error.code]).toEqual([429, "quota_exceeded"]);
    expect(none.body.error.details).toMatchObject([errors[0], { index: 1, code: "recipient_invalid" }]);
  });

  test("more of them in one permissive batch than the limit ever allows are accepted up to the limit", async () => {
    const shop = await liveShop(app);
    const to = newNumber();
    const items = Array.from({ length: 7 }, () => ({ to, body: "Hi" }));
    const made = await createSmsBatch(ctx, shop, { tier: "pro", items, strict: false });
    expect([made.accepted, made.errors.map(({ index }) => index)]).toEqual([5, [5, 6]]);
  });

  test("are limited to twenty a day, however slowly", async () => {
    const shop = await liveShop(app);
    const to = newNumber();
    const send = () => outcomeOf(room.send(shop, { to }));
    for (let round = 0; round < 4; round += 1) {
      for (let time = 0; time < 5; time += 1) expect(await send()).toBe("done");
      app.clock.advance(600_000);
    }
    expect(await refusalOf(room.send(shop, { to }))).toEqual({ code: "quota_exceeded", after: 86_400 - 4 * 600 });
    app.clock.advance(86_400_000);
    expect(await send()).toBe("done");
    for (const task of guardTasks()) await task.run(ctx);
  });

  test("that were sent while the clock was ahead don't count after it was set back", async () => {
    const shop = await liveShop(app);
    const to = newNumber();
    const now = app.clock.now();
    app.clock.advance(70 * 365 * 86_400_000);
    expect(await outcomeOf(room.send(shop, { to }))).toBe("done");
    app.clock.set(now);
    for (let time = 0; time < 5; time += 1) expect(await outcomeOf(room.send(shop, { to }))).toBe("done");
    expect(await refusalOf(room.send(shop, { to }))).toEqual({ code: "quota_exceeded", after: 600 });
    app.clock.advance(600_000);
    expect(await outcomeOf(room.send(shop, { to }))).toBe("done");
  });
});

describe("quiet hours", () => {
  test("marketing waits for the recipient's morning and remains valid as long after it; other messages don't wait unless the project says so", async () => {
    const shop = await liveShop(app);
    // One in the morning in Honolulu, six in New York.
    app.clock.set("2026-12-01T11:00:00.000Z");
    const morning = new Date("2026-12-01T18:00:00.000Z");
    const waiting = await room.send(shop, { to: newNumber(), category: "marketing", validity_period: 600 });
    expect(waiting).toMatchObject({
      status: "scheduled",
      state: "waiting",
      scheduled_at: morning,
      due_at: morning,
      expires_at: new Date("2026-12-01T18:10:00.000Z"),
    });
    expect(await room.send(shop, { to: newNumber() })).toMatchObject({ status: "queued", scheduled_at: null });
    expect(await call(shop, newNumber())).toMatchObject({ status: "queued" });
    const night = { from: "21:00", to: "08:00" };
    await changeLimits(ctx, {
      project_id: shop.project_id,
      quiet_hours: { transactional: night, calls: night, marketing: null },
      if_version: null,
    });
    expect(await room.send(shop, { to: newNumber(), category: "marketing" })).toMatchObject({ status: "queued" });
    expect(await room.send(shop, { to: newNumber() })).toMatchObject({ status: "scheduled", scheduled_at: morning });
    expect(await call(shop, newNumber(), { scheduled_at: "2026-12-02T08:00:00Z" })).toMatchObject({
      status: "scheduled",
      scheduled_at: new Date("2026-12-02T18:00:00.000Z"),
    });
    app.clock.set("2026-12-01T18:00:00.000Z");
    await room.settle();
    expect((await room.find(shop, waiting.id)).status).toBe("sent");
  });

  test("what is rescheduled into them is also sent at their end; a code keeps its time", async () => {
    const shop = await liveShop(app);
    await changeLimits(ctx, { project_id: shop.project_id, quiet_hours: { calls: { from: "21:00", to: "08:00" } }, if_version: null });
    app.clock.set("2026-12-01T20:00:00.000Z");
    const [night, morning] = ["2026-12-02T11:00:00.000Z", new Date("2026-12-02T18:00:00.000Z")];
    const { id } = await room.send(shop, { to: newNumber(), category: "marketing", validity_period: 600 });
    const moved = { status: "scheduled", scheduled_at: morning, due_at: morning };
    expect(await rescheduleSms(ctx, shop, { id, scheduled_at: night })).toMatchObject({
      ...moved,
      expires_at: new Date("2026-12-02T18:10:00.000Z"),
    });
    expect(await rescheduleCall(ctx, shop, { id: (await call(shop, newNumber())).id, scheduled_at: night })).toMatchObject(moved);
    const other = await room.send(shop, { to: newNumber() });
    expect(await rescheduleSms(ctx, shop, { id: other.id, scheduled_at: night })).toMatchObject({ scheduled_at: new Date(night) });
    await changeLimits(ctx, {
      project_id: shop.project_id,
      quiet_hours: { transactional: { from: "21:00", to: "08:00" } },
      if_version: null,
    });
    const { sends } = await startVerification(ctx, shop, { tier: "pro", verification: { to: newNumber(), channels: ["sms"] } });
    expect(await rescheduleSms(ctx, shop, { id: sends[0]?.message_id ?? "", scheduled_at: night })).toMatchObject({
      scheduled_at: new Date(night),
    });
  });

  test("what is still unsent when they begin waits for their end without using up its validity; a code doesn't wait", async () => {
    const shop = await liveShop(app);
    const night = { from: "21:00", to: "08:00" };
    await changeLimits(ctx, { project_id: shop.project_id, quiet_hours: { transactional: night, calls: night }, if_version: null });
    // Half past eight in the evening in New York.
    app.clock.set("2026-12-05T01:30:00.000Z");
    carrier.answer = () => ({
      ...{ provider: "carrier", sent: [], result: "deferred", retry_after_ms: 600_000 },
      ...{ code: "throttled", message: "Later.", provider_code: null },
    });
    const send = () => room.send(shop, { to: newNumber(), category: "marketing", validity_period: 7_200 });
    const attempted = await send();
    await room.settle();
    carrier.answer = (sms) => accepted(sms);
    carrier.isOpen = () => false;
    const fresh = await send();
    const placed = await call(shop, newNumber(), { expires_in: 7_200 });
    app.clock.set("2026-12-05T02:30:00.000Z");
    const { sends } = await startVerification(ctx, shop, { tier: "pro", verification: { to: newNumber(), channels: ["sms"] } });
    carrier.isOpen = () => true;
    await room.settle();
    const claiming = { livemode: true, room: 100, partitionMax: 100, lease: createLeaseNames().next(ctx), leaseMs: 45_000 };
    const claimed = await ctx.transact((tx) => claimCalls(tx, ctx, { rounds: newRounds({ usual: 100_000, reserved: 0 }), claiming }));
    expect(claimed.filter(({ project_id }) => project_id === shop.project_id)).toEqual([]);
    const morning = new Date("2026-12-05T18:00:00.000Z");
    const moved = { status: "scheduled", state: "waiting", scheduled_at: morning, due_at: morning };
    const expires_at = new Date("2026-12-05T19:00:00.000Z");
    expect(await room.find(shop, fresh.id)).toMatchObject({ ...moved, expires_at });
    expect(await findCall(ctx, shop, placed.id)).toMatchObject(moved);
    expect(await room.find(shop, attempted.id)).toMatchObject({ status: "queued", state: "waiting", due_at: morning, expires_at });
    expect(await room.find(shop, sends[0]?.message_id ?? "")).toMatchObject({ status: "sent" });
    app.clock.set(morning.toISOString());
    await room.settle();
    for (const { id } of [fresh, attempted]) expect((await room.find(shop, id)).status).toBe("sent");
  });

  test("not in TEST", async () => {
    app.clock.set("2026-12-03T11:00:00.000Z");
    expect(await room.send(await app.tenant(), { category: "marketing" })).toMatchObject({ status: "queued" });
  });
});

test.each([
  ["+15005550003", "country_not_allowed"],
  ["+15005550010", "prefix_paused"],
  ["+15005550011", "premium_number"],
  ["+15005550012", "recipient_pace"],
  ["+15005550013", "spend_cap_day"],
])("in TEST %s is refused as %s, by SMS and by call", async (to, reason) => {
  const shop = await app.tenant();
  expect([await outcomeOf(room.send(shop, { to })), await outcomeOf(call(shop, to))]).toEqual([reason, reason]);
});
