import { readdir, rm } from "node:fs/promises";
import { join, sep } from "node:path";
import type { DataFolder } from "./data-folder.ts";
import { findOrphan, stopPostmaster } from "./postmaster.ts";

const mark = "restore.unfinished";
/** What a folder may contain when a backup is restored into it, also after one was verified there, or if it is the top of a disk. */
const harmless = new Set([
  ...["lock", "lock-journal", "running.json", "master-keys", mark, `${mark}.new`],
  ...["audit-anchors.lock", "audit-anchors.lock-journal"],
  ...["backups.json", "backups.json.new", "backups.lock", "backups.lock-journal", "verify", "lost+found"],
  ...["backups-copying.lock", "backups-copying.lock-journal"],
]);
/**
 * What a restore creates, also copies of PostgreSQL's programs. If one is interrupted, anything else was put there since, and stays.
 */
const own =
  /^(files|socket|superuser\.json|audit-anchors.*\.jsonl(\.new)?|binaries-.*|postgres|postgres\.(json|json\.new|log|unfinished-.*))$/;

/** Throws a readable error if a restore into the folder was cut off. */
export function requireRestored({ path, read }: Pick<DataFolder, "path" | "read">): void {
  const from = read(mark);
  if (from === null) return;
  throw new Error(
    `${path} was being restored from ${from.trim()}, but the restore was interrupted. Run the same \`restore\` again; it starts over.`,
  );
}

/**
 * Throws a readable error if a backup can't be restored into the folder: if it contains anything else than backups and what an interrupted
 * restore left there. `keep`: paths of backups, inside or outside.
 */
export async function requireEmpty(dataFolder: DataFolder, keep: readonly string[]): Promise<void> {
  const isCutOff = dataFolder.read(mark) !== null;
  for (const name of await readdir(dataFolder.path)) {
    const path = join(dataFolder.path, name);
    if (hasAny(path, keep) && own.test(name))
      throw new Error(`There are backups in ${path}, where a restore puts its own files. Move them to another folder first.`);
    if (harmless.has(name) || hasAny(path, keep) || (isCutOff && own.test(name))) continue;
    throw new Error(
      `${dataFolder.path} is not empty (${name}). A backup must be restored into an empty folder: choose another one with --into.`,
    );
  }
}

/** Marks such a folder as being restored, and removes what an earlier restore left there. */
export async function beginRestore(dataFolder: DataFolder, { from, keep }: { from: string; keep: readonly string[] }): Promise<void> {
  await requireEmpty(dataFolder, keep);
  await dataFolder.write(mark, `${from}\n`);
  await discardData(dataFolder, keep);
}

/**
 * Removes a database and everything that belongs to it, stopping it first if it's still running. Backups and files that a restore may find
 * in its folder stay.
 */
export async function discardData(dataFolder: DataFolder, keep: readonly string[]): Promise<void> {
  const place = dataFolder.read("postgres.json");
  const elsewhere = place === null ? null : (JSON.parse(place) as { folder: string | null }).folder;
  if (elsewhere !== null && hasAny(elsewhere, keep))
    throw new Error(
      `There are backups in ${elsewhere}, the folder of the database that is to be replaced. Move them to another one first.`,
    );
  const data = join(elsewhere ?? dataFolder.path, "postgres");
  const running = findOrphan(data);
  if (running !== null) await stopPostmaster(running, data);
  if (elsewhere !== null) await rm(elsewhere, { recursive: true, force: true });
  for (const name of await readdir(dataFolder.path)) {
    const path = join(dataFolder.path, name);
    if (!harmless.has(name) && !hasAny(path, keep)) await rm(path, { recursive: true, force: true });
  }
}

/** Marks the folder as complete: it may be started. */
export async function finishRestore(dataFolder: DataFolder): Promise<void> {
  await dataFolder.remove(mark);
}

/** Whether any of these paths is this one or below it. */
function hasAny(path: string, paths: readonly string[]): boolean {
  return paths.some((one) => one === path || one.startsWith(`${path}${sep}`));
}
