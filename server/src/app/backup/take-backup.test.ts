import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { anchorAudit, beginAnchors } from "#audit/index.ts";
import { openDatabase } from "#platform/index.ts";
import { copiedWorld } from "#test/support/backups/copied-world.ts";
import { writeBackup } from "#test/support/backups/written-backup.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { runHere } from "#test/support/programs/run-here.ts";
import { holdAnchors } from "../runtime/index.ts";
import { takeBackup } from "./take-backup.ts";

const { dataDir, backups, env, runtime, anchors, duringCopy } = await copiedWorld();
const { ctx } = runtime;

it("write-ahead log stays, and that is reported, if a backup that may need it can't be read at the moment", async () => {
  const wal = join(backups, "wal", "7000000000000000001");
  mkdirSync(wal, { recursive: true });
  writeFileSync(join(wal, "00000001-0000000001000000-0000000002000000.wal.zst"), "");
  const written = writeBackup(backups, "2026-01-01T03-00-00.000Z");
  onTestFinished(() => [written, wal].forEach((path) => rmSync(path, { recursive: true })));
  rmSync(join(written, "manifest.json"));
  // A folder instead of the file: it can't be read, by no user.
  mkdirSync(join(written, "manifest.json"));
  expect((await takeBackup(runtime, backups)).leftovers).toEqual([expect.stringContaining("manifest.json can't be read: EISDIR")]);
  expect(readdirSync(wal)).toHaveLength(1);
});

it("anchors aren't restarted while the database is copied either", async () => {
  await anchorAudit(ctx, anchors);
  const before = await anchors.list();
  const [release, releaseOther] = [await holdAnchors(dataDir), await holdAnchors(dataDir)];
  release();
  expect(await beginAnchors(ctx, anchors, "A test")).toBeNull();
  expect(await runHere({ dataDir, command: ["doctor", "--begin-anchors", "A test"], env })).toMatchObject({
    code: 1,
    output: expect.stringContaining("the anchors weren't restarted: a backup is being taken"),
  });
  releaseOther();
  expect(await anchors.list()).toEqual(before);
  expect(await beginAnchors(ctx, anchors, "A test")).toEqual({ aside: expect.stringContaining("audit-anchors.until-") });
});

it("a copy whose connection the database ends says why that probably was, and what to do", async () => {
  const other = openDatabase({ url: runtime.backupUrl ?? "", max: 1 });
  onTestFinished(() => other.close());
  const end = "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tillpost-backup'";
  const refusal = await duringCopy(async () => void (await runStatement(other.db, end))).catch((error: Error) => error.message);
  expect(refusal).toMatch(/^The copy of the database was cut off \(.+\): Tillpost was stopped, or more than 2 GB was written/);
  expect(readdirSync(backups).filter((name) => name.startsWith("."))).toEqual([]);
});
