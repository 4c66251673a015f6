import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { processEnvironment } from "#app/config.ts";
import { processesIn } from "./processes.ts";
import { compileCache } from "./program.ts";

/**
 * Run once before the tests: a temporary folder of this run's own, in which every program that a test starts has its files. However the run ends (in order,
 * by Ctrl-C or by a kill), a keeper ends the programs that are left and deletes the folder; a run that ends in order and leaves programs behind fails.
 */
export default async function setUp(): Promise<() => Promise<void>> {
  const environment = processEnvironment();
  const before = environment["TMPDIR"];
  const folder = mkdtempSync(join(tmpdir(), "tillpost-run-"));
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
    if (left.length > 0) throw new Error(`these processes outlived their tests:\n${left.map(({ pid, command }) => `${pid} ${command}`).join("\n")}`);
  };
}
