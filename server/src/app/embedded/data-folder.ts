import { chmodSync, closeSync, mkdirSync, openSync, readFileSync, realpathSync, statSync } from "node:fs";
import { chown, open, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** What a program that holds the folder tells others about itself. */
export interface Running {
  pid: number;
  started_at: string;
  address: string | null;
  /** Where its HTTP server listens; left out by a program that has none. */
  port?: number;
  database_url: string | null;
  /** The same database as the role that owns its tables; versions before two roles left it out. */
  owner_url?: string;
  /** The same server as the role that copies its files; null where the database is not its own. */
  backup_url?: string | null;
}

/** The folder of one deployment's data, held by this process alone until `release`. */
export interface DataFolder {
  readonly path: string;
  /** Writes a file that only its owner may read, all of it or nothing. */
  write(name: string, text: string): Promise<void>;
  /** The text of a file, or null. */
  read(name: string): string | null;
  remove(name: string): Promise<void>;
  /** Says to programs that find the folder held who holds it. */
  announce(running: Running): Promise<void>;
  release(): Promise<void>;
}

/** Another process has locked the folder. */
export class FolderInUse extends Error {
  readonly running: Running | null;

  constructor(path: string, running: Running | null) {
    const who = running === null ? "Another Tillpost" : `Another Tillpost (process ${running.pid}${running.address === null ? "" : `, ${running.address}`})`;
    super(`${who} is running on ${path}. Stop it first, or give this one its own folder and port: TILLPOST_DATA_DIR=… PORT=…`);
    this.running = running;
  }
}

/**
 * Opens the folder, making it on the first start, and takes its lock or throws `FolderInUse`.
 * The kernel holds the lock for this process and lets go however the process ends, so that no stale one can be left behind.
 */
export function openDataFolder(given: string): DataFolder {
  const path = makeFolder(given);
  const read = (name: string) => readOrNull(join(path, name));
  const unlock = lock(path, () => parseRunning(read("running.json")));
  const write = (name: string, text: string) => writeWhole(join(path, name), text);
  return {
    path,
    read,
    write,
    remove: (name) => rm(join(path, name), { force: true }),
    announce: (running) => write("running.json", `${JSON.stringify(running, null, 2)}\n`),
    async release() {
      await rm(join(path, "running.json"), { force: true });
      unlock();
    },
  };
}

/** Root's folder lets others pass through (not look): the database runs as another user. Each file in it is closed by itself. */
function makeFolder(given: string): string {
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  try {
    if (mkdirSync(given, { recursive: true, mode }) !== undefined) chmodSync(given, mode);
    return realpathSync(given);
  } catch (error) {
    throw new Error(`The data folder ${given} cannot be made or entered (${(error as Error).message}). Set TILLPOST_DATA_DIR to a folder of your own.`, {
      cause: error,
    });
  }
}

function lock(path: string, holder: () => Running | null): () => void {
  const unlock = tryLock(path);
  if (unlock === null) throw new FolderInUse(path, holder());
  return unlock;
}

/**
 * Takes a folder's lock and answers what lets it go again, or null where another process holds it. SQLite's exclusive lock is the one kernel lock within
 * Node's reach that needs neither a native module nor a helper process.
 */
export function tryLock(path: string): (() => void) | null {
  const file = join(path, "lock");
  let handle: DatabaseSync | undefined;
  try {
    closeSync(openSync(file, "a", 0o600));
    handle = new DatabaseSync(file, { timeout: 0 });
    handle.exec("begin exclusive");
  } catch (error) {
    handle?.close();
    if ((error as { errcode?: number }).errcode === 5) return null;
    throw new Error(`The folder ${path} cannot be locked (${(error as Error).message}). It must belong to the user who starts Tillpost.`, { cause: error });
  }
  return () => handle.close();
}

/** Writes a file that only its owner may read, all of it or nothing. One that is there keeps its owner: root may run a command on another user's folder. */
export async function writeWhole(file: string, text: string): Promise<void> {
  const fresh = `${file}.new`;
  await rm(fresh, { force: true });
  await writeFile(fresh, text, { mode: 0o600, flush: true });
  const before = statSync(file, { throwIfNoEntry: false });
  if (before !== undefined && process.getuid?.() === 0) await chown(fresh, before.uid, before.gid);
  await rename(fresh, file);
  await syncFolder(dirname(file));
}

/** A new name is safe from a power cut once its folder is written. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Half a line or an old shape must not stand in the way of a sentence about the lock. */
/** What the program that holds a folder says about itself; null when none does. It may have been killed since. */
export function readRunning(folder: string): Running | null {
  return parseRunning(readOrNull(join(folder, "running.json")));
}

function parseRunning(text: string | null): Running | null {
  try {
    return JSON.parse(text ?? "null") as Running | null;
  } catch {
    return null;
  }
}
