import { writeFileSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Anchor, anchorAudit, beginAnchors, chainAudit, completeAnchors } from "#audit/index.ts";
import type { Ctx } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { anchorFile, holdAnchors } from "../runtime/index.ts";
import { auditAuditLog, checkAnchorsAge } from "./audits.ts";

const app = await testApp();
const { ctx } = app;
const folder = await mkdtemp(join(tmpdir(), "tillpost-anchors-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
const path = join(folder, "audit-anchors.jsonl");
const days: string[] = [];
let whole = "";

async function anchorNextDay(within: Ctx = ctx): Promise<void> {
  app.clock.advance(24 * 3_600_000);
  expect(await anchorAudit(within, anchorFile(folder))).toBe(true);
}

beforeAll(async () => {
  await app.tenant();
  while ((await chainAudit(ctx)) > 0);
  for (let day = 0; day < 3; day += 1) {
    await anchorNextDay();
    days.push(ctx.now().toISOString().slice(0, 10));
  }
  whole = await readFile(path, "utf8");
});

/** The faults that the doctor reports. */
async function faults(): Promise<string> {
  while ((await chainAudit(ctx)) > 0);
  const findings = await auditAuditLog(ctx, anchorFile(folder));
  return findings.flatMap(({ state, message, fix }) => (state === "fault" ? [message, fix] : [])).join("\n");
}

test.each([
  ["the file was removed", () => rm(path), () => `from ${days[0]} to ${days[2]}, and no anchor is left`],
  ["it was emptied", () => writeFile(path, ""), () => `from ${days[0]} to ${days[2]}, and no anchor is left`],
  [
    "its newest line was removed",
    () => writeFile(path, withoutLast(whole)),
    () => `until ${days[2]}, and the newest anchor that is left is of ${days[1]}`,
  ],
])("doctor --audit finds that %s, and says what to do", async (_what, attack, found) => {
  expect(await faults()).toBe("");
  await attack();
  expect(await faults()).toContain(found());
  expect(await faults()).toContain('doctor --begin-anchors "<why>"');
  await writeFile(path, whole);
  expect(await faults()).toBe("");
});

test("an anchor that a worker adds while the doctor reads isn't reported as lost", async () => {
  const file = anchorFile(folder);
  let isAdded = false;
  const list = async () => {
    const anchors = await file.list();
    if (!isAdded) await anchorNextDay();
    isAdded = true;
    return anchors;
  };
  while ((await chainAudit(ctx)) > 0);
  const findings = await auditAuditLog(ctx, { ...file, list });
  expect([isAdded, findings.filter(({ state }) => state === "fault")]).toEqual([true, []]);
  days.push(ctx.now().toISOString().slice(0, 10));
  whole = await readFile(path, "utf8");
});

test("anchors from a backup may end before the database that continues after it", async () => {
  await writeFile(path, withoutLast(whole));
  while ((await chainAudit(ctx)) > 0);
  const findings = await auditAuditLog(ctx, { ...anchorFile(folder), endEarlier: true });
  expect(findings.filter(({ state }) => state === "fault")).toEqual([]);
  expect(findings).toContainEqual(
    expect.objectContaining({ state: "note", message: expect.stringContaining("the backup's anchors end before") }),
  );
  await writeFile(path, whole);
});

describe("a database that was restored to a time after its backup completes the backup's anchors", () => {
  const complete = () => completeAnchors(ctx.db, anchorFile(folder));

  test("with those that followed", async () => {
    for (const earlier of ["", withoutLast(withoutLast(whole))]) {
      await writeFile(path, earlier);
      await complete();
      expect(await readFile(path, "utf8")).toBe(whole);
    }
    await complete();
    expect([await readFile(path, "utf8"), await faults()]).toEqual([whole, ""]);
  });

  test("but not in a database of an earlier version, which doesn't keep them", async () => {
    const earlier = withoutLast(whole);
    await writeFile(path, earlier);
    await ctx.transact(async (tx) => {
      await runStatement(tx, "set local search_path = pg_catalog");
      await completeAnchors(tx, anchorFile(folder));
    });
    expect(await readFile(path, "utf8")).toBe(earlier);
    await writeFile(path, whole);
  });

  test("nor with texts that aren't anchors, which hide none that follows", async () => {
    const [first, second] = anchorsIn(whole);
    const odd = [
      { ...second, at: 5 },
      { ...second, root: null },
      { ...second, heads: [5] },
      { ...second, rows: "many" },
    ];
    const insert = "insert into audit_anchor_lines (seal, follows, anchor, created_at) values (?, ?, ?, ?)";
    for (const text of ["x", "null", ...odd.map((one) => JSON.stringify(one))])
      await runStatement(ctx.db, insert, `forged ${text}`, first?.mac, text, new Date(second?.at ?? 0));
    await writeFile(path, `${JSON.stringify(first)}\n`);
    await complete();
    expect(await readFile(path, "utf8")).toBe(whole);
  });

  test("but not with one of which something in between is missing", async () => {
    const [first, second] = anchorsIn(whole);
    const other = JSON.stringify({ ...second, mac: "of another" });
    await writeFile(path, `${JSON.stringify(first)}\n${other}\n`);
    await complete();
    expect(anchorsIn(await readFile(path, "utf8"))).toHaveLength(2);
    await writeFile(path, whole);
  });
});

const anchorsIn = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Anchor);

function withoutLast(text: string): string {
  return `${text.trim().split("\n").slice(0, -1).join("\n")}\n`;
}

test("a file that the worker restarted after a loss remains a fault, and the log says so, until a person records the reason", async () => {
  await rm(path);
  const logged: string[] = [];
  const log = pino({ level: "error" }, { write: (line: string) => void logged.push(line) });
  await anchorNextDay({ ...ctx, log });
  expect(logged.join("")).toContain("the anchors of the audit log are gone");
  await anchorNextDay({ ...ctx, log });
  expect(logged).toHaveLength(1);
  expect(await faults()).toContain(`from ${days[0]} on, and the oldest anchor that is left is of`);
  const lost = await readFile(path, "utf8");
  const started = await beginAnchors(ctx, anchorFile(folder), "The disk was restored from Tuesday's copy");
  expect(await faults()).toBe("");
  expect(await readFile(started?.aside ?? "", "utf8")).toBe(lost);
  const rows = await runStatement(ctx.db, "select actor_kind, detail from audit_log where action = 'audit_anchors.begun_anew'");
  expect(rows).toMatchObject([{ detail: { reason: "The disk was restored from Tuesday's copy", anchors: 2 } }]);
});

test("restarted anchors are checked like the earlier ones: if removed immediately or a day later, they are missed", async () => {
  const anchors = await readFile(path, "utf8");
  await rm(path);
  expect(await faults()).toContain("no anchor is left");
  await writeFile(path, anchors);
  await anchorNextDay();
  expect(await faults()).toBe("");
  await writeFile(path, anchors);
  expect(await faults()).toContain("the newest anchor that is left is of");
  await rm(path);
  await anchorNextDay();
  expect(await faults()).toContain("the oldest anchor that is left is of");
  expect((await readdir(folder)).filter((name) => name.includes("until-"))).toHaveLength(1);
});

test("a row that claims a restart without Tillpost's seal excuses nothing", async () => {
  await runStatement(
    ctx.db,
    `insert into audit_log (merchant_id, id, actor_kind, actor_id, action, object_type, detail, created_at, mac)
     select merchant_id, 'aud_forged', actor_kind, actor_id, action, object_type, detail, ?, mac from audit_log where action = 'audit_anchors.begun_anew'`,
    ctx.now(),
  );
  expect(await faults()).toContain("the oldest anchor that is left is of");
});

test("anchors that were started again on a day that had one are also completed: the earlier ones are set aside again", async () => {
  await anchorNextDay();
  const earlier = await readFile(path, "utf8");
  app.clock.advance(3_600_000);
  await beginAnchors(ctx, anchorFile(folder), "The disk was replaced");
  await anchorNextDay();
  const later = await readFile(path, "utf8");
  expect(anchorsIn(later)).toHaveLength(2);
  for (const name of await readdir(folder)) if (name.includes("until-")) await rm(join(folder, name));
  await writeFile(path, withoutLast(earlier));
  await completeAnchors(ctx.db, anchorFile(folder));
  expect(await readFile(path, "utf8")).toBe(later);
  const [aside = ""] = (await readdir(folder)).filter((name) => name.includes("until-"));
  expect(await readFile(join(folder, aside), "utf8")).toBe(earlier);
});

test("anchors that the database couldn't keep are kept with the next one", async () => {
  const transact = async () => {
    throw new Error("the database is read-only");
  };
  for (const _day of [1, 2]) {
    app.clock.advance(24 * 3_600_000);
    await expect(anchorAudit({ ...ctx, transact }, anchorFile(folder))).rejects.toThrow("read-only");
  }
  await anchorNextDay();
  const all = await readFile(path, "utf8");
  await writeFile(path, withoutLast(withoutLast(withoutLast(all))));
  await completeAnchors(ctx.db, anchorFile(folder));
  expect(await readFile(path, "utf8")).toBe(all);
});

test("an anchor that has waited for a backup for more than a day is reported, by the log and by doctor", async () => {
  writeFileSync(join(folder, "postgres.json"), "{}");
  const release = await holdAnchors(folder);
  const logged: string[] = [];
  const log = pino({ level: "error" }, { write: (line: string) => void logged.push(line) });
  const keeper = anchorFile(folder);
  const tryNow = () => anchorAudit({ ...ctx, log }, keeper);
  // To the full hour, which is when the log says it.
  app.clock.advance(24 * 3_600_000 - (ctx.now().getTime() % 3_600_000));
  expect([await tryNow(), logged, await checkAnchorsAge(ctx, keeper)]).toEqual([false, [], []]);
  app.clock.advance(48 * 3_600_000);
  expect([await tryNow(), logged.length]).toEqual([false, 1]);
  expect(await checkAnchorsAge(ctx, keeper)).toMatchObject([{ state: "note", message: expect.stringContaining("was last anchored on") }]);
  release();
  expect([await tryNow(), await checkAnchorsAge(ctx, keeper)]).toEqual([true, []]);
});
