import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { walWorld } from "#test/support/backups/wal-world.ts";
import { ordersIn } from "#test/support/programs/stopped-app.ts";
import { eventually } from "#test/support/time/eventually.ts";

const { at, dataDir, order, pieces, restore, serve, takeKeys, ...world } = await walWorld();
let backup: string;

it("a backup and the write-ahead log since then restore to a chosen time, across a kill and a restart", async () => {
  const first = await serve(dataDir, { BACKUP_WAL: "on" });
  backup = await world.backUp();
  const before = await order(first);
  await eventually("the write-ahead log is shipped", () => pieces().length > 0, { everyMs: 50 });
  expect(await world.metricsOf(first)).toMatch(/^tillpost_backup_wal_behind_bytes \d/m);
  first.killEverything();
  await first.ended;
  const second = await world.open(dataDir, { BACKUP_WAL: "on" });
  const later = [await second.order()];
  let last = later[0];
  // The time between them is chosen to the millisecond.
  await eventually("an order of a later millisecond", async () => {
    last = await second.order();
    const isLater = last.created_at > (later[0]?.created_at ?? "");
    if (!isLater) later.push(last);
    return isLater;
  });
  await second.close();

  const verified = await world.verify(backup, "--at", String(last?.created_at));
  expect(verified).toMatchObject({ code: 0, output: expect.stringContaining("This backup restores.") });
  expect(verified.output).toMatch(/every audit row is chained to the one before \([1-9]/);
  expect(await restore(backup, "chosen", "--at", String(last?.created_at))).toMatchObject({
    code: 0,
    output: expect.stringContaining(`as it was at ${last?.created_at}`),
  });
  expect(await ordersIn(takeKeys("chosen"))).toEqual([before, ...later].map(({ id }) => id));
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
