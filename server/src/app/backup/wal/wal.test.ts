import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";
import { walWorld } from "#test/support/backups/wal-world.ts";

const world = await walWorld();
const { at, dataDir, pieces, restore } = world;
let backup: string;

beforeAll(async () => {
  const installation = await world.open(dataDir, { BACKUP_WAL: "on" });
  backup = await installation.backUp();
  await installation.order();
  await world.shipped();
  await installation.close();
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
