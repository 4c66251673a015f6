import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { liveAcrossKill } from "#test/support/backups/across-kill.ts";
import { makeTarget } from "#test/support/backups/restore-targets.ts";
import { walWorld } from "#test/support/backups/wal-world.ts";
import { databaseFolder, killAll, type Program, startProgram } from "#test/support/programs/program.ts";
import { ordersIn } from "#test/support/programs/stopped-app.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { readBackupState } from "../state/backup-state.ts";

const world = await walWorld();
const { at, dataDir, env, restore, takeKeys, verify } = world;
const store = await world.copyToBucket();
const started: Program[] = [];
let lived: Awaited<ReturnType<typeof liveAcrossKill>>;
const how = () => ["--identity", at("backup-key"), "--at", lived.until];

beforeAll(async () => {
  lived = await liveAcrossKill(world);
});

afterAll(() => killAll(started));

/** Starts a command and kills it at a stage. Returns its output until then. */
async function killedAt(
  stage: () => boolean,
  given: { dataDir: string; command: string[]; env?: Record<string, string> },
): Promise<string> {
  const program = await startProgram({ ...given, env: { ...env, ...given.env } });
  started.push(program);
  await eventually(
    () => `the stage is reached:\n${program.output}`,
    () => stage() || program.hasEnded,
  );
  program.kill("SIGKILL");
  await program.ended;
  return program.output;
}

/** Whether the database that is being restored into a folder has this. */
function hasData(into: string, data: RegExp, ...path: string[]): boolean {
  if (!existsSync(join(into, "postgres.json"))) return false;
  const folder = databaseFolder(into);
  return readdirSync(folder).some((name) => data.test(name) && existsSync(join(folder, name, ...path)));
}

const half = /^postgres\.unfinished-/;
const whole = /^postgres$/;
type Stage = [name: string, isReached: (into: string) => boolean];
const stages: Stage[] = [
  ["unpacked", (into) => hasData(into, half)],
  ["given its write-ahead log", (into) => hasData(into, half, "pg_wal")],
  ["about to recover", (into) => hasData(into, whole, "recovery.signal")],
  ["recovering", (into) => hasData(into, whole, "postmaster.pid")],
];
const audited: Stage = ["audited", (into) => !existsSync(join(into, "restore.unfinished")) && hasData(into, whole, "postmaster.pid")];

describe("a backup of a running installation", () => {
  const into = at("restored");
  /** Where only the user who runs the server can read it. */
  const keyInside = join(into, "backup-key.txt");
  const command = () => ["restore", lived.backup, "--into", into, "--identity", keyInside];

  it("leaves a folder that serve refuses, with the master keys that were there, if its restore is killed", async () => {
    await makeTarget(into, lived.backup);
    takeKeys("restored");
    copyFileSync(at("backup-key"), keyInside);
    await killedAt(() => hasData(into, half), { dataDir: into, command: command() });
    await expect(ordersIn(into), "its start").rejects.toThrow("was being restored from");
    for (const refused of ["doctor", "backup"])
      expect(await world.run([refused], { dataDir: into })).toMatchObject({
        code: 1,
        output: expect.stringContaining("was being restored from"),
      });
    // It fails if they are gone. The next test begins without them.
    rmSync(join(into, "master-keys"));
  });

  it("is restored there by the same command, with what else was there", async () => {
    expect(await world.run(command(), { dataDir: into })).toMatchObject({
      code: 0,
      output: expect.stringContaining(`Put the master keys into ${join(into, "master-keys")}`),
    });
    expect([existsSync(join(into, "lost+found")), Object.keys(readBackupState(into))]).toEqual([true, ["verified"]]);
    expect(readFileSync(keyInside, "utf8"), "the private key stays").toBe(readFileSync(at("backup-key"), "utf8"));
    await expect(ordersIn(into), "its start").rejects.toThrow("has a database but no master-keys file");
    expect(await ordersIn(takeKeys("restored")), "all came after the backup").toEqual([]);
  });
});

it.each(stages)("a restore to a time that is killed while its database is %s is finished by the same command", async (name, isReached) => {
  const { backup, until, ids } = lived;
  const into = `killed-${name.replaceAll(" ", "-")}`;
  const command = ["restore", backup, "--into", at(into), ...how()];
  const output = await killedAt(() => isReached(at(into)), { dataDir: at(into), command });
  expect(output).not.toContain("Restored into");
  await expect(ordersIn(at(into)), "its start").rejects.toThrow("was being restored from");
  expect(await restore(backup, into, "--at", until)).toMatchObject({ code: 0 });
  expect(await ordersIn(takeKeys(into))).toEqual(ids);
});

it.each([...stages, audited])("a verification killed while its copy is %s doesn't disturb the next one", async (_name, isReached) => {
  const { backup, until, ids } = lived;
  const copy = join(dataDir, "verify");
  await killedAt(() => isReached(copy), { dataDir, command: ["restore", "--verify", backup, ...how()] });
  expect(existsSync(copy)).toBe(true);
  expect(await verify(backup, "--at", until)).toMatchObject({ code: 0, output: expect.stringContaining("This backup restores.") });
  expect(existsSync(copy)).toBe(false);
  expect(await ordersIn(dataDir)).toEqual(expect.arrayContaining(ids));
});

it("a restore from a bucket that is killed while it fetches is finished by the same command", async () => {
  const into = at("from-bucket");
  const command = ["restore", `bucket:${basename(lived.backup)}`, "--into", into, ...how()];
  const own = { BACKUP_DIR: at("fetched") };
  // While it fetches the first of a backup's four files, the third, and the write-ahead log.
  for (const served of [0, 2, 4]) {
    Object.assign(store, { serves: served, isHeld: false });
    await killedAt(() => store.isHeld, { dataDir: into, command, env: own });
    expect([store.isHeld, existsSync(join(into, "postgres.json"))]).toEqual([true, false]);
  }
  store.serves = null;
  expect(await world.run(command, { env: own })).toMatchObject({ code: 0 });
  expect(readdirSync(at("fetched")).filter((name) => name.startsWith(".unfinished-"))).toEqual([]);
  expect(await ordersIn(takeKeys("from-bucket"))).toEqual(lived.ids);
});
