import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { processEnvironment } from "#app/config.ts";
import { processesIn } from "#test/support/programs/processes.ts";
import { compileCache } from "#test/support/programs/program.ts";

const memory = "/dev/shm";
/** The projects of which `npm test` and `npm run test:fast` consist. */
const short = ["unit", "web", "room", "browser", "faults", "product", "changed"];
const gigabyte = 2 ** 30;
const tmpfs = 0x1021994;

/**
 * Runs once before the tests: a temporary folder for this run, in which every program that a test starts has its files. However the run
 * ends (in order, by Ctrl-C or by a kill), a keeper ends the remaining programs and deletes the folder; a run that ends in order and leaves
 * programs behind fails.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const environment = processEnvironment();
  const before = environment["TMPDIR"];
  // The long tests write too much for memory.
  const parent =
    before === undefined && project.vitest.projects.every(({ name }) => short.includes(name)) && isRoomy(memory) ? memory : tmpdir();
  const folder = mkdtempSync(join(parent, "tillpost-run-"));
  // The database may run as another user.
  chmodSync(folder, 0o711);
  const keeper = spawn(process.execPath, [fileURLToPath(new URL("run-keeper.ts", import.meta.url)), folder], {
    stdio: ["pipe", "ignore", "inherit"],
    detached: true,
  });
  const ended = once(keeper, "exit");
  environment["TMPDIR"] = folder;
  // Programs that tests start compile what another one has compiled only once.
  environment["NODE_COMPILE_CACHE"] ??= compileCache;
  return async () => {
    if (before === undefined) delete environment["TMPDIR"];
    else environment["TMPDIR"] = before;
    const others = () => processesIn(folder).filter(({ pid, command }) => pid !== keeper.pid && !command.startsWith("vitest"));
    // What ends with its parent may be about to.
    for (let looks = 0; looks < 300 && others().length > 0; looks += 1) await sleep(100);
    const left = others();
    keeper.stdin.end();
    await ended;
    if (left.length > 0)
      throw new Error(`these processes outlived their tests:\n${left.map(({ pid, command }) => `${pid} ${command}`).join("\n")}`);
  };
}

/**
 * Whether a folder is in memory, has room for a run, and programs may be started from it. Each test file's database is seven hundred files:
 * creating them there takes a fortieth of the processor time of a disk's file system.
 */
function isRoomy(folder: string): boolean {
  try {
    const { type, bavail, bsize } = statfsSync(folder);
    const mount = readFileSync("/proc/mounts", "utf8")
      .split("\n")
      .findLast((line) => line.split(" ")[1] === folder);
    const options = mount?.split(" ")[3]?.split(",") ?? ["noexec"];
    return type === tmpfs && !options.includes("noexec") && bavail * bsize > 4 * gigabyte && process.availableMemory() > 8 * gigabyte;
  } catch {
    // Other systems have no such folder.
    return false;
  }
}
