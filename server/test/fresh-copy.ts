import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { processEnvironment } from "#app/config.ts";
import { databaseProcesses, freePort, killNow, Program } from "./program.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const left = new Set(["node_modules", ".git", ".tillpost", "dist"]);

/** The sources as somebody finds them who has just cloned the repository: nothing is installed and nothing is built. */
export interface FreshCopy {
  path: string;
  /** Runs npm in it to its end. */
  npm(...args: string[]): { status: number | null; stdout: string; stderr: string };
  /** `npm start`, with a data folder and a port of its own. */
  start(env?: Record<string, string>): Promise<Program>;
  remove(): void;
}

/** Makes a copy of the sources. `nodeFolder` holds a `node` that npm runs under in place of the tests' own. */
export function freshCopy({ nodeFolder }: { nodeFolder?: string } = {}): FreshCopy {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "tillpost-clone-")));
  cpSync(root, path, { recursive: true, filter: (file) => !left.has(basename(file)) });
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

/** A person's: nothing of the run of npm and vitest that the test is part of, but where npm fetches from. */
function environment(nodeFolder: string | undefined): NodeJS.ProcessEnv {
  const kept = Object.entries(processEnvironment()).filter(
    ([name]) => !/^(npm_(?!config_(registry|cache|userconfig)$)|vitest|tillpost|node_env$|node_options$|init_cwd$|test$)/i.test(name),
  );
  const { PATH = "", ...env } = Object.fromEntries(kept);
  const folders = PATH.split(delimiter).filter((folder) => !folder.includes(`node_modules${folder.includes("\\") ? "\\" : "/"}.bin`));
  return { ...env, NO_COLOR: "1", PATH: [...(nodeFolder === undefined ? [] : [nodeFolder]), ...folders].join(delimiter) };
}
