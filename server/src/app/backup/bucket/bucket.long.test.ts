import { appendFileSync, copyFileSync, cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { bucketWorld } from "#test/support/backups/bucket-world.ts";
import { ordersIn } from "#test/support/programs/stopped-app.ts";

const { at, dataDir, lose, restore, run } = await bucketWorld();
let order: string;

it("a restore from the bucket that doesn't reach its time is started over with what is there, and removes no backup", async () => {
  expect(await run(["backup"])).toMatchObject({ code: 0 });
  order = await lose();
  expect(await restore("bucket:latest", "--at", "2999-01-01T00:00:00Z")).toMatchObject({
    code: 1,
    output: expect.stringContaining("doesn't reach 2999-01-01T00:00:00.000Z"),
  });
  const [name = ""] = readdirSync(join(dataDir, "backups")).filter((one) => one.startsWith("2"));
  const own = [join(dataDir, "backups", name), join(dataDir, "older", name)] as const;
  cpSync(own[0], own[1], { recursive: true });
  // It keeps master keys that are there.
  copyFileSync(at("master-keys"), join(dataDir, "master-keys"));
  expect(await restore(own[0], "--at", "latest")).toMatchObject({
    code: 0,
    output: expect.stringContaining(`Restored into ${dataDir}`),
  });
  for (const path of own) expect(readdirSync(path)).toContain("SHA256SUMS");
  expect(await ordersIn(dataDir)).toEqual([order]);
});

it("if the backup on this machine is damaged, the one in the bucket is restored", async () => {
  const backups = join(dataDir, "backups");
  const [name = ""] = readdirSync(backups).filter((one) => one.startsWith("2"));
  appendFileSync(join(backups, name, "database.tar.zst"), "more");
  expect(await restore("bucket:latest", "--at", "latest", "--into", at("again"))).toMatchObject({
    code: 0,
    output: expect.stringContaining(`The damaged one is now ${join(backups, `damaged-${name}`)}`),
  });
  copyFileSync(at("master-keys"), join(at("again"), "master-keys"));
  expect(await ordersIn(at("again"))).toEqual([order]);
});
