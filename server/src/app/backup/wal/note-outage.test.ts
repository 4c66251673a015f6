import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "#test/support/programs/program.ts";
import { readBackupState, writeBackupState } from "../state/backup-state.ts";
import { noteCopied } from "./note-outage.ts";

const longAgo = { at: "2026-11-20T06:00:00.000Z", reason: "away" };

it.each([
  { what: "are notified again of the next outage", isNotified: true },
  { what: "aren't while the nightly backup fails", failed: longAgo, isNotified: false },
  { what: "aren't while the log can't be copied to the bucket either", wal_uncopied: longAgo, isNotified: false },
  { what: "are if no bucket is set any more", wal_uncopied: longAgo, bucket: null, isNotified: true },
])("once the log is written again, operators $what", async ({ bucket = "backups", isNotified, ...state }) => {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const settings = { TILLPOST_DATA_DIR: folder.path, BACKUP_S3_BUCKET: bucket };
  const { failed, wal_uncopied } = { failed: undefined, wal_uncopied: undefined, ...state };
  await writeBackupState(folder.path, { wal_unwritten: longAgo, told: { at: longAgo.at }, failed, wal_uncopied });
  await noteCopied({ settings }, "wal_unwritten");
  const after = readBackupState(folder.path);
  expect([after.wal_unwritten, after.told?.over === true]).toEqual([undefined, isNotified]);
});
