import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import { processEnvironment } from "#app/config.ts";
import { eventually } from "./eventually.ts";
import { databaseProcesses, freePort, killNow } from "./program.ts";

/** Asks npm itself, which fetches from its registry what its cache lacks. */
const root = fileURLToPath(new URL("../..", import.meta.url));
const left = new Set(["node_modules", ".git", ".tillpost", "dist"]);
const clone = realpathSync(mkdtempSync(join(tmpdir(), "tillpost-clone-")));
const dataDir = join(clone, "data");
cpSync(root, clone, { recursive: true, filter: (path) => !left.has(basename(path)) });

afterAll(() => {
  if (existsSync(join(dataDir, "postgres.json"))) databaseProcesses(dataDir).forEach(killNow);
  rmSync(clone, { recursive: true, force: true, maxRetries: 5 });
});

const npm = (...args: string[]) => spawnSync("npm", args, { cwd: clone, encoding: "utf8" });

it("`npm ci` accepts the lock file, and none that lacks what package.json asks for", { timeout: 600_000 }, () => {
  const taken = npm("ci", "--dry-run");
  expect(taken.status, taken.stderr).toBe(0);
  const file = join(clone, "server", "package.json");
  const whole = readFileSync(file, "utf8");
  writeFileSync(file, whole.replace('"dependencies": {', '"dependencies": {\n    "left-pad": "1.3.0",'));
  expect(npm("ci", "--dry-run")).toMatchObject({ status: 1, stderr: expect.stringContaining("left-pad") });
  writeFileSync(file, whole);
});

it("`npm ci --omit=dev` leaves our tools of development out, and gives a program that starts with its dashboard", { timeout: 1_200_000 }, async () => {
  const installed = npm("ci", "--omit=dev");
  expect(installed.status, installed.stderr).toBe(0);
  // vitest stays: npm keeps what a dependency names as an optional peer.
  for (const tool of ["knip", "@biomejs/biome", "typescript", "dependency-cruiser"]) expect(existsSync(join(clone, "node_modules", tool)), tool).toBe(false);
  const port = await freePort();
  const env = { ...processEnvironment(), TILLPOST_NO_INSTALL: "1", TILLPOST_DATA_DIR: dataDir, PORT: String(port) };
  const program = spawn("npm", ["start"], { cwd: clone, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [program.stdout, program.stderr]) stream.on("data", (part) => (output += String(part)));
  const ended = once(program, "close");
  await eventually(
    () => output,
    () => {
      if (program.exitCode !== null) throw new Error(output);
      return output.includes("Tillpost is running.");
    },
  );
  expect((await fetch(`http://localhost:${port}/readyz`)).status).toBe(200);
  expect(await (await fetch(`http://localhost:${port}/dashboard`)).text()).toContain("<script");
  program.kill("SIGTERM");
  await ended;
  expect(databaseProcesses(dataDir)).toEqual([]);
});
