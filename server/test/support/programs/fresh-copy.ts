import { execFileSync, spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { processEnvironment } from "#app/config.ts";
import { freePort } from "#test/support/network/free-port.ts";
import { databaseProcesses, killNow, Program } from "./program.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const left = new Set(["node_modules", ".git", ".tillpost", "dist"]);

/** The sources of a new clone: nothing is installed and nothing is built. */
export interface FreshCopy {
  path: string;
  /** Runs npm in it to its end. */
  npm(...args: string[]): { status: number | null; stdout: string; stderr: string };
  /** `npm start`, with its own data folder and port. */
  start(env?: Record<string, string>): Promise<Program>;
  remove(): void;
}

/** Makes a copy of the sources, or of those at `commit`. `nodeFolder` contains a `node` that npm runs under instead of the tests' own. */
export function freshCopy({ nodeFolder, commit }: { nodeFolder?: string; commit?: string } = {}): FreshCopy {
  if (commit !== undefined) requireCommit(commit);
  const path = realpathSync(mkdtempSync(join(tmpdir(), "tillpost-clone-")));
  if (commit === undefined) cpSync(root, path, { recursive: true, filter: (file) => !left.has(basename(file)) });
  else checkOut(commit, path);
  const dataDir = join(path, "data");
  const env = environment(nodeFolder);
  return {
    path,
    npm: (...args) => spawnSync("npm", args, { cwd: path, env, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 }),
    start: async (more = {}) => {
      const port = await freePort();
      const child = spawn("npm", ["start"], {
        cwd: path,
        env: { ...env, TILLPOST_DATA_DIR: dataDir, PORT: String(port), ...more },
        stdio: ["ignore", "pipe", "pipe"],
      });
      return new Program(child, port, dataDir);
    },
    remove: () => {
      if (existsSync(join(dataDir, "postgres.json"))) databaseProcesses(dataDir).forEach(killNow);
      rmSync(path, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Throws if this clone doesn't have the commit. */
function requireCommit(commit: string): void {
  const { status, stderr, error } = spawnSync("git", ["cat-file", "-e", `${commit}^{commit}`], { cwd: root, encoding: "utf8" });
  if (status === 0) return;
  const why = (error?.message ?? stderr).trim();
  throw new Error(
    `The sources of ${commit} are needed, and git does not have them here: ${why}\nIn a clone without its history, run \`git fetch --unshallow\`.`,
  );
}

function checkOut(commit: string, path: string): void {
  execFileSync("git", ["clone", "--quiet", "--shared", "--no-checkout", ".", path], { cwd: root });
  execFileSync("git", ["checkout", "--quiet", "--detach", commit], { cwd: path });
}

/** A person's environment: nothing of npm and vitest, which run the test, except where npm fetches from. */
function environment(nodeFolder: string | undefined): NodeJS.ProcessEnv {
  const environment = Object.entries(processEnvironment()).filter(
    ([name]) => !/^(npm_(?!config_(registry|cache|userconfig)$)|vitest|tillpost|node_env$|node_options$|init_cwd$|test$)/i.test(name),
  );
  const { PATH = "", ...env } = Object.fromEntries(environment);
  const folders = PATH.split(delimiter).filter((folder) => !folder.includes(`node_modules${folder.includes("\\") ? "\\" : "/"}.bin`));
  return { ...env, NO_COLOR: "1", PATH: [...(nodeFolder === undefined ? [] : [nodeFolder]), ...folders].join(delimiter) };
}
