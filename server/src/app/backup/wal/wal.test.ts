import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { liveAcrossKill } from "#test/support/backups/across-kill.ts";
import { walWorld } from "#test/support/backups/wal-world.ts";
import { ordersIn } from "#test/support/programs/stopped-app.ts";

const world = await walWorld();
const { at, pieces, restore, takeKeys } = world;
let backup: string;

it("a backup and the write-ahead log since then restore to a chosen time, across a kill and a restart", async () => {
  const resumed = await liveAcrossKill(world);
  backup = resumed.backup;
  const restored = await restore(backup, "chosen", "--at", resumed.until);
  expect(restored).toMatchObject({ code: 0, output: expect.stringContaining(`as it was at ${resumed.until}`) });
  // It may be much older than that time: a clock that was ahead for a moment ends the restore early.
  const [, last = ""] = /: the last change in it is from (\S+Z)\.$/m.exec(restored.output) ?? [];
  expect([last >= resumed.lastBefore, last <= resumed.until], `the last change: ${last}`).toEqual([true, true]);
  expect(await ordersIn(takeKeys("chosen"))).toEqual(resumed.ids);
  const audited = await world.run(["doctor", "--ledger", "--audit"], { dataDir: at("chosen") });
  expect(audited.output).toMatch(/ok {5}audit +the anchors carry this audit log's seal \(1 day/);
  expect(audited.output).not.toContain("FAILED");
});

it("a disk without room for the write-ahead log is reported before anything is restored", async () => {
  const needed = async (...how: string[]) => {
    const command = ["restore", backup, "--into", at("never"), "--identity", at("backup-key"), ...how];
    const { code, output } = await world.run(command, { env: { DISK_RESERVE_MB: "1000000000" } });
    expect({ code, output }).toMatchObject({ code: 1, output: expect.stringContaining("are free") });
    return Number(/needs (\S+) MB/.exec(output)?.[1]);
  };
  // Placed, it takes whole segments, however little is in the last.
  expect((await needed("--at", "latest")) - (await needed())).toBeGreaterThanOrEqual(16.7);
  expect(readdirSync(at("never"))).toEqual(["lock"]);
  rmSync(at("never"), { recursive: true });
});

it("a time that can't be reached, and a damaged write-ahead log, are refused with an explanation", async () => {
  expect(await restore(backup, "never", "--at", "2020-01-01T00:00:00Z")).toMatchObject({
    code: 1,
    output: expect.stringContaining("Restore an earlier backup."),
  });
  expect(await restore(backup, "never", "--at", "tomorrow")).toMatchObject({
    code: 1,
    output: expect.stringContaining("--at takes a time with its time zone"),
  });
  const [damaged = ""] = pieces().slice(-1);
  const bytes = readFileSync(damaged);
  bytes[bytes.length - 20] = (bytes[bytes.length - 20] ?? 0) ^ 1;
  writeFileSync(damaged, bytes);
  expect(await restore(backup, "never", "--at", "latest")).toMatchObject({
    code: 1,
    output: expect.stringContaining(`${damaged} is damaged`),
  });
  expect(existsSync(at("never"))).toBe(false);
});
