import { createHash, randomBytes } from "node:crypto";
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { DataFolder } from "./data-folder.ts";
import { findBinaries } from "./postgres-binaries.ts";
import { canReach, databaseUser, type OsUser } from "./postgres-user.ts";

/** Where one embedded database is and who runs it. */
export interface Place {
  /** The database's own folder (`-D`). */
  data: string;
  binaries: string;
  /** Folder of the Unix socket; only the database's user (and root) can enter it. */
  socket: string;
  user: OsUser | null;
  password: string;
}

interface Remembered {
  password: string;
  /** Set if the database couldn't be in the data folder itself. */
  folder: string | null;
  /** Set if the database was restored from a backup. */
  history?: string;
}

/** The password of a restored database, and what tells its history from that of its original. */
export type RestoredPlace = Required<Pick<Remembered, "password" | "history">>;

const elsewhere = "/var/lib";
const longestSocketPath = 100;

/**
 * Decides once where the database is, records it in the data folder, and finds or creates what it needs there. `restored`: for a
 * database that comes from elsewhere.
 */
export async function findPlace(dataFolder: DataFolder, restored?: RestoredPlace): Promise<Place> {
  const remembered = await remember(dataFolder, restored);
  const folder = remembered.folder ?? dataFolder.path;
  const data = join(folder, "postgres");
  const user = databaseUser([data, readyFolder({ data })].find((path) => existsSync(path)) ?? null);
  if (!canReach(folder, user)) {
    throw new Error(
      `The database in ${folder} belongs to a user who can't reach it (user id ${user?.uid}). Give that user access to the folders above it.`,
    );
  }
  if (remembered.folder !== null) claimFolder(remembered.folder, dataFolder.path);
  const binaries = await findBinaries(user, folder);
  return { data, binaries, socket: socketFolder(folder, user), user, password: remembered.password };
}

/** The id of the history that began when the database in this data folder was restored; null if it never was. */
export function historyOf(dataDir: string): string | null {
  return (JSON.parse(readFileSync(join(dataDir, "postgres.json"), "utf8")) as Remembered).history ?? null;
}

async function remember(dataFolder: DataFolder, restored?: RestoredPlace): Promise<Remembered> {
  const known = dataFolder.read("postgres.json");
  if (known !== null) return JSON.parse(known) as Remembered;
  if (existsSync(join(dataFolder.path, "postgres"))) {
    throw new Error(`${dataFolder.path} contains a database but not its password (postgres.json). Restore that file from a backup.`);
  }
  const reachable = canReach(dataFolder.path, databaseUser(null));
  const folder = reachable ? null : join(elsewhere, `tillpost-${randomBytes(4).toString("hex")}`);
  const place = { ...(restored ?? { password: randomBytes(24).toString("base64url") }), folder };
  await dataFolder.write("postgres.json", `${JSON.stringify(place, null, 2)}\n`);
  return place;
}

/** The folder of a database that was upgraded to another major, compared and stopped: it only has to be moved into place. */
export function readyFolder({ data }: Pick<Place, "data">): string {
  return join(dirname(data), "postgres.upgraded");
}

/** A copied data folder refers to the same place as its original; two programs must not use it at once. */
function claimFolder(folder: string, owner: string): void {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o711);
  const file = join(folder, "belongs-to");
  const other = existsSync(file) ? readFileSync(file, "utf8").trim() : owner;
  if (other !== owner && existsSync(join(other, "postgres.json"))) {
    throw new Error(
      `The database in ${folder} belongs to ${other}; ${owner} is a copy of that folder. Delete one of the two, or remove postgres.json here to start over.`,
    );
  }
  writeFileSync(file, `${owner}\n`, { mode: 0o600 });
}

/**
 * Socket paths are limited to about a hundred bytes; a deeply nested data folder gets a private one under the system's temporary folder.
 * Its name is derived from the whole path, because folders of two installations may have the same ending.
 */
function socketFolder(folder: string, user: OsUser | null): string {
  const near = join(folder, "socket");
  const path =
    Buffer.byteLength(near) <= longestSocketPath - "/.s.PGSQL.5432.lock".length
      ? near
      : join(tmpdir(), `tillpost-${createHash("sha256").update(folder).digest("hex").slice(0, 24)}`);
  if (!existsSync(path)) {
    mkdirSync(path, { mode: 0o700 });
    if (user !== null) chownSync(path, user.uid, user.gid);
  }
  const stat = lstatSync(path);
  const owner = user?.uid ?? process.getuid?.();
  if (!stat.isDirectory() || (stat.mode & 0o077) !== 0 || stat.uid !== owner)
    throw new Error(`${path} must be a folder of user id ${owner} with mode 0700. Remove it and start again.`);
  return path;
}
