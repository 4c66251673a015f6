import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ownMerchantId } from "#platform/index.ts";
import { bucketWorld } from "#test/support/backups/bucket-world.ts";
import { writeNewest } from "#test/support/backups/written-backup.ts";
import { listNotices } from "#test/support/mail/notices.sql.ts";
import { s3Store } from "#test/support/network/s3-store.ts";
import { temporaryFolder } from "#test/support/programs/program.ts";
import { runHere } from "#test/support/programs/run-here.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { checkBackups } from "../../doctor/backup-checks.ts";
import { measureBackups } from "../nightly/index.ts";
import { readBackupState, writeBackupState } from "../state/backup-state.ts";
import { findBackupHealth } from "../state/find-health.ts";
import { recordFailure } from "../state/record-failure.ts";
import { startCopying } from "../wal/copy-wal.ts";
import { noteOutage } from "../wal/note-outage.ts";
import { bucketOf } from "./bucket-of.ts";
import { openBucket } from "./open-bucket.ts";

const folder = temporaryFolder();
const at = (name: string) => join(folder.path, name);
const store = await s3Store();
afterAll(folder.remove);

describe("a file", () => {
  const small = 1_000;
  const credentials = { region: "us-east-1", accessKeyId: "a", secretAccessKey: "b", now: () => new Date("2026-11-20T08:00:00Z") };
  const bucket = openBucket({ ...credentials, endpoint: store.endpoint, bucket: "backups" }, small);

  it.each([0, 1, 999, 1_000, 1_001, 4_321])("of %i bytes is uploaded and downloaded in parts", async (bytes) => {
    const content = randomBytes(bytes);
    writeFileSync(at(`${bytes}`), content);
    await bucket.upload(`files/${bytes}`, at(`${bytes}`));
    expect(store.objects.get(`files/${bytes}`)?.equals(content)).toBe(true);
    const [object = { key: "", bytes: -1 }] = (await bucket.list("files/")).filter(({ key }) => key === `files/${bytes}`);
    await bucket.download(object, at(`${bytes}-again`));
    expect(readFileSync(at(`${bytes}-again`)).equals(content)).toBe(true);
  });

  it("is complete after a response breaks off, and isn't returned at all if it breaks off repeatedly", async () => {
    const object = { key: "files/4321", bytes: 4_321 };
    store.breaks = 2;
    await bucket.download(object, at("broken"));
    expect(readFileSync(at("broken")).equals(store.objects.get(object.key) ?? Buffer.alloc(0))).toBe(true);
    store.breaks = 3;
    await expect(bucket.download(object, at("lost"))).rejects.toThrow("the file store broke off");
    store.breaks = 0;
  });

  it("isn't stored if a part of it is refused, and no part remains", async () => {
    writeFileSync(at("large"), randomBytes(3_500));
    store.passes = 2;
    store.troubles = [403];
    await expect(bucket.upload("large", at("large"))).rejects.toThrow("the file store refuses with 403: AccessDenied");
    expect([store.objects.has("large"), store.uploads.size]).toEqual([false, 0]);
  });
});

