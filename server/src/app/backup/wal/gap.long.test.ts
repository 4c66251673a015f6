import { existsSync } from "node:fs";
import { basename } from "node:path";
import { expect, it } from "vitest";
import { ownMerchantId } from "#platform/index.ts";
import { type Opened, walWorld } from "#test/support/backups/wal-world.ts";
import { listNotices } from "#test/support/mail/notices.sql.ts";
import { programEnvironment } from "#test/support/programs/program.ts";
import { ordersIn } from "#test/support/programs/stopped-app.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { startNightly } from "../nightly/index.ts";
import { readBackupState } from "../state/backup-state.ts";

const { at, began, copyToBucket, dataDir, env, open, restore, run, shipped, takeKeys } = await walWorld();
await copyToBucket();

/** Runs the nightly backup, whatever the hour is, until one was taken. Returns its path. */
async function takenAtOnce({ runtime }: Opened): Promise<string> {
  const before = readBackupState(dataDir).taken?.at;
  const own = programEnvironment({ dataDir, port: runtime.settings.PORT, env });
  const nightly = startNightly(runtime, { everyMs: 20, env: own });
  await eventually("a backup is taken", () => readBackupState(dataDir).taken?.at !== before);
  await nightly.stop();
  return readBackupState(dataDir).taken?.path ?? "";
}

const ids: string[] = [];
let [first, second] = ["", ""];

it("a backup is taken at once where copying begins, and again after a gap, which is reported as a failed backup until then", async () => {
  const before = await open(dataDir, { BACKUP_WAL: "on" });
  await began();
  expect(readBackupState(dataDir).failed).toBeUndefined();
  first = await takenAtOnce(before);
  expect(readBackupState(dataDir).wal_began).toBeUndefined();
  ids.push((await before.order()).id);
  await shipped();
  await before.close();
  const without = await open(dataDir, { BACKUP_WAL: "off" });
  ids.push((await without.order()).id);
  await without.close();

  const after = await open(dataDir, { BACKUP_WAL: "on" });
  await began();
  await eventually("the gap is reported", () => readBackupState(dataDir).told !== undefined);
  expect(readBackupState(dataDir).failed?.reason).toContain("Part of the write-ahead log wasn't copied");
  const notices = await listNotices(after.runtime.ctx.db, "backup_missing");
  expect(notices).toMatchObject([{ recipient: ownMerchantId }]);
  second = await takenAtOnce(after);
  expect([readBackupState(dataDir).failed, readBackupState(dataDir).wal_began]).toEqual([undefined, undefined]);
  ids.push((await after.order()).id);
  await after.close();
});

it("to the end of a write-ahead log with a gap an earlier backup isn't restored, but up to the gap on request", async () => {
  const refused = await restore(first, "never", "--at", "latest");
  expect(refused).toMatchObject({ code: 1, output: expect.stringContaining("Part of the write-ahead log is missing") });
  expect([refused.output.includes("--at gap"), existsSync(at("never"))]).toEqual([true, false]);
  expect(await restore(first, "up-to-the-gap", "--at", "gap")).toMatchObject({ code: 0 });
  expect(await ordersIn(takeKeys("up-to-the-gap"))).toEqual(ids.slice(0, 1));
  expect(await restore(second, "never", "--at", "gap")).toMatchObject({ code: 1, output: expect.stringContaining("has no gap") });
});

it("a restore from the bucket finds the gap before it fetches the write-ahead log, and reaches the end from the later backup", async () => {
  expect(await run(["backup", "--copy"])).toMatchObject({ code: 0 });
  const from = (backup: string, ...how: string[]) =>
    run(["restore", `bucket:${basename(backup)}`, "--identity", at("backup-key"), "--into", at("fetched"), ...how], {
      env: { BACKUP_DIR: at("other-backups") },
    });
  expect(await from(first, "--at", "latest")).toMatchObject({
    code: 1,
    output: expect.stringContaining("is missing in the bucket backups"),
  });
  expect(existsSync(at("other-backups/wal"))).toBe(false);
  const fetched = await from(second, "--at", "latest");
  expect(fetched).toMatchObject({ code: 0, output: expect.stringMatching(/at the end of the write-ahead log .*: the last change/) });
  expect(await ordersIn(takeKeys("fetched"))).toEqual(ids);
});
