import { spawn, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "#test/support/network/free-port.ts";
import { Program, programArguments, programEnvironment } from "./program.ts";

/**
 * A disk that only one program and its children see: a tmpfs in a separate mount namespace. Root creates it directly; other users in a user
 * namespace, which they leave again for one in which they are themselves, because PostgreSQL refuses to be run by root.
 */
const mountAnd = 'mount -t tmpfs -o "size=$1,mode=711" tmpfs "$0" && shift';
const isRoot = process.getuid?.() === 0;
const own = [`--map-user=${process.getuid?.() ?? 0}`, `--map-group=${process.getgid?.() ?? 0}`].join(" ");
const way = isRoot
  ? ["unshare", "--mount", "sh", "-c", `${mountAnd} && exec "$@"`]
  : ["unshare", "--map-root-user", "--mount", "sh", "-c", `${mountAnd} && exec unshare --user ${own} "$@"`];
const [command = "", ...before] = way;

/** Runs a command with such a disk on an empty folder. */
export function onSmallDisk({ size, folder }: { size: string; folder: string }, program: string[]) {
  return spawn(command, [...before, folder, size, ...program], { cwd: "/", stdio: ["ignore", "pipe", "inherit"], detached: true });
}

/** Why this machine doesn't allow such a disk; null if it does. */
export function noSmallDisk(): string | null {
  if (process.platform !== "linux") return "it needs Linux";
  const tried = spawnSync(command, [...before, "/tmp", "1m", "true"], { encoding: "utf8" });
  return tried.status === 0
    ? null
    : (tried.error?.message ?? tried.stderr).trim().split("\n").at(-1) || `unshare ended with ${tried.status}`;
}

interface SmallDisk {
  size: string;
  folder: string;
  env: Record<string, string>;
  /** A data folder, which is copied onto the disk. */
  dataDir: string;
}

const copyAnd = 'cp -a "$0" "$1" && shift && exec "$@"';

/**
 * The real program, on a copy of a data folder on a disk of limited size. `disk` is the path by which others on this machine reach that
 * disk.
 */
export async function startOnSmallDisk({ size, folder, env, dataDir }: SmallDisk): Promise<{ program: Program; disk: string }> {
  const mounted = join(folder, "disk");
  mkdirSync(mounted, { mode: 0o711, recursive: true });
  const copy = join(mounted, "data");
  const program = ["sh", "-c", copyAnd, dataDir, copy, process.execPath, ...programArguments(["serve"])];
  const port = await freePort();
  const child = spawn(command, [...before, mounted, size, ...program], {
    env: programEnvironment({ dataDir: copy, port, env }),
    cwd: "/",
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const disk = `/proc/${child.pid}/root${mounted}`;
  return { program: new Program(child, port, join(disk, "data")), disk };
}
