import { existsSync } from "node:fs";
import { basename } from "node:path";
import { expect, it } from "vitest";
import { ownMerchantId } from "#platform/index.ts";
import { walWorld } from "#test/support/backups/wal-world.ts";
import { listNotices } from "#test/support/mail/notices.sql.ts";
import { s3Store } from "#test/support/network/s3-store.ts";
import { type Program, programEnvironment } from "#test/support/programs/program.ts";
import { ordersIn } from "#test/support/programs/stopped-app.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { readSettings } from "../../config.ts";
import { createRuntime, makeLog, type Runtime } from "../../runtime/index.ts";
import { startNightly } from "../nightly/index.ts";
import { readBackupState } from "../state/backup-state.ts";

const { at, dataDir, env, order, restore, run, serve, takeKeys, ...world } = await walWorld();
const store = await s3Store();
Object.assign(env, {
  BACKUP_S3_ENDPOINT: store.endpoint,
  BACKUP_S3_BUCKET: "backups",
  BACKUP_S3_ACCESS_KEY_ID: "a",
  BACKUP_S3_SECRET_ACCESS_KEY: "b",
});

async function alongside<T>(server: Program, work: (runtime: Runtime, own: Record<string, string>) => Promise<T>): Promise<T> {
  const own = programEnvironment({ dataDir, port: server.port, env });
  const runtime = await createRuntime(readSettings(own), { log: makeLog({ level: "silent", pretty: false }), share: true });
  return work(runtime, own).finally(() => runtime.close());
}

/** Runs the nightly backup, whatever the hour is, until one was taken. Returns its path. */
function takenAtOnce(server: Program): Promise<string> {
  return alongside(server, async (runtime, own) => {
    const before = readBackupState(dataDir).taken?.at;
    const nightly = startNightly(runtime, { everyMs: 20, env: own });
    await eventually("a backup is taken", () => readBackupState(dataDir).taken?.at !== before);
    await nightly.stop();
    return readBackupState(dataDir).taken?.path ?? "";
  });
}

const shipped = () => eventually("the write-ahead log is shipped", () => world.pieces().length > 0, { everyMs: 50 });
const began = () => eventually("a beginning is recorded", () => readBackupState(dataDir).wal_began !== undefined);

/** Restores the given orders' state to look at them. */
async function ordersOf(backup: string, into: string, until: string): Promise<string[]> {
  expect(await restore(backup, into, "--at", until)).toMatchObject({ code: 0 });
  return await ordersIn(takeKeys(into));
}

const ids: string[] = [];
let [first, second] = ["", ""];

it("a backup is taken at once where copying begins, and again after a gap, which is reported as a failed backup until then", async () => {
  const before = await serve(dataDir, { BACKUP_WAL: "on" });
  await began();
  expect(readBackupState(dataDir).failed).toBeUndefined();
  first = await takenAtOnce(before);
  expect(readBackupState(dataDir).wal_began).toBeUndefined();
  ids.push((await order(before)).id);
  await shipped();
  expect((await before.stop()).code).toBe(0);
  const without = await serve(dataDir, { BACKUP_WAL: "off" });
  ids.push((await order(without)).id);
  expect((await without.stop()).code).toBe(0);

  const after = await serve(dataDir, { BACKUP_WAL: "on" });
  await began();
  await eventually("the gap is reported", () => readBackupState(dataDir).told !== undefined);
  expect(readBackupState(dataDir).failed?.reason).toContain("Part of the write-ahead log wasn't copied");
  expect(await world.metricsOf(after)).toMatch(/^tillpost_backup_failed 1$/m);
  const notices = await alongside(after, ({ ctx }) => listNotices(ctx.db, "backup_missing"));
  expect(notices).toMatchObject([{ recipient: ownMerchantId }]);
  second = await takenAtOnce(after);
  expect([readBackupState(dataDir).failed, readBackupState(dataDir).wal_began]).toEqual([undefined, undefined]);
  ids.push((await order(after)).id);
  expect((await after.stop()).code).toBe(0);
});

it("to the end of a write-ahead log with a gap an earlier backup isn't restored, but up to the gap on request", async () => {
  const refused = await restore(first, "never", "--at", "latest");
  expect(refused).toMatchObject({ code: 1, output: expect.stringContaining("Part of the write-ahead log is missing") });
  expect([refused.output.includes("--at gap"), existsSync(at("never"))]).toEqual([true, false]);
  expect(await ordersOf(first, "up-to-the-gap", "gap")).toEqual(ids.slice(0, 1));
  expect(await ordersOf(second, "latest", "latest")).toEqual(ids);
  expect(await restore(second, "never", "--at", "gap")).toMatchObject({ code: 1, output: expect.stringContaining("has no gap") });
});

it("a restore from the bucket finds the gap before it fetches the write-ahead log", async () => {
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
