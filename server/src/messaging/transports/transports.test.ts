import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { createTransportBoard } from "./create-transport-board.ts";
import { listTransports } from "./list-transports.ts";
import { mergeReports } from "./merge-reports.ts";
import { reportTransportsTask } from "./report-transports.ts";
import type { StoredReport } from "./shapes.ts";

const app = await testApp();
const { ctx, clock } = app;
const noon = new Date("2026-11-20T12:00:00Z");
const at = (minutes: number) => new Date(noon.getTime() + minutes * 60_000);
const minuteMs = 60_000;

const report = (change: Partial<StoredReport>): StoredReport => ({
  ...{
    process: "a",
    channel: "sms",
    name: "smpp:main",
    kind: "smpp",
    state: "up",
    state_at: at(-10),
    paused_until: null,
    error: null,
    error_at: null,
  },
  ...{ in_flight: 1, capacity: 10, stopped: false, stale: false, reported_at: noon, ...change },
});

test.each([
  ["one that is up", [{}], { state: "up", since: at(-10), in_flight: 1, capacity: 10, processes: 1, processes_up: 1 }],
  [
    "two that are up add up",
    [{}, { process: "b", state_at: at(-5) }],
    { state: "up", since: at(-10), in_flight: 2, capacity: 20, processes_up: 2 },
  ],
  ["up in one process is up", [{ state: "down" }, { process: "b" }], { state: "up", processes: 2, processes_up: 1 }],
  ["one that waits to hold it adds nothing", [{ state: "idle", in_flight: 0 }, { process: "b" }], { state: "up", capacity: 10 }],
  ["a pause that is not over", [{ paused_until: at(1) }], { state: "paused", paused_until: at(1) }],
  ["a pause that is over", [{ paused_until: at(-1) }], { state: "up", paused_until: null }],
  ["down, with its next try", [{ state: "down", paused_until: at(1) }], { state: "down", paused_until: at(1) }],
  ["never tried", [{ state: "idle", state_at: null }], { state: "idle", since: null }],
  [
    "the newest error of all",
    [
      { error: "old", error_at: at(-9) },
      { process: "b", error: "new", error_at: at(-1) },
    ],
    { error: { message: "new", at: at(-1) } },
  ],
  ["a process that died", [{ stale: true, in_flight: 4 }], { state: "silent", since: noon, in_flight: 0, processes: 0 }],
  ["a process that died, beside one that runs", [{ stale: true, state: "down" }, { process: "b" }], { state: "up", processes: 1 }],
  ["the only process ended as it should", [{ stopped: true }], { state: "silent" }],
  ["no number of its own", [{ capacity: null }], { capacity: null }],
] as [string, Partial<StoredReport>[], object][])("%s", (_name, reports, merged) => {
  expect(mergeReports(reports.map(report), noon)).toMatchObject([merged]);
});

test("a transport that only ended processes had is removed while others run", () => {
  const names = mergeReports([report({ name: "smpp:old", stopped: true }), report({ process: "b" })], noon).map(({ name }) => name);
  expect(names).toEqual(["smpp:main"]);
});

/** One process with one way out. */
function processOf(window = 10) {
  const board = createTransportBoard(ctx.now);
  const notes = board.add({ channel: "sms", name: "smpp:main", kind: "smpp" }, () => ({ inFlight: 2, capacity: window }));
  return { board, notes, ...reportTransportsTask(board) };
}
const shown = async () => (await listTransports(ctx)).channels.find(({ channel }) => channel === "sms")?.transports ?? [];