describe("backups", async () => {
  const world = await bucketWorld();
  const { store, dataDir, env, run, runtime, there } = world;
  const longAgo = "2026-01-01T00:00:00.000Z";
  const piece = "00000001-0000000001000000-0000000002000000.wal.zst";

  beforeAll(async () => {
    await writeNewest(runtime);
    expect(await run(["backup", "--copy"])).toMatchObject({ code: 0, output: "Copied to the bucket backups: 3 files.\n" });
  });

  it("don't count as copied while the newest is neither in its folder nor in the bucket", async () => {
    const { path } = readBackupState(dataDir).taken ?? expect.fail("there is no backup");
    await writeBackupState(dataDir, { uncopied: true });
    // As if its disk weren't mounted.
    renameSync(path, world.at("away"));
    expect(await run(["backup", "--copy"])).toMatchObject({ code: 0 });
    expect(readBackupState(dataDir).uncopied).toBeUndefined();
    store.objects.delete(`${basename(path)}/SHA256SUMS`);
    await writeBackupState(dataDir, { uncopied: true });
    expect(await run(["backup", "--copy"])).toMatchObject({ code: 1, output: expect.stringContaining(`the newest, ${path}, isn't there`) });
    expect(readBackupState(dataDir).uncopied).toBe(true);
    renameSync(world.at("away"), path);
    expect(await run(["backup", "--copy"])).toMatchObject({ code: 0, output: "Copied to the bucket backups: 1 file.\n" });
    expect(readBackupState(dataDir).uncopied).toBeUndefined();
  });

  it("that are copied end the failure to copy them, and no other one", async () => {
    const at = runtime.ctx.now().toISOString();
    const reason = () => findBackupHealth(runtime).backup_failure;
    await writeBackupState(dataDir, { uncopied: true, failed: { at: longAgo, reason: "a gap" } });
    await recordFailure(runtime, { at, reason: "the store is away", copying: true });
    expect(await run(["backup", "--copy"])).toMatchObject({ code: 0 });
    expect([reason(), readBackupState(dataDir).uncopied]).toEqual(["a gap", undefined]);
    await writeBackupState(dataDir, { failed: undefined });
    await recordFailure(runtime, { at, reason: "the store is away", copying: true });
    expect(reason()).toBe("the store is away");
    expect(await run(["backup", "--copy"])).toMatchObject({ code: 0 });
    expect([reason(), readBackupState(dataDir).told]).toEqual([null, undefined]);
    // As earlier versions recorded it.
    const failed = { at, reason: "Not all backups could be copied to the bucket backups: the store is away. They are in /backups." };
    await writeBackupState(dataDir, { uncopied: true, failed });
    expect(reason()).toBe(failed.reason);
    expect(await run(["backup", "--copy"])).toMatchObject({ code: 0 });
    expect([reason(), readBackupState(dataDir).uncopied]).toEqual([null, undefined]);
  });

  it("aren't all: write-ahead log that the bucket refuses is reported once that has lasted, until it is copied", async () => {
    const { ctx, settings } = runtime;
    const registry = new Registry();
    measureBackups(registry, runtime);
    const bucket = (await bucketOf(settings)) ?? expect.fail("no bucket is set");
    const history = { system_id: "7000000000000000001" };
    mkdirSync(at("pieces"));
    writeFileSync(join(at("pieces"), piece), "");
    store.refused = "wal/";
    const copier = startCopying(bucket, { ...runtime, folder: at("pieces"), history, againMs: 20 });
    await eventually("it is recorded", () => readBackupState(dataDir).wal_uncopied !== undefined);
    const reports = () => [checkBackups(settings, ctx.now()).filter(({ state }) => state === "fault"), findBackupHealth(runtime)];
    expect(reports()).toMatchObject([[], { backup_failed_at: null }]);
    await writeBackupState(dataDir, { wal_uncopied: { at: longAgo, reason: "the file store refuses" } });
    const message = expect.stringContaining(`hasn't been copied to the bucket backups since ${longAgo}`);
    const backup_failure = "The write-ahead log can't be copied to the bucket backups: the file store refuses";
    expect(reports()).toMatchObject([[{ message }], { backup_failed_at: new Date(longAgo), backup_failure }]);
    expect(await registry.metrics()).toMatch(/^tillpost_backup_wal_uncopied_seconds [1-9]/m);
    await eventually("the operators are notified", () => readBackupState(dataDir).told !== undefined);
    expect((await listNotices(ctx.db, "backup_missing")).at(-1)).toMatchObject({ recipient: ownMerchantId });
    const outage = () => readBackupState(dataDir).wal_uncopied;
    await eventually("the reason is that of the latest attempt", () => outage()?.reason !== "the file store refuses");
    expect(outage()).toMatchObject({ at: longAgo });
    store.refused = null;
    await eventually("it is copied", () => readBackupState(dataDir).wal_uncopied === undefined);
    expect(readBackupState(dataDir).told, "the next trouble is notified, too").toMatchObject({ over: true });
    const hours = (count: number) => new Date(ctx.now().getTime() - count * 3_600_000).toISOString();
    for (const [at, isNotified] of [
      [hours(0.5), false],
      [hours(2), true],
    ] as const) {
      await writeBackupState(dataDir, { wal_uncopied: { at: longAgo, reason: "away" }, told: { at, over: true } });
      await noteOutage(runtime, "wal_uncopied", "away again");
      expect(readBackupState(dataDir).told?.over).toBe(isNotified ? undefined : true);
    }
    await writeBackupState(dataDir, { wal_uncopied: undefined });
    expect(store.objects.delete(`wal/${history.system_id}/${piece}`)).toBe(true);
    await copier.stop();
    expect([...reports(), await registry.metrics()]).toMatchObject([
      [],
      { backup_failed_at: null },
      expect.stringMatching(/^tillpost_backup_wal_uncopied_seconds 0$/m),
    ]);
  });

  it.each(["isAway", "refused"] as const)(
    "aren't all: write-ahead log that waits for the bucket (%s) is copied, also if its folder is away when the bucket is back",
    async (trouble) => {
      const bucket = (await bucketOf(runtime.settings)) ?? expect.fail("no bucket is set");
      const [stateDir, pieces] = [at(`state-${trouble}`), at(`pieces-${trouble}`)];
      for (const path of [stateDir, pieces]) mkdirSync(path);
      writeFileSync(join(pieces, piece), "");
      const history = { system_id: trouble === "isAway" ? "7000000000000000002" : "7000000000000000003" };
      const settings = { ...runtime.settings, TILLPOST_DATA_DIR: stateDir };
      Object.assign(store, trouble === "isAway" ? { isAway: true } : { refused: "wal/" });
      const copier = startCopying(bucket, { ...runtime, settings, folder: pieces, history, againMs: 20 });
      const reason = () => readBackupState(stateDir).wal_uncopied?.reason;
      const isFolderAway = () => reason()?.includes("ENOENT") === true;
      await eventually("the bucket's trouble is recorded", () => reason() !== undefined);
      renameSync(pieces, at("elsewhere"));
      // An attempt that opened the file just before would copy it once the bucket is back. (A bucket that is away hides the folder.)
      if (trouble === "refused") await eventually("no attempt finds the file any more", isFolderAway);
      Object.assign(store, { isAway: false, refused: null });
      await writeBackupState(stateDir, { wal_uncopied: { at: longAgo, reason: "an earlier attempt's" } });
      await eventually("the folder's is recorded", isFolderAway);
      renameSync(at("elsewhere"), pieces);
      await eventually("it is copied", () => reason() === undefined);
      expect(there(`wal/${history.system_id}/`)).toEqual([`wal/${history.system_id}/${piece}`]);
      await copier.stop();
    },
  );

  it("aren't fetched to be restored into a folder with something else in it", async () => {
    mkdirSync(at("full"));
    writeFileSync(at("full/notes.txt"), "");
    const none = { ...env, BACKUP_DIR: at("none") };
    expect(await runHere({ dataDir: at("full"), command: ["restore", "bucket:latest"], env: none })).toMatchObject({
      code: 1,
      output: expect.stringContaining("is not empty (notes.txt)"),
    });
    expect(existsSync(at("none"))).toBe(false);
  });
});
