import { mkdirSync, readdirSync, renameSync, rmdirSync } from "node:fs";
import { expect, it } from "vitest";
import { walWorld } from "#test/support/backups/wal-world.ts";
import { ordersIn } from "#test/support/programs/stopped-app.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { readBackupState } from "../state/backup-state.ts";

const { at, backUp, backups, copyToBucket, dataDir, open, pieces, restore, takeKeys } = await walWorld();
const store = await copyToBucket();

it("write-ahead log isn't written to the empty mount point of a disk that is away; once it's back, all of it is there and in the bucket", async () => {
  const before = await open(dataDir, { BACKUP_WAL: "on" });
  const backup = await backUp();
  store.refused = "wal/";
  const ids = [(await before.order()).id];
  await before.close();
  const lacking = () => pieces().filter((path) => !store.objects.has(path.slice(backups.length + 1)));
  expect(lacking()).not.toEqual([]);
  renameSync(backups, at("disk"));
  mkdirSync(backups);
  store.refused = null;

  const after = await open(dataDir, { BACKUP_WAL: "on" });
  ids.push((await after.order()).id);
  const reason = () => readBackupState(dataDir).wal_unwritten?.reason;
  await eventually("it is tried", () => reason() !== undefined || readdirSync(backups).length > 0);
  expect([readdirSync(backups), reason()]).toEqual([[], expect.stringContaining("If its disk isn't mounted, mount it.")]);

  rmdirSync(backups);
  renameSync(at("disk"), backups);
  await eventually("it is written", () => reason() === undefined);
  await eventually("the bucket has all of it", () => lacking().length === 0);
  await after.close();
  expect(await restore(backup, "restored", "--at", "latest")).toMatchObject({ code: 0 });
  expect(await ordersIn(takeKeys("restored"))).toEqual(ids);
});
