import { expect, test } from "vitest";
import type { Rule } from "../read/sources.ts";
import { loopsRest, machineClockIsNotRead, roomsShareAClock, statementsShareAClock, testsKeepNoTime } from "./clocks.ts";

const operation = "server/src/orders/cancel-order.ts";
const tests = "server/src/orders/cancel-order.test.ts";

const statements = "server/src/orders/rows/orders.sql.ts";

const cases: { what: string; rule: Rule; bad: Record<string, string>; good: Record<string, string> }[] = [
  {
    what: "a statement that is given this process's time",
    rule: statementsShareAClock,
    bad: { [statements]: "sql(tx)`update orders set updated_at = ${given.now}`" },
    good: {
      [statements]: "sql(tx)`update orders set updated_at = app_now()`",
      "server/src/events/sql.ts": "sql(tx)`insert into events select ${now}`",
    },
  },
  {
    what: "a room that tells what the machine's clock shows",
    rule: machineClockIsNotRead,
    bad: { [operation]: "const told = { at: new Date() };" },
    good: { [operation]: "const told = { at: ctx.now(), read: new Date(text) };" },
  },
  {
    what: "an id that is made by the machine's clock",
    rule: machineClockIsNotRead,
    bad: { [operation]: 'const id = newId("ord");' },
    good: { [operation]: 'const id = newId("ord", now.getTime()), other = ctx.id("ord");' },
  },
  {
    what: "a room that compares with this process's time",
    rule: roomsShareAClock,
    bad: { [operation]: "if (order.expires_at <= ctx.now()) throw ended();" },
    good: { [operation]: "if (order.expires_at <= pinned.now()) throw ended();\nawait record({ at: ctx.now() });" },
  },
  {
    what: "a room that counts from this process's time",
    rule: roomsShareAClock,
    bad: { [operation]: "const until = new Date(ctx.now().getTime() + holdMs);" },
    good: { [operation]: "const until = new Date((await findNow(tx)).getTime() + holdMs);" },
  },
  {
    what: "a test that asserts how long something took",
    rule: testsKeepNoTime,
    bad: { [tests]: "expect(report.healedMs).toBeLessThan(60_000);" },
    good: {
      [tests]: "expect(report.lost).toBeLessThan(1);",
      "server/src/http/v1/orders.long.test.ts": "expect(report.healedMs).toBeLessThan(60_000);",
    },
  },
  {
    what: "a test that reads the machine's clock",
    rule: testsKeepNoTime,
    bad: { [tests]: "const began = performance.now();" },
    good: { [tests]: "const began = home.clock.now();" },
  },
  {
    what: "a test that lets a fixed time pass",
    rule: testsKeepNoTime,
    bad: { [tests]: "await new Promise((resolve) => setTimeout(resolve, 500)); expect(calls).toBe(0);" },
    good: { [tests]: 'await eventually("it was called", () => calls === 1);' },
  },
  {
    what: "a test that lets a fixed time pass in a browser",
    rule: testsKeepNoTime,
    bad: { [tests]: "await page.waitForTimeout(1_000); expect(asked).toEqual([]);" },
    good: { [tests]: 'await page.getByText("Done").waitFor();' },
  },
  {
    what: "a helper of tests that lets a fixed time pass",
    rule: testsKeepNoTime,
    bad: { "server/test/wait.ts": "export async function settle() {\n  await sleep(500);\n}" },
    good: {
      "server/test/wait.ts":
        "export async function settle() {\n  for (let looks = 0; looks < 9 && !isDone(); looks += 1) await sleep(50);\n}",
    },
  },
  {
    what: "a helper of tests that waits for ever",
    rule: testsKeepNoTime,
    bad: { "server/test/wait.ts": "export async function settle() {\n  while (true) await sleep(50);\n}" },
    good: { "server/test/wait.ts": "export async function settle() {\n  while (performance.now() < end) await sleep(50);\n}" },
  },
  {
    what: "a helper of tests that waits for something that may never come",
    rule: testsKeepNoTime,
    bad: { "server/test/wait.ts": "export async function settle() {\n  while (!isDone()) await sleep(50);\n}" },
    good: {
      "server/test/wait.ts":
        "export async function settle() {\n  while (!isDone()) {\n    if (performance.now() > end) throw new Error();\n    await sleep(50);\n  }\n}",
    },
  },
  {
    what: "a test that repeats a step until something has come about, however often",
    rule: testsKeepNoTime,
    bad: { "server/src/orders/pay.test.ts": 'while ((await find(order)).status !== "paid") await step();' },
    good: { "server/src/orders/pay.test.ts": "while ((await fanOut(ctx)) > 0);\nwhile (going) await step();" },
  },
  {
    what: "a loop that burns a core",
    rule: loopsRest,
    bad: { [operation]: "while (Date.now() < end) {\n  // Until then.\n}" },
    good: { [operation]: "while (Date.now() < end) await sleep(50);" },
  },
  {
    what: "a test that waits for ever",
    rule: testsKeepNoTime,
    bad: { [tests]: "for (;;) if (await isDone()) break;" },
    good: { [tests]: "for (let tries = 0; tries < 100; tries += 1) if (await isDone()) break;" },
  },
];

const faults = (rule: Rule, files: Record<string, string>) => rule(Object.entries(files).map(([path, text]) => ({ path, text })));

test.each(cases)("$what is refused, and nothing else is", ({ rule, bad, good }) => {
  expect(faults(rule, bad)).toHaveLength(1);
  expect(faults(rule, good)).toEqual([]);
});
