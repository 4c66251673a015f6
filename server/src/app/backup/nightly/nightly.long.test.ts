import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { nightlyWorld } from "#test/support/backups/nightly-world.ts";
import { runHere } from "#test/support/programs/run-here.ts";
import { readBackupState, writeBackupState } from "../state/backup-state.ts";

const { folder, dataDir, env, runtime, taken, backupNames, nightUntil } = await nightlyWorld();
const { ctx } = runtime;

beforeAll(async () => {
  expect(await runHere({ dataDir, command: ["backup"], env })).toMatchObject({ code: 0 });
});

it("a backup into another folder replaces none of these, and ends no failure", async () => {
  await writeBackupState(dataDir, { failed: { at: ctx.now().toISOString(), reason: "the disk was away" } });
  const before = readBackupState(dataDir);
  const command = ["backup", "--to", join(folder.path, "elsewhere")];
  expect(await runHere({ dataDir, command, env })).toMatchObject({ code: 0 });
  expect(readBackupState(dataDir)).toEqual(before);
  await writeBackupState(dataDir, { failed: undefined });
});

it("where it began in a database that was upgraded since, one is taken at once, and no second one", async () => {
  const before = taken()?.path;
  await writeBackupState(dataDir, { wal_began: { at: ctx.now().toISOString(), lsn: "FFFF/0" } });
  await nightUntil("one is taken", () => taken()?.path !== before && backupNames().length === 2);
  expect(readBackupState(dataDir).wal_began).toBeUndefined();
});