test("reports of several processes add up, minute by minute, and a transport goes silent when they stop", async () => {
  const [first, second] = [processOf(), processOf(5)];
  await first.run(ctx);
  expect(await shown()).toMatchObject([{ name: "smpp:main", state: "idle", since: null, in_flight: 2 }]);
  first.notes.up();
  const since = ctx.now();
  for (let turn = 0; turn < 3; turn += 1) first.notes.handed();
  second.notes.failed("The carrier rejected the message.");
  second.notes.down("ECONNREFUSED");
  await first.run(ctx);
  await second.run(ctx);
  // Counts are reported once.
  await first.run(ctx);
  const [way] = await shown();
  expect(way).toMatchObject({
    state: "up",
    since,
    in_flight: 4,
    capacity: 15,
    processes: 2,
    processes_up: 1,
    error: { message: "ECONNREFUSED" },
  });
  expect(way?.minutes).toHaveLength(30);
  expect(way?.minutes.at(-1)).toMatchObject({ handed: 3, failed: 1 });
  expect(way?.minutes.slice(0, -1).every(({ handed, failed }) => handed + failed === 0)).toBe(true);
  clock.advance(minuteMs);
  expect((await shown())[0]).toMatchObject({ state: "silent", processes: 0, in_flight: 0 });
  await first.run(ctx);
  expect((await shown())[0]).toMatchObject({ state: "up", processes: 1, capacity: 10 });
  expect((await shown())[0]?.minutes.at(-2)).toMatchObject({ handed: 3, failed: 1 });
  clock.advance(25 * 60 * minuteMs);
  await processOf().run(ctx);
  expect(await shown()).toMatchObject([{ state: "idle", processes: 1 }]);
});

test("counts of a report that couldn't be written are added to the next one", async () => {
  const one = processOf();
  one.notes.handed();
  const away = { ...ctx, transact: () => Promise.reject(new Error("the database is away")) };
  await expect(one.run(away)).rejects.toThrow("away");
  one.notes.handed();
  expect(one.board.take()).toMatchObject([{ handed: 2, failed: 0 }]);
});

test("totals that a transport counts are reported as differences, also after a restart", () => {
  const made = createTransportBoard(ctx.now);
  let total = { handed: 4, failed: 1 };
  made.add({ channel: "call", name: "sip:main", kind: "sip" }, () => ({ inFlight: 0, capacity: 30, total }));
  expect(made.take()).toMatchObject([{ handed: 4, failed: 1 }]);
  total = { handed: 6, failed: 1 };
  expect(made.take()).toMatchObject([{ handed: 2, failed: 0 }]);
  total = { handed: 1, failed: 0 };
  expect(made.take()).toMatchObject([{ handed: 1, failed: 0 }]);
});

test("a process that ends reports it", async () => {
  const [old, next] = [processOf(), processOf()];
  await old.run(ctx);
  clock.advance(minuteMs);
  await old.run(ctx);
  await old.finish?.(ctx);
  expect(await shown()).toMatchObject([{ state: "silent", processes: 0 }]);
  await next.run(ctx);
  expect(await shown()).toMatchObject([{ state: "idle", processes: 1 }]);
});

test("what waits is counted by channel, and only in LIVE", async () => {
  const waits = async () =>
    (await listTransports(ctx)).channels.map(({ channel, queue }) => [channel, queue.waiting + queue.scheduled, queue.oldest_due_at]);
  const shop = await app.tenant();
  await app.api(shop.key).post("/v1/sms", { to: "+15005551000", body: "Hi" });
  expect(await waits()).toEqual([
    ["email", 0, null],
    ["sms", 0, null],
    ["call", 0, null],
  ]);
});

test("whatever a carrier wrote is reported, and keeps no other transport from being shown", async () => {
  const { board, notes, run } = processOf();
  board.add({ channel: "sms", name: "smpp:other", kind: "smpp" }, () => ({ inFlight: 0, capacity: 1 })).up();
  notes.failed(`\u0000${"x".repeat(498)}😀`);
  await run(ctx);
  expect(await shown()).toMatchObject([
    { name: "smpp:main", error: { message: `\ufffd${"x".repeat(498)}\ufffd` } },
    { name: "smpp:other", state: "up" },
  ]);
});
