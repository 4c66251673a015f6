import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { ownMerchantId } from "#platform/index.ts";
import { walWorld } from "#test/support/backups/wal-world.ts";
import { listNotices } from "#test/support/mail/notices.sql.ts";
import { ordersIn } from "#test/support/programs/stopped-app.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { readBackupState } from "../state/backup-state.ts";

const { at, backUp, began, dataDir, open, restore, takeKeys } = await walWorld();
const ids: string[] = [];
let [first, second] = ["", ""];

it("a backup is wanted where copying begins, and again after a gap, which is reported as a failed backup until then", async () => {
  const before = await open(dataDir, { BACKUP_WAL: "on" });
  await began();
  expect(readBackupState(dataDir).failed).toBeUndefined();
  first = await backUp();
  expect(readBackupState(dataDir).wal_began).toBeUndefined();
  ids.push((await before.order()).id);
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
  second = await backUp();
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
