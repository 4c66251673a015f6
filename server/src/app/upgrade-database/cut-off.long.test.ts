import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { onServer } from "#test/support/database/postgres.ts";
import { oldDataFolders, upgradedNames } from "#test/support/old-major/old-homes.ts";
import { cutOffArguments, databasesIn, runCutOff, upgrade, withStarted } from "#test/support/old-major/old-major.ts";
import { commandOf, killNow } from "#test/support/programs/program.ts";
import { noSmallDisk, onSmallDisk } from "#test/support/programs/small-disk.ts";
import { upgradeSteps } from "./steps.ts";

const { folder, dataDir, newFolder } = await oldDataFolders();

async function requireServing(dataDir: string): Promise<void> {
  await withStarted(dataDir, async ({ ownerUrl }) => {
    const { rows } = await onServer(ownerUrl, (admin) => admin.query("select count(*)::int as transfers from ledger_transfers"));
    expect(rows[0]?.transfers).toBeGreaterThan(0);
  });
}

/** Servers of a data folder that a killed program left running. */
function serversOf(dataDir: string): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => /postgres\0-D\0/.test(commandOf(pid)) && commandOf(pid).includes(dataDir));
}

describe("killed", () => {
  const moments = upgradeSteps.map((step) => ({ step, what: "killed" }));
  const powerCuts = (["new runs", "copying", "copied", "migrated", "checked"] as const).map((step) => ({
    step,
    what: "killed with its servers",
  }));

  test.each([...moments, ...powerCuts])(
    "$what at the step $step, a start refuses with an explanation, and another run succeeds",
    async ({ step, what }) => {
      const dataDir = newFolder();
      expect(await once(runCutOff(dataDir, step), "exit")).toEqual([null, "SIGKILL"]);
      const servers = serversOf(dataDir);
      if (what !== "killed") {
        expect(servers).toHaveLength(2);
        servers.forEach(killNow);
      }
      const start = withStarted(dataDir, async () => "started");
      if (step === "in place") expect(await start).toBe("started");
      else await expect(start).rejects.toThrow(/npm run tillpost -- upgrade-database/);
      await upgrade(dataDir);
      expect(databasesIn(dataDir)).toMatchObject(upgradedNames);
      await requireServing(dataDir);
      rmSync(dataDir, { recursive: true });
    },
  );

  test("at any moment, twenty times, with no start between", async () => {
    const dataDir = newFolder();
    const ends: unknown[] = [];
    for (let round = 0; round < 20; round += 1) {
      const child = runCutOff(dataDir, "never");
      const ended = once(child, "exit");
      await once(child.stdout, "data");
      // Spread over the whole upgrade, which takes some five seconds.
      await Promise.race([ended, sleep(round * 300 + 37)]);
      child.kill("SIGKILL");
      ends.push((await ended)[1]);
      expect([17, 18, null]).toContain(databasesIn(dataDir).major);
    }
    await upgrade(dataDir);
    expect(databasesIn(dataDir)).toMatchObject(upgradedNames);
    await requireServing(dataDir);
    console.info(`${ends.filter((signal) => signal === "SIGKILL").length} of 20 were killed`);
    rmSync(dataDir, { recursive: true });
  });
});

test("what a power cut left of a socket, under the id of a process that is now alive, is ignored", async () => {
  const dataDir = newFolder();
  const socket = join(databasesIn(dataDir).folder, "socket");
  const { uid, gid } = statSync(socket);
  const living = spawn("sleep", ["600"], { ...(process.getuid?.() === 0 ? { uid, gid } : {}), stdio: "ignore" });
  try {
    for (const port of [5433, 5434]) writeFileSync(join(socket, `.s.PGSQL.${port}.lock`), `${living.pid}\n`);
    await upgrade(dataDir);
  } finally {
    living.kill("SIGKILL");
  }
  rmSync(dataDir, { recursive: true });
});

const isRoot = process.getuid?.() === 0;
const title = "what was cut off between the two renames is finished for a database of another user than root would choose";
const asRoot = async () => {
  const dataDir = newFolder();
  execFileSync("chown", ["-R", "65534:65534", dataDir]);
  chmodSync(folder.path, 0o755);
  expect(await once(runCutOff(dataDir, "old aside"), "exit")).toEqual([null, "SIGKILL"]);
  await expect(withStarted(dataDir, async () => {})).rejects.toThrow("interrupted at its last step");
  await upgrade(dataDir);
  expect(databasesIn(dataDir)).toMatchObject(upgradedNames);
  expect(statSync(join(dataDir, "postgres")).uid).toBe(65534);
  await requireServing(dataDir);
  rmSync(dataDir, { recursive: true });
};
if (isRoot) test(title, asRoot);

/** Gives the upgrade more and more room next to the data, until it completes. */
const script = `
  cp -a "$1" "$2/data"
  for room in 10 25 40 55 70 85 100 115 130 145 160 175 190 205 220; do
    free=$(df -m --output=avail "$2" | tail -n 1)
    head -c $((free - room))M /dev/zero > "$2/filler"
    echo "with $room MB:"
    if "$3" $4 2>&1; then rm "$2/filler"; ls "$2/data"; exit 0; fi
    rm "$2/filler"
    ls "$2/data" | grep "^postgres" | tr "\\n" " "
    echo
  done
  exit 1`;

const why = noSmallDisk();
const fullTitle = "a disk that runs full on the way leaves the old database as it was, wherever that happens";
const onFullDisk = async () => {
  const disk = join(folder.path, "disk");
  mkdirSync(disk, { mode: 0o711 });
  const upgrading = [process.execPath, ...cutOffArguments(join(disk, "data"), "full")];
  const child = onSmallDisk({ size: "500m", folder: disk }, ["sh", "-c", script, "sh", dataDir, disk, "env", upgrading.join(" ")]);
  let output = "";
  child.stdout.on("data", (part) => (output += part));
  const [code] = await once(child, "exit");
  console.info(output);
  expect(code, output).toBe(0);
  const rounds = output.split(/^with \d+ MB:/m).slice(1);
  expect(rounds.length).toBeGreaterThan(3);
  for (const round of rounds.slice(0, -1)) {
    expect(round).toMatch(/The disk ran full: |No space left on device/);
    expect(round).toContain("Nothing was changed: the database of PostgreSQL 17 is as it was, and the copy was removed.");
    expect(round).toMatch(/^postgres postgres.json postgres.log $/m);
  }
  expect(rounds.at(-1)).toContain("postgres-17-kept");
};
if (why === null) test(fullTitle, onFullDisk);
else test(`${fullTitle} (not tried on this machine: ${why})`, () => expect(why).not.toBe(""));
