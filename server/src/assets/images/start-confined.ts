import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Far more than genuine work needs: 200 pictures take half of the processor time, the largest one a third of the memory. */
const limits = { cpuSeconds: 900, dataMegabytes: 1024, fileMegabytes: 64, files: 64 };

/** No file that such a program writes is larger. */
export const fileBytesMax = limits.fileMegabytes * 1024 * 1024;

const here = realpathSync(dirname(fileURLToPath(import.meta.url)));
const environment = { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "262144", MALLOC_TRIM_THRESHOLD_: "262144", UV_THREADPOOL_SIZE: "4" };

/**
 * Starts a program that decodes strangers' files, with the fewest rights that the platform allows: it reads its own sources and packages,
 * reads and writes in `folder`, and can neither use the network nor start processes or threads. Linux adds limits on memory, processor
 * time, file sizes and open files, and an empty network namespace if unprivileged namespaces are allowed. It gets none of the server's
 * environment variables.
 */
export function startConfined(script: string, folder: string): ChildProcess {
  const [command = "", ...args] = [...withinLimits(), ...ownNamespaces(), process.execPath, ...nodeRights(script, folder), script];
  return spawn(command, args, { env: environment, stdio: ["ignore", "ignore", "ignore", "ipc"] });
}

/** Node's permission model. Addons are the decoder itself; the rights below have to stop whatever they do natively. */
function nodeRights(script: string, folder: string): string[] {
  const modules = modulesOf(fileURLToPath(import.meta.resolve("sharp")));
  const packages = ["sharp", "@img", "detect-libc", "semver", "zxing-wasm"].map((name) => join(modules, name));
  const server = join(here, "../../../package.json");
  const own = realpathSync(folder);
  return [
    "--permission",
    "--allow-addons",
    ...[script, here, server, own, ...packages].map(
      (path) => `--allow-fs-read=${existsSync(path) && path !== script && path !== server ? `${path}/` : path}`,
    ),
    `--allow-fs-write=${own}/`,
    "--max-old-space-size=128",
    "--expose-gc",
  ];
}

/** The node_modules folder that contains a package's file. */
function modulesOf(file: string): string {
  const real = realpathSync(file);
  return real.slice(0, real.lastIndexOf("node_modules") + "node_modules".length);
}

/** The shell sets limits that the kernel then applies to every program; a lower existing limit remains. */
function withinLimits(): string[] {
  if (process.platform !== "linux" || !existsSync("/bin/sh")) return [];
  const set = [
    `-c 0`,
    `-t ${limits.cpuSeconds}`,
    `-d ${limits.dataMegabytes * 1024}`,
    `-f ${limits.fileMegabytes * 2048}`,
    `-n ${limits.files}`,
  ];
  return ["/bin/sh", "-c", `${set.map((limit) => `ulimit ${limit} 2>/dev/null`).join("; ")}; exec "$@"`, "sh"];
}

let found: string[] | undefined;

/**
 * The strongest of these that this machine allows, tried once. They come with the system (util-linux); without them, Node's rights and the
 * limits remain.
 */
function ownNamespaces(): string[] {
  if (found !== undefined) return found;
  const unshare = programOf("unshare");
  const setpriv = programOf("setpriv");
  const apart = unshare === null ? [] : [unshare, "--user", "--map-current-user", "--net", "--ipc", "--uts"];
  const nothingNew = setpriv === null ? [] : [setpriv, "--no-new-privs"];
  const noCapabilities = setpriv === null ? [] : [...nothingNew, "--bounding-set=-all", "--inh-caps=-all"];
  const commands = [[...apart, ...noCapabilities], [...apart, ...nothingNew], apart, noCapabilities, nothingNew, []];
  found = process.platform === "linux" ? (commands.find(works) ?? []) : [];
  return found;
}

function works(way: string[]): boolean {
  const [command, ...args] = [...way, "/bin/sh", "-c", ":"];
  return command !== undefined && spawnSync(command, args, { env: {}, stdio: "ignore", timeout: 5000 }).status === 0;
}

function programOf(name: string): string | null {
  return ["/usr/bin", "/bin", "/usr/sbin", "/sbin"].map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}
