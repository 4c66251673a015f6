import { chmodSync, closeSync, existsSync, fchownSync, mkdirSync, openSync, readFileSync, realpathSync, statSync } from "node:fs";
import { chown, open, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** What a program that locks the folder tells other programs about itself. */
export interface Running {
  pid: number;
  started_at: string;
  address: string | null;
  /** The port of its HTTP server; absent for a program without one. */
  port?: number;
  database_url: string | null;
  /** The same database as the role that owns its tables; absent in versions before there were two roles. */
  owner_url?: string;
  /** The same server as the role that copies its files; null if it doesn't run the database itself. */
  backup_url?: string | null;
}

/** The folder of one deployment's data, locked by this process until `release`. */
export interface DataFolder {
  readonly path: string;
  /** Writes a file that only its owner can read, completely or not at all. */
  write(name: string, text: string): Promise<void>;
  /** The text of a file, or null. */
  read(name: string): string | null;
  remove(name: string): Promise<void>;
  /** Records who has the folder, for programs that find it locked. */
  announce(running: Running): Promise<void>;
  release(): Promise<void>;
}

/** Another process has locked the folder. */
export class FolderInUse extends Error {
  readonly running: Running | null;

  constructor(path: string, running: Running | null) {
    const who =
      running === null
        ? "Another Tillpost"
        : `Another Tillpost (process ${running.pid}${running.address === null ? "" : `, ${running.address}`})`;
    super(`${who} is running on ${path}. Stop it first, or use another folder and port: TILLPOST_DATA_DIR=… PORT=…`);
    this.running = running;
  }
}

/**
 * Opens the folder, creating it on the first start, and locks it or throws `FolderInUse`. The kernel holds the lock for this process and
 * releases it however the process ends, so that no stale one can be left behind.
 */
export function openDataFolder(given: string): DataFolder {
  const path = makeFolder(given);
  const read = (name: string) => readOrNull(join(path, name));
  const unlock = lock(path, () => parseRunning(read("running.json")));
  const write = (name: string, text: string) => writeAtomically(join(path, name), text);
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

/**
 * Root's folder can be traversed (not listed) by others, because the database runs as another user. Each file in it is protected by its own
 * mode.
 */
function makeFolder(given: string): string {
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  try {
    if (mkdirSync(given, { recursive: true, mode }) !== undefined) chmodSync(given, mode);
    return realpathSync(given);
  } catch (error) {
    throw new Error(
      `The data folder ${given} can't be created or opened (${(error as Error).message}). Set TILLPOST_DATA_DIR to a folder you own.`,
      {
        cause: error,
      },
    );
  }
}

function lock(path: string, holder: () => Running | null): () => void {
  const unlock = tryLock(path);
  if (unlock === null) throw new FolderInUse(path, holder());
  return unlock;
}

/**
 * Locks a folder, or with a name only what that lock is for, and returns a function that unlocks it, or null if another process has the
 * lock. Several can have a shared one. SQLite's locks are the only kernel locks available in Node without a native module or a helper
 * process.
 */
export function tryLock(path: string, name = "lock", { shared = false } = {}): (() => void) | null {
  const file = join(path, name);
  let handle: DatabaseSync | undefined;
  try {
    // Only a new file: closing any descriptor of a file ends all locks that the process has on it.
    if (!existsSync(file)) makeLockFile(file);
    handle = new DatabaseSync(file, { timeout: 0 });
    // A transaction that has read keeps SQLite's shared lock.
    handle.exec(shared ? "begin; select 1 from sqlite_schema" : "begin exclusive");
  } catch (error) {
    handle?.close();
    if ((error as { errcode?: number }).errcode === 5) return null;
    throw new Error(`The folder ${path} can't be locked (${(error as Error).message}). It must belong to the user who starts Tillpost.`, {
      cause: error,
    });
  }
  return () => handle.close();
}

/** Root may run a command on another user's folder, and that user must be able to lock it afterwards. */
function makeLockFile(file: string): void {
  const handle = openSync(file, "a", 0o600);
  try {
    const { uid, gid } = statSync(dirname(file));
    if (process.getuid?.() === 0) fchownSync(handle, uid, gid);
  } finally {
    closeSync(handle);
  }
}

/**
 * Writes a file that only its owner can read, completely or not at all. An existing file keeps its owner, and a new one gets that of its
 * folder: root may run a command on another user's folder.
 */
export async function writeAtomically(file: string, text: string): Promise<void> {
  const temporary = `${file}.new`;
  await rm(temporary, { force: true });
  await writeFile(temporary, text, { mode: 0o600, flush: true });
  await replaceFile(file, temporary);
}

/** Gives a finished file the name and owner of the one that it replaces, or the owner of its folder. */
export async function replaceFile(file: string, temporary: string): Promise<void> {
  const { uid, gid } = statSync(file, { throwIfNoEntry: false }) ?? statSync(dirname(file));
  if (process.getuid?.() === 0) await chown(temporary, uid, gid);
  await rename(temporary, file);
  await syncFolder(dirname(file));
}

/** A new name survives a power failure once its folder is synced. */
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

/** An incomplete line or an old format must not prevent the message about the lock. */
/** What the program that locks a folder says about itself; null if there is none. It may have been killed since. */
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
