import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { onServer } from "#test/support/database/postgres.ts";
import { temporaryFolder } from "#test/support/programs/program.ts";
import { runHere } from "#test/support/programs/run-here.ts";
import { startedFolder } from "#test/support/programs/started-folder.ts";
import { openHere } from "#test/support/programs/stopped-app.ts";
import { writeBackupState } from "../backup/state/backup-state.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());

it("doesn't count unchained audit rows as a fault if the installation is stopped, such as a restored one", async () => {
  const dataDir = await startedFolder(join(folder.path, "stopped"));
  const { output } = await runHere({ dataDir, command: ["doctor", "--audit"] });
  expect(output).toMatch(/ok +audit +every audit row is chained to the one before \([1-9]\d* rows? of [1-9]/);
});

it("reports a folder of backups that can't be read, and everything else", async () => {
  const dataDir = await startedFolder(join(folder.path, "unreadable"));
  const backups = join(folder.path, "backups");
  writeFileSync(backups, "");
  // What an editor or another program left.
  symlinkSync(join(folder.path, "nowhere"), join(dataDir, "link"));
  await writeBackupState(dataDir, { failed: { at: "2026-11-29T03:00:00.000Z", reason: "the disk was away" } });
  const { code, output } = await runHere({ dataDir, command: ["doctor"], env: { BACKUP_DIR: backups } });
  expect(code).toBe(1);
  expect(output).toMatch(/FAULT +backup +the backup at 2026-11-29T03:00:00.000Z failed: the disk was away/);
  expect(output).toMatch(/FAULT +backup +\S+backups, the folder of the backups, can't be read: ENOTDIR/);
  expect(output).toMatch(/ok +secrets +master key 1 encrypts and decrypts/);
  expect(output).toContain("2 problems found.");
});

it("reports a check that fails, and what the others find", async () => {
  const dataDir = await startedFolder(join(folder.path, "failing"));
  const runtime = await openHere(dataDir);
  await onServer(runtime.ownerUrl, (owner) => owner.query("alter table api_keys rename to other_keys")).finally(() => runtime.close());
  const { code, output } = await runHere({ dataDir, command: ["doctor", "--ledger"] });
  expect(code).toBe(1);
  expect(output).toMatch(/FAULT +keys +this couldn't be checked: .*api_keys/);
  expect(output).toMatch(/ok +audit +every balance is the sum of its transfers/);
});
