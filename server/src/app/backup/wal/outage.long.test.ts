import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ownMerchantId } from "#platform/index.ts";
import { walWorld } from "#test/support/backups/wal-world.ts";
import { listNotices } from "#test/support/mail/notices.sql.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { checkBackups } from "../../doctor/backup-checks.ts";
import { readBackupState, writeBackupState } from "../state/backup-state.ts";
import { findBackupHealth } from "../state/find-health.ts";

const { backups, dataDir, open } = await walWorld();

it("write-ahead log that can't be written next to the backups is reported once that has lasted, and a backup is complete all the same", async () => {
  const place = join(backups, "wal");
  mkdirSync(backups, { recursive: true });
  // A file instead of the folder, which no user may write to, root included.
  writeFileSync(place, "");
  const one = await open(dataDir, { BACKUP_WAL: "on" });
  const { ctx, settings } = one.runtime;
  const unwritten = () => readBackupState(dataDir).wal_unwritten;
  const faults = () => checkBackups(settings, ctx.now()).filter(({ state }) => state === "fault");
  await eventually("it is recorded", () => unwritten() !== undefined);
  expect(faults()).toEqual([]);
  expect(existsSync(await one.backUp())).toBe(true);

  const longAgo = "2026-01-01T00:00:00.000Z";
  await writeBackupState(dataDir, { wal_unwritten: { at: longAgo, reason: "no folder" } });
  expect(faults()).toMatchObject([{ message: expect.stringContaining(`hasn't been copied to ${backups} since ${longAgo}`) }]);
  expect(findBackupHealth(one.runtime).backup_failure).toContain("can't be copied to the backups: ");
  await eventually("the operators are notified", () => readBackupState(dataDir).told !== undefined);
  expect(await listNotices(ctx.db, "backup_missing")).toMatchObject([{ recipient: ownMerchantId }]);

  rmSync(place);
  await eventually("it is written", () => unwritten() === undefined);
  expect(faults()).toEqual([]);
  await one.close();
});
