import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { testMasterKeys } from "#test/support/app/test-environment.ts";
import { withOldServer } from "#test/support/old-major/old-major.ts";
import { temporaryFolder } from "#test/support/programs/program.ts";
import { runHere } from "#test/support/programs/run-here.ts";
import { makeRoles, migrateAsOwner, usualRoles } from "../database-roles/index.ts";
import { migrationsFolder } from "../migrations.ts";
import { readManifest } from "./archive/manifest.ts";

const folder = temporaryFolder();
afterAll(folder.remove);

it("a backup of a running server of another major says so, and isn't restored with this one's programs", async () => {
  const dataDir = join(folder.path, "data");
  const run = (...command: string[]) => runHere({ dataDir, command, env: { MASTER_KEYS: testMasterKeys, DISK_RESERVE_MB: "32" } });
  let backup = "";
  await withOldServer(dataDir, async ({ url }) => {
    const { appUrl, ownerUrl, backupUrl } = await makeRoles(url);
    await migrateAsOwner({ ownerUrl, folder: migrationsFolder, app: usualRoles.app });
    const started_at = new Date().toISOString();
    const running = { pid: process.pid, started_at, address: null, database_url: appUrl, owner_url: ownerUrl, backup_url: backupUrl };
    writeFileSync(join(dataDir, "running.json"), JSON.stringify(running));
    const taken = await run("backup");
    expect(taken).toMatchObject({ code: 0 });
    backup = /Backed up to (\S+):/.exec(taken.output)?.[1] ?? "";
  });
  expect((await readManifest(backup)).postgres.major).toBe(17);
  expect(await run("restore", backup, "--into", join(folder.path, "restored"))).toMatchObject({
    code: 1,
    output: expect.stringContaining("was made by PostgreSQL 17, but this version includes 18."),
  });
});
