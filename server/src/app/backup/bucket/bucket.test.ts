import { randomBytes } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { bucketWorld } from "#test/support/backups/bucket-world.ts";
import { s3Store } from "#test/support/network/s3-store.ts";
import { programEnvironment, temporaryFolder } from "#test/support/programs/program.ts";
import { runHere } from "#test/support/programs/run-here.ts";
import { ordersIn } from "#test/support/programs/stopped-app.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { startNightly } from "../nightly/index.ts";
import { readBackupState } from "../state/backup-state.ts";
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
  const { store, dataDir, backups, env, restore, run, runtime, there } = world;
  const backupNames = () => readdirSync(backups).filter((name) => name.startsWith("2"));

  it("that can't be copied to the bucket are reported, and are copied later without a new backup", async () => {
    store.isAway = true;
    expect(await run(["backup"])).toMatchObject({
      code: 1,
      output: expect.stringContaining("Not all backups could be copied to the bucket backups"),
    });
    expect([backupNames().length, readBackupState(dataDir).uncopied]).toEqual([1, true]);
    store.isAway = false;
    const own = programEnvironment({ dataDir, port: runtime.settings.PORT, env });
    const nightly = startNightly(runtime, { everyMs: 20, env: own });
    await eventually("it is copied", () => readBackupState(dataDir).taken !== undefined && readBackupState(dataDir).uncopied === undefined);
    await nightly.stop();
    const [name = ""] = backupNames();
    expect(there("2").sort()).toEqual(
      ["SHA256SUMS", "database.tar.zst", "folder.tar.zst", "manifest.json"].map((file) => `${name}/${file}`),
    );
    expect(await run(["backup", "--copy"])).toMatchObject({ code: 0, output: "Copied to the bucket backups: 0 files.\n" });
  });

  it("and the write-ahead log bring everything back when the machine is lost", async () => {
    const order = await world.lose();
    expect(there("wal/").length).toBeGreaterThan(0);
    expect(await restore("bucket:2020-01-01T00-00-00.000Z")).toMatchObject({
      code: 1,
      output: expect.stringContaining("has no backup 2020-01-01"),
    });
    expect(await restore("bucket:latest", "--at", "latest")).toMatchObject({
      code: 0,
      output: expect.stringContaining(`Restored into ${dataDir}`),
    });
    copyFileSync(world.at("master-keys"), join(dataDir, "master-keys"));
    expect(await ordersIn(dataDir)).toEqual([order]);
  });

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
