import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { createProcessClock } from "../index.ts";

const { ctx, clock } = await testApp();

/** A process on a machine that is so far ahead of the database, with what it logs. */
function processAhead(byMs: number) {
  const lines: { level: number; code?: string; ahead_ms?: number }[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const machine = { byMs };
  const own = createProcessClock({ db: ctx.db, log, machineNow: () => clock.now().getTime() + machine.byMs });
  onTestFinished(() => own.stop());
  return { own, lines, machine };
}

/** The comparison proves no more than the time that it takes. */
const nearMs = 1_500;

test.each([
  ["ten minutes fast", 600_000],
  ["ten minutes slow", -600_000],
])("a process that is %s uses the database's time, and an operator is notified once", async (_how, byMs) => {
  const { own, lines } = processAhead(byMs);
  expect(own.aheadMs()).toBe(0);
  await own.follow();
  await own.follow();
  expect(Math.abs(own.now().getTime() - clock.now().getTime()) < nearMs).toBe(true);
  expect(Math.abs(own.aheadMs() - byMs) < nearMs).toBe(true);
  expect(lines).toMatchObject([{ level: 50, code: "clock_skewed" }]);
  expect(Math.abs((lines[0]?.ahead_ms ?? 0) - byMs) < nearMs).toBe(true);
});

test("a machine with a correct clock is left unchanged", async () => {
  const { own, lines } = processAhead(0);
  await own.follow();
  expect([own.aheadMs(), own.now(), lines]).toEqual([0, clock.now(), []]);
});

test("a corrected clock is followed, and no alarm remains", async () => {
  const { own, lines, machine } = processAhead(600_000);
  await own.follow();
  machine.byMs = 0;
  await own.follow();
  expect(Math.abs(own.aheadMs()) < nearMs).toBe(true);
  expect(lines.map(({ level }) => level)).toEqual([50, 30]);
});
