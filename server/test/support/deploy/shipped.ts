import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { processEnvironment } from "#app/config.ts";

/** The repository, with `/` at its end. */
export const repository = fileURLToPath(new URL("../../../../", import.meta.url));

/** The text of a file below `deploy/`. */
export const deployed = (path: string) => readFileSync(`${repository}deploy/${path}`, "utf8");

/** The version of package.json. */
export const { version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as { version: string };

/** A release's name. */
export const releaseName = (platform = "linux-x64", ofVersion = version) => `tillpost-${ofVersion}-${platform}`;

/**
 * Makes a release of the checked-out commit, or of the one in the clone `from`, as its maker does, without the environment of the test's
 * own npm and vitest.
 */
export function makeRelease(
  out: string,
  temporary: string,
  { platform = "linux-x64", env = {}, from = repository }: { platform?: string; env?: Record<string, string>; from?: string } = {},
): void {
  mkdirSync(temporary, { recursive: true });
  const given = ["run", "--silent", "release", "--", "--out", out, "--platform", platform];
  quietly("npm", given, { cwd: from, env: { TMPDIR: temporary, TILLPOST_NO_INSTALL: "1", ...env } });
}

/** Makes a release of the last commit without the newest migrations, in a clone of this repository. Needs the history back to it. */
export function makeEarlierRelease(out: string, temporary: string): void {
  const newest = git(repository, "log", "-1", "--format=%H", "--diff-filter=A", "--", "server/migrations");
  const clone = join(temporary, "earlier");
  mkdirSync(temporary, { recursive: true });
  git(repository, "clone", "--quiet", "--shared", "--no-checkout", ".", clone);
  git(clone, "checkout", "--quiet", "--detach", `${newest}~1`);
  for (const part of ["", "server"]) symlinkSync(join(repository, part, "node_modules"), join(clone, part, "node_modules"));
  makeRelease(out, temporary, { from: clone });
}

/** Copies a release's files to where the pages' reader puts them on a machine in a folder. */
export function bringRelease(from: string, machine: string): void {
  for (const file of readdirSync(from)) copyFileSync(join(from, file), join(machine, "root", file));
}

const git = (cwd: string, ...given: string[]) => quietly("git", given, { cwd }).trim();

/** Runs a program with a separate environment; if it fails, its output is in the error. */
export function quietly(
  program: string,
  given: string[],
  options: { cwd?: string; input?: string; env?: Record<string, string> } = {},
): string {
  try {
    return execFileSync(program, given, {
      ...{ cwd: "/", encoding: "utf8", maxBuffer: 256 * 1024 * 1024, stdio: ["pipe", "pipe", "pipe"] },
      ...options,
      env: {
        PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        HOME: processEnvironment()["HOME"] ?? "/root",
        LC_ALL: "C.UTF-8",
        ...options.env,
      },
    });
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${given.join(" ")}\n${stdout}\n${stderr}`, { cause: error });
  }
}
