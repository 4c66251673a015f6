import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { anchorAudit, beginAnchors, chainAudit, completeAnchors } from "#audit/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { anchorFile } from "../runtime/index.ts";
import { auditAuditLog, checkAnchorsAge } from "./audits.ts";

const day = 24 * 3_600_000;
const app = await testApp();
const { ctx, clock } = app;
const folder = await mkdtemp(join(tmpdir(), "tillpost-anchors-ahead-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
const path = join(folder, "audit-anchors.jsonl");
/** As the running worker has it, which doesn't read the file every minute. */
const keeper = anchorFile(folder);
const anchorNow = () => anchorAudit(ctx, keeper);
const lines = async () => (await readFile(path, "utf8")).trim().split("\n");
const keep = (some: string[]) => writeFile(path, some.map((line) => `${line}\n`).join(""));
let whole: string[] = [];

/** The faults that the doctor reports. */
async function faults(): Promise<string> {
  while ((await chainAudit(ctx)) > 0);
  const findings = await auditAuditLog(ctx, anchorFile(folder));
  return findings.flatMap(({ state, message }) => (state === "fault" ? [message] : [])).join("\n");
}

async function anchorNextDay(): Promise<void> {
  clock.advance(day);
  expect([await anchorNow(), await anchorNow()]).toEqual([true, false]);
}

/** Anchors ten years ahead, and sets the clock back. */
async function anchorAhead(): Promise<void> {
  const now = ctx.now();
  clock.advance(3650 * day);
  expect(await anchorNow()).toBe(true);
  clock.set(now);
}

beforeAll(async () => {
  await app.tenant();
  while ((await chainAudit(ctx)) > 0);
  await anchorNextDay();
  clock.advance(day);
});

test("after a clock that was ahead was set back, the log is anchored at once and on each day, and nothing is reported as missing", async () => {
  await anchorAhead();
  expect(await checkAnchorsAge(ctx, keeper)).toMatchObject([{ state: "note", message: expect.stringContaining("is in the future") }]);
  expect(await faults()).toBe("");
  expect([await anchorNow(), await anchorNow()]).toEqual([true, false]);
  expect([await checkAnchorsAge(ctx, keeper), await faults()]).toEqual([[], ""]);
  await anchorNextDay();
  expect(await faults()).toBe("");
  whole = await lines();
  expect(whole).toHaveLength(4);
});

test.each([0, -365 * day])("anchors that are removed from the end are missed, also if the clock is set back by %i ms", async (byMs) => {
  const now = ctx.now();
  clock.advance(byMs);
  for (const left of [1, 2, 3]) {
    await keep(whole.slice(0, left));
    expect(await faults(), `${left} left`).toMatch(/the newest anchor that is left is of|and that anchor isn't left/);
  }
  await rm(path);
  expect(await faults()).toContain("no anchor is left");
  await keep(whole);
  expect(await faults()).toBe("");
  clock.set(now);
});

test("a restore to a time after it completes the anchors of before", async () => {
  await keep(whole.slice(0, 1));
  await completeAnchors(ctx.db, anchorFile(folder));
  expect(await lines()).toEqual(whole);
});

test("if the anchors are restarted after it, those from before aren't missed, and those that follow are", async () => {
  await anchorAhead();
  const before = await lines();
  await beginAnchors(ctx, anchorFile(folder), "The clock was wrong");
  // The worker that runs knows only those from before.
  expect([await anchorNow(), await anchorNow(), await faults()]).toEqual([false, false, ""]);
  await anchorNextDay();
  expect(await faults()).toBe("");
  whole = await lines();
  expect(whole).toHaveLength(2);
  await keep(whole.slice(0, 1));
  expect(await faults()).toContain("the newest anchor that is left is of");
  await rm(path);
  expect(await faults()).toContain("no anchor is left");
  // A restore of a backup from before all that follows the same way.
  for (const name of await readdir(folder)) await rm(join(folder, name));
  await keep(before.slice(0, 2));
  await completeAnchors(ctx.db, anchorFile(folder));
  expect(await lines()).toEqual(whole);
  const [aside = ""] = (await readdir(folder)).filter((name) => name.includes("until-"));
  await cp(join(folder, aside), path);
  expect(await lines()).toEqual(before);
  // Instead of those that follow the restart.
  expect(await faults()).toContain("the newest anchor that is left is of");
  await keep(before.slice(-1));
  expect(await faults()).toContain("no anchor is left");
});
