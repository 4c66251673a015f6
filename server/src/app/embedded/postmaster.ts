import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { totalmem } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Place } from "./postgres-place.ts";

/** A database server that accepts connections. */
export interface Postmaster {
  pid: number;
  /** Resolves when the server has ended, for whatever reason. */
  ended: Promise<void>;
}

/**
 * An eighth of the memory available to this process, from 128 MB to 1 GB. A million orders with their links and indexes take 1.3 GB;
 * frequently read pages should be in here, because the others are copied from the kernel each time.
 */
function sharedBuffersMb(): number {
  const limit = process.constrainedMemory();
  const total = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  return Math.max(128, Math.min(1_024, Math.floor(total / 8 / 1_048_576)));
}

const settings: Record<string, string> = {
  listen_addresses: "",
  // Durability isn't negotiable; the rest keeps a small machine small.
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  ...(process.platform === "darwin" ? { wal_sync_method: "fsync_writethrough" } : {}),
  shared_buffers: `${sharedBuffersMb()}MB`,
  max_wal_size: "1GB",
  min_wal_size: "80MB",
  // Backups copy the files over replication connections, and make the server retain the write-ahead log that they still need, but never
  // more than this.
  wal_level: "replica",
  max_wal_senders: "3",
  max_replication_slots: "3",
  max_slot_wal_keep_size: "2GB",
  max_logical_replication_workers: "0",
  max_parallel_workers_per_gather: "0",
  max_parallel_maintenance_workers: "0",
  io_method: "sync",
  jit: "off",
  // Plans made while a table was still empty are bad; statistics replace them.
  autovacuum_naptime: "10s",
  random_page_cost: "1.1",
  timezone: "UTC",
  log_timezone: "UTC",
  // A row's content must not reach a log file.
  log_min_messages: "log",
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
  log_checkpoints: "off",
  log_line_prefix: "%m ",
};
const quiet = { LC_ALL: "C", TZ: "UTC" };
const logLimitBytes = 5_000_000;

/** Creates an empty database in an empty folder. */
export async function initialise(place: Place, { folder, passwordFile }: { folder: string; passwordFile: string }): Promise<void> {
  const args = [
    "-D",
    folder,
    "-U",
    "tillpost",
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--no-instructions",
  ];
  const child = spawn(join(place.binaries, "bin", "initdb"), args, {
    ...place.user,
    cwd: "/",
    env: quiet,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  child.stdout.on("data", (part) => (output += part));
  child.stderr.on("data", (part) => (output += part));
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  if (code !== 0) throw new Error(`The database couldn't be created (initdb ended with ${code}):\n${output.slice(-2000)}`);
}

export interface PostmasterOptions {
  logFile: string;
  connections: number;
  /** Settings that differ from the usual ones; null omits one, such as one that another major doesn't know. */
  settings?: Readonly<Record<string, string | null>>;
}

/**
 * Starts the server in its own process group, so that a terminal's Ctrl-C reaches it only through us, and waits until it accepts
 * connections.
 */
export async function startPostmaster(place: Place, given: PostmasterOptions): Promise<Postmaster> {
  passOverStalePid(place.data);
  const log = openLog(given.logFile);
  const options = Object.entries({
    ...settings,
    unix_socket_directories: `"${place.socket.replaceAll('"', '""')}"`,
    max_connections: String(given.connections),
    ...given.settings,
  }).flatMap(([name, value]) => (value === null ? [] : ["-c", `${name}=${value}`]));
  const child = spawn(join(place.binaries, "bin", "postgres"), ["-D", place.data, ...options], {
    ...place.user,
    cwd: "/",
    env: quiet,
    stdio: ["ignore", log, log],
    detached: true,
  });
  closeSync(log);
  const ended = new Promise<void>((resolve, reject) => child.once("error", reject).once("exit", () => resolve()));
  await whenReady(child, ended, { data: place.data, logFile: given.logFile });
  return { pid: child.pid ?? 0, ended };
}

async function whenReady(child: ChildProcess, ended: Promise<void>, { data, logFile }: { data: string; logFile: string }): Promise<void> {
  let over = false;
  const watched = ended.finally(() => (over = true));
  watched.catch(() => {});
  for (;;) {
    const lines = readPidFile(data);
    if (lines?.[0] === String(child.pid) && lines[7]?.trim() === "ready") return;
    if (over) {
      await watched;
      throw new Error(
        `The database stopped before it was ready. The end of its log, ${logFile}:\n${readFileSync(logFile, "utf8").slice(-1500)}`,
      );
    }
    await sleep(10);
  }
}

/** Stops a server: first gently (finishing with a checkpoint), then faster, never longer than `limitMs` in each step. */
export async function stopPostmaster(pid: number, data: string, limitMs = 20_000): Promise<void> {
  for (const [signal, patience] of [
    ["SIGINT", limitMs],
    ["SIGQUIT", 5_000],
    ["SIGKILL", 5_000],
  ] as const) {
    if (!sendSignal(pid, signal)) return;
    for (const end = performance.now() + patience; performance.now() < end; await sleep(10)) if (!isDatabase(pid, data)) return;
  }
  throw new Error(`The database (process ${pid}) doesn't stop.`);
}

/** The process id of a server that an earlier Tillpost left running on this data, or null. */
export function findOrphan(data: string): number | null {
  const pid = Number(readPidFile(data)?.[0] ?? 0);
  return pid > 0 && isDatabase(pid, data) ? pid : null;
}

/**
 * After a crash, the recorded id may belong to another process by now, and PostgreSQL would refuse to start. It ignores the id of its own
 * parent, while the rest of the file still lets it find backends that survived.
 */
function passOverStalePid(data: string): void {
  const lines = readPidFile(data);
  if (lines !== null) writeFileSync(join(data, "postmaster.pid"), [String(process.pid), ...lines.slice(1)].join("\n"));
}

function readPidFile(data: string): string[] | null {
  try {
    return readFileSync(join(data, "postmaster.pid"), "utf8").split("\n");
  } catch {
    return null;
  }
}

function isDatabase(pid: number, data: string): boolean {
  return new RegExp(`(^|/)postgres -D ${RegExp.escape(data)} `).test(commandOf(pid));
}

/** A process's command line; empty for one that has ended, waited for or not. */
function commandOf(pid: number): string {
  try {
    if (process.platform === "linux") return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    return execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" });
  } catch {
    return "";
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

function openLog(file: string): number {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > logLimitBytes) renameSync(file, `${file}.old`);
  return openSync(file, "a", 0o600);
}
