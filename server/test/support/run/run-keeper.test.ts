import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { processesIn } from "#test/support/programs/processes.ts";
import { eventually } from "#test/support/time/eventually.ts";

const keeperFile = fileURLToPath(new URL("run-keeper.ts", import.meta.url));
const forever = "setInterval(() => {}, 1e6);";
const ignoreSignals = `for (const signal of ["SIGTERM", "SIGINT", "SIGQUIT"]) process.on(signal, () => {}); ${forever}`;

/** As tests start programs: in their own group, so that no terminal's signal reaches them. */
function startIn(folder: string, code: string): ChildProcess {
  return spawn(process.execPath, ["-e", `${code} console.log("up")`], {
    stdio: ["ignore", "pipe", "ignore"],
    detached: true,
    env: { DATA: folder },
  });
}

test("however a test run ends, it leaves no programs or files of its tests behind, and touches no other's", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tillpost-run-"));
  const [other, elsewhere] = [mkdtempSync(join(tmpdir(), "other-")), mkdtempSync(join(tmpdir(), "elsewhere-"))];
  writeFileSync(join(folder, "postgres.json"), JSON.stringify({ folder: elsewhere }));
  const programs = [startIn(folder, forever), startIn(folder, ignoreSignals), startIn(elsewhere, ignoreSignals)];
  const stranger = startIn(other, forever);
  const ends = programs.map((program) => once(program, "exit"));
  onTestFinished(() => void stranger.kill("SIGKILL"));
  await Promise.all([...programs, stranger].map((program) => once(program.stdout ?? program, "data")));
  // The keeper's starter is killed: nothing runs in it any more, its pipe closes.
  const runner = `require("node:child_process").spawn(process.execPath, ${JSON.stringify([keeperFile, folder, "400"])}, { stdio: ["pipe", "ignore", "inherit"], detached: true }).once("spawn", () => process.kill(process.pid, "SIGKILL"));`;
  await once(spawn(process.execPath, ["-e", runner]), "exit");
  // The keeper's command line has the folder too, until it ends last.
  await eventually("all of it is gone", () => !existsSync(folder) && !existsSync(elsewhere) && processesIn(folder, elsewhere).length === 0);
  // The exit of an ended program may not have been reported yet.
  expect(await Promise.all(ends)).toEqual([
    [null, "SIGTERM"],
    [null, "SIGKILL"],
    [null, "SIGKILL"],
  ]);
  expect([stranger.exitCode, stranger.signalCode, existsSync(other)]).toEqual([null, null, true]);
});
