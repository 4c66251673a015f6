import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bucketWorld } from "#test/support/backups/bucket-world.ts";
import { ordersIn } from "#test/support/programs/stopped-app.ts";
import { readBackupState } from "../state/backup-state.ts";

const world = await bucketWorld();
const { store, dataDir, restore, run, there, backupNames, nightUntil } = world;

describe("backups", () => {
  it("that can't be copied to the bucket are reported, and are copied later without a new backup", async () => {
    store.isAway = true;
    expect(await run(["backup"])).toMatchObject({
      code: 1,
      output: expect.stringContaining("Not all backups could be copied to the bucket backups"),
    });
    expect([backupNames().length, readBackupState(dataDir).uncopied]).toEqual([1, true]);
    store.isAway = false;
    await nightUntil("it is copied", () => readBackupState(dataDir).taken !== undefined && readBackupState(dataDir).uncopied === undefined);
    const [name = ""] = backupNames();
    expect(there("2").sort()).toEqual(
      ["SHA256SUMS", "database.tar.zst", "folder.tar.zst", "manifest.json"].map((file) => `${name}/${file}`),
    );
    expect(await run(["backup", "--copy"])).toMatchObject({ code: 0, output: "Copied to the bucket backups: 0 files.\n" });
  });

  it("and the write-ahead log bring everything back when the machine is lost, and name the master keys that it needs", async () => {
    const order = await world.lose();
    expect(there("wal/").length).toBeGreaterThan(0);
    expect(await restore("bucket:2020-01-01T00-00-00.000Z")).toMatchObject({
      code: 1,
      output: expect.stringContaining("has no backup 2020-01-01"),
    });
    // From before the keys were replaced.
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(join(dataDir, "master-keys"), `2:${"b6".repeat(32)}\n`, { mode: 0o600 });
    const { code, output } = await restore("bucket:latest", "--at", "latest");
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining(`Restored into ${dataDir}`) });
    expect(output).toMatch(/Add the master keys that \S+master-keys lacks: 1 \(\S{16}\)\. Tillpost doesn't start without them/);
    copyFileSync(world.at("master-keys"), join(dataDir, "master-keys"));
    expect(await ordersIn(dataDir)).toEqual([order]);
  });
});
