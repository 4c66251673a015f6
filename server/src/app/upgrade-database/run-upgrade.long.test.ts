import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { testMasterKeys } from "#test/support/app/test-environment.ts";
import { copyDataFolder, databasesIn, makeOldDataFolder, oldPrograms } from "#test/support/old-major/old-major.ts";
import { startProgram, temporaryFolder } from "#test/support/programs/program.ts";
import { readWritten } from "#test/support/upgrade/written.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());
const written = readWritten(new URL("../../../test/support/upgrade/written-by-10a5f56.json.gz", import.meta.url));
const env = { MASTER_KEYS: testMasterKeys };
const nobody = { uid: 65534, gid: 65534 };
type User = typeof nobody | undefined;

async function run(dataDir: string, user: User, ...command: string[]): Promise<{ code: number | null; output: string }> {
  const program = await startProgram({ dataDir, command, env, ...(user === undefined ? {} : { user }) });
  const { code } = await program.ended;
  return { code, output: program.output };
}

/** From the refused start to a working one. */
async function follow(dataDir: string, user?: User): Promise<void> {
  const refused = await run(dataDir, user, "serve");
  expect(refused).toMatchObject({ code: 1, output: expect.stringContaining("npm run tillpost -- upgrade-database") });
  const incomplete = await run(dataDir, user, "upgrade-database");
  expect(incomplete).toMatchObject({ code: 1, output: expect.stringContaining("--old-programs <folder>") });
  const upgraded = await run(dataDir, user, "upgrade-database", "--old-programs", oldPrograms);
  expect(upgraded.code, upgraded.output).toBe(0);
  expect(upgraded.output).toMatch(
    /Copying \d+ tables[\s\S]*Comparing [\d,]+ rows[\s\S]*Auditing[\s\S]*Done: the database now uses PostgreSQL 18/,
  );
  const server = await (await startProgram({ dataDir, env, ...(user === undefined ? {} : { user }) })).ready();
  const second = await run(dataDir, user, "upgrade-database");
  expect(second).toMatchObject({ code: 1, output: expect.stringContaining("is running on") });
  expect(await server.stop()).toMatchObject({ code: 0 });
  expect((await run(dataDir, user, "doctor", "--ledger", "--audit")).output).not.toContain("FAILED");
}

test("from the refused start to one that serves, as its message says", async () => {
  const dataDir = join(folder.path, "data");
  await makeOldDataFolder(dataDir, written);
  const other = copyDataFolder(dataDir, join(folder.path, "ordinary"));
  await follow(dataDir);
  if (process.getuid?.() !== 0) return;
  execFileSync("chown", ["-R", `${nobody.uid}:${nobody.gid}`, other]);
  chmodSync(folder.path, 0o755);
  await follow(other, nobody);
});

if (process.getuid?.() === 0)
  describe("if root's database is stored elsewhere", () => {
    test("it is upgraded there", async () => {
      const closed = join(folder.path, "closed");
      mkdirSync(closed, { mode: 0o700 });
      const dataDir = join(closed, "data");
      await makeOldDataFolder(dataDir, written);
      expect(databasesIn(dataDir).folder).toMatch(/^\/var\/lib\/tillpost-/);
      await follow(dataDir);
      expect(databasesIn(dataDir)).toMatchObject({ names: ["postgres", "postgres-17-kept", "postgres-17-kept.txt"], major: 18 });
    });
  });
