import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildDashboard } from "#test/support/dashboard/dashboard.ts";
import { freePort } from "#test/support/network/free-port.ts";
import { databaseProcesses, killNow, Program, temporaryFolder } from "#test/support/programs/program.ts";
import { processEnvironment } from "../config.ts";

/** As in a container: the program is process 1 of its own namespace, where no signal has its default effect. Needs root and util-linux. */
const folder = temporaryFolder();
const dataDir = join(folder.path, "data");
const repository = fileURLToPath(new URL("../../../../", import.meta.url));
const started: Program[] = [];

beforeAll(buildDashboard);
afterAll(() => {
  for (const program of started) program.kill("SIGKILL");
  if (existsSync(join(dataDir, "postgres.json"))) databaseProcesses(dataDir).forEach(killNow);
  folder.remove();
});

async function startAsFirst(command: string[]): Promise<Program> {
  const port = await freePort();
  const PATH = `${dirname(process.execPath)}${delimiter}${processEnvironment()["PATH"] ?? ""}`;
  const env = { PATH, HOME: folder.path, TILLPOST_DATA_DIR: dataDir, PORT: String(port), TILLPOST_NO_INSTALL: "1" };
  const child = spawn("/usr/bin/unshare", ["--pid", "--fork", "--mount-proc", "--kill-child", ...command], {
    ...{ cwd: repository, env, detached: true },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const program = new Program(child, port, dataDir);
  started.push(program);
  return program;
}

/** The process that is the first one of the namespace, by its id out here. */
function firstOf({ pid }: Program): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")[0]);
}

it.each([
  ["npm start", ["npm", "start"]],
  ["the start script", [process.execPath, "scripts/start.mjs", "serve"]],
  ["the server itself", [process.execPath, "server/src/main.ts", "serve"]],
])("%s as process 1 ends in order at SIGTERM", async (_what, command) => {
  const program = await (await startAsFirst(command)).ready();
  process.kill(firstOf(program), "SIGTERM");
  await program.ended;
  expect(program.output).toContain("everything is saved");
});

it("a start that is still waiting for something also ends at SIGTERM", async () => {
  const program = await startAsFirst([
    process.execPath,
    "-e",
    "import('./scripts/pass-signals.mjs').then(() => { console.log('waiting'); setInterval(() => {}, 1000); })",
  ]);
  await expect.poll(() => program.output).toContain("waiting");
  process.kill(firstOf(program), "SIGTERM");
  expect((await program.ended).code).toBe(143);
});
