import { describe, expect, it } from "vitest";
import {
  claimNotices,
  createLeaseNames,
  deleteFinishedNotices,
  finishNotices,
  notice,
  noticeLeaseMs,
  retryNotices,
  reviveNotices,
} from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { countNotices, listNotices } from "#test/support/mail/notices.sql.ts";

const at = await testApp();
const { ctx } = at;

const leave = (kind: string, recipient: string, more: { params?: object; gather_ms?: number } = {}) =>
  ctx.transact((tx) => notice(tx, ctx, { kind, recipient, params: {}, ...more }));
const names = createLeaseNames();
const claim = (gatherings: { kind: string; quietMs: number }[] = []) =>
  claimNotices(ctx, { lease: names.next(ctx), durationMs: noticeLeaseMs, limit: 100, alone: false, gatherings });

describe("a notice", () => {
  it("is leased by one worker for a minute, and its params are deleted when it ends", async () => {
    await leave("lease", "a@example.com", { params: { code: "s3cret" } });
    const [held] = await claim();
    expect(held).toMatchObject({ kind: "lease", recipient: "a@example.com", params: { code: "s3cret" }, attempts: 1 });
    expect(await claim()).toEqual([]);
    at.clock.advance(60_001);
    expect(await reviveNotices(ctx)).toBe(1);
    const [again] = await claim();
    expect(again).toMatchObject({ id: held?.id, attempts: 2, batch: held?.batch });
    if (held === undefined || again === undefined) throw new Error("nothing was held");
    await finishNotices(ctx, [held], { state: "failed", reason: "too late" });
    expect(await listNotices(ctx.db, "lease")).toMatchObject([{ state: "leased" }]);
    await finishNotices(ctx, [again], { state: "sent", reason: null });
    expect(await listNotices(ctx.db, "lease")).toMatchObject([{ state: "sent", params: "" }]);
  });

  it("that twelve workers request concurrently goes to one of them", async () => {
    for (let n = 0; n < 30; n += 1) await leave("crowd", `${n}@example.com`);
    const claimed = (await Promise.all(Array.from({ length: 12 }, () => claim()))).flat();
    expect(new Set(claimed.map(({ id }) => id)).size).toBe(30);
    expect(claimed).toHaveLength(30);
    for (const one of claimed) await finishNotices(ctx, [one], { state: "skipped", reason: "nobody" });
  });

  it("that was returned is due again at its time, together with the same others", async () => {
    await leave("again", "a@example.com");
    await leave("again", "a@example.com");
    const first = await claim();
    await retryNotices(ctx, first, { wait_ms: 5_000, reason: "busy" });
    await leave("again", "a@example.com");
    at.clock.advance(5_000);
    const second = await claim();
    expect(Map.groupBy(second, ({ batch }) => batch).size).toBe(2);
    expect(second.filter(({ batch }) => batch === first[0]?.batch)).toHaveLength(2);
    await finishNotices(ctx, second, { state: "sent", reason: null });
  });

  it("of a gathered kind waits for the others, and then for a pause", async () => {
    const kinds = [{ kind: "gathered", quietMs: 300_000 }];
    for (let n = 0; n < 10; n += 1) {
      await leave("gathered", "prj_a", { gather_ms: 60_000 });
      at.clock.advance(5_000);
    }
    expect(await claim(kinds)).toEqual([]);
    at.clock.advance(10_000);
    const first = await claim(kinds);
    expect(first).toHaveLength(10);
    await finishNotices(ctx, first, { state: "sent", reason: null });
    await leave("gathered", "prj_a", { gather_ms: 60_000 });
    await leave("gathered", "prj_b", { gather_ms: 60_000 });
    at.clock.advance(60_000);
    expect(await claim(kinds)).toMatchObject([{ recipient: "prj_b" }]);
    at.clock.advance(240_000);
    expect(await reviveNotices(ctx)).toBe(1);
    const later = await claim(kinds);
    expect(new Map(later.map(({ recipient, attempts }) => [recipient, attempts]))).toEqual(
      new Map([
        ["prj_a", 1],
        ["prj_b", 2],
      ]),
    );
  });

  it("of a gathered kind doesn't wait for one that was sent while the clock was ahead, after it was set back", async () => {
    const kinds = [{ kind: "gathered", quietMs: 300_000 }];
    const now = at.clock.now();
    at.clock.advance(3650 * 86_400_000);
    await leave("gathered", "prj_c");
    await finishNotices(ctx, await claim(kinds), { state: "sent", reason: null });
    at.clock.set(now);
    await leave("gathered", "prj_c");
    expect(await claim(kinds)).toMatchObject([{ recipient: "prj_c" }]);
  });

  it("is removed 30 days after it ended, and not before", async () => {
    await leave("old", "a@example.com");
    await finishNotices(ctx, await claim(), { state: "sent", reason: null });
    at.clock.advance(30 * 86_400_000 - 1);
    await deleteFinishedNotices(ctx);
    expect(await countNotices(ctx.db, "old")).toBe(1);
    at.clock.advance(2);
    await deleteFinishedNotices(ctx);
    expect(await countNotices(ctx.db, "old")).toBe(0);
  });
});
