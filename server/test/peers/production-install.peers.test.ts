import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { freshCopy } from "#test/support/programs/fresh-copy.ts";
import { databaseProcesses } from "#test/support/programs/program.ts";

/** npm fetches from its registry what its cache lacks. */
const copy = freshCopy();
afterAll(() => copy.remove());

it("`npm ci` accepts the lock file, and none that lacks what package.json requires", { timeout: 600_000 }, () => {
  const taken = copy.npm("ci", "--dry-run");
  expect(taken.status, taken.stderr).toBe(0);
  const file = join(copy.path, "server", "package.json");
  const whole = readFileSync(file, "utf8");
  writeFileSync(file, whole.replace('"dependencies": {', '"dependencies": {\n    "left-pad": "1.3.0",'));
  expect(copy.npm("ci", "--dry-run")).toMatchObject({ status: 1, stderr: expect.stringContaining("left-pad") });
  writeFileSync(file, whole);
});

it("`npm ci --omit=dev` omits our development tools, and gives a program that starts with its dashboard", {
  timeout: 1_200_000,
}, async () => {
  const installed = copy.npm("ci", "--omit=dev");
  expect(installed.status, installed.stderr).toBe(0);
  // vitest remains: npm retains what a dependency lists as an optional peer.
  for (const tool of ["knip", "@biomejs/biome", "typescript", "dependency-cruiser"])
    expect(existsSync(join(copy.path, "node_modules", tool)), tool).toBe(false);
  const program = await (await copy.start({ TILLPOST_NO_INSTALL: "1" })).ready();
  expect((await fetch(`${program.url}/readyz`)).status).toBe(200);
  expect(await (await fetch(`${program.url}/dashboard`)).text()).toContain("<script");
  await program.stop();
  expect(databaseProcesses(program.dataDir)).toEqual([]);
});
