import { spawn, spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, statfsSync, writeSync } from "node:fs";
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
  /** Fills the disk until this is left, before the program starts; by default it stays as it is. */
  leftKib?: number;
}

const findRoom = 'room=$(df -P -k "$1" | tail -n 1 | tr -s " " | cut -d " " -f 4)';
const fillUp = `${findRoom} && head -c "$(( (room - $2) * 1024 ))" /dev/zero > "$1/../filler"`;
const copyAnd = `cp -a "$0" "$1" && if [ "$2" -gt 0 ]; then ${fillUp}; fi && shift 2 && exec "$@"`;

/**
 * The real program, on a copy of a data folder on a disk of limited size. `disk` is the path by which others on this machine reach that
 * disk.
 */
export async function startOnSmallDisk(given: SmallDisk): Promise<{ program: Program; disk: string }> {
  const { size, folder, env, dataDir, leftKib = 0 } = given;
  const mounted = join(folder, "disk");
  mkdirSync(mounted, { mode: 0o711, recursive: true });
  const copy = join(mounted, "data");
  const program = ["sh", "-c", copyAnd, dataDir, copy, String(leftKib), process.execPath, ...programArguments(["serve"])];
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

/** Fills the disk until only so many bytes are left; by less than none shows that it is full. */
export function fill(disk: string, leftBytes: number): void {
  const file = openSync(join(disk, "filler"), "a");
  const part = Buffer.alloc(1_048_576);
  try {
    for (;;) {
      const { bavail, bsize } = statfsSync(disk);
      const room = bavail * bsize - leftBytes;
      if (room <= 0) return;
      writeSync(file, part, 0, Math.min(part.length, room));
    }
  } catch (error) {
    if (leftBytes < 0 || (error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  } finally {
    closeSync(file);
  }
}
