import { createHash } from "node:crypto";
import { chownSync, existsSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beginData, type Place, readyFolder, syncFolder } from "../embedded/index.ts";

/** A finished copy's description of itself, in a file in its folder. */
export interface ReadyCopy {
  from: number;
  to: number;
  /** SHA-256 of the old database's control file when it was stopped: every start changes that file. */
  control: string;
  /** The new name of the old folder. */
  kept: string;
}

const ownFile = "upgraded-from.json";

/** The copy that an earlier run finished but didn't put in place, or null. */
export async function findReadyCopy(place: Place): Promise<ReadyCopy | null> {
  const text = await readFile(join(readyFolder(place), ownFile), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  return text === null ? null : (JSON.parse(text) as ReadyCopy);
}

/** Whether nothing ran on the old database since the copy was finished. */
export async function isCurrent(place: Place, { control }: ReadyCopy): Promise<boolean> {
  return !existsSync(place.data) || (await hashOfControl(place.data)) === control;
}

/**
 * Throws a readable error if there is a database in the old one's place although that one has its new name: then an earlier version, which
 * knows nothing of upgrades, was started.
 */
export function refuseOther(place: Place, { from, kept }: ReadyCopy): void {
  const folder = dirname(place.data);
  if (!existsSync(place.data) || !existsSync(join(folder, kept))) return;
  throw new Error(
    `An upgrade was interrupted at its last step, and an earlier version of Tillpost has since been started and created another database in ${place.data}. Yours is in ${kept} as PostgreSQL ${from} left it, and its finished copy in postgres.upgraded. Rename the other one, then run this again.`,
  );
}

/** Drops a finished copy, if there is one: the old database was used after it. A half-deleted copy must not look finished. */
export async function dropReadyCopy(place: Place): Promise<void> {
  if (!existsSync(readyFolder(place))) return;
  const dropped = await beginData(place);
  await rename(readyFolder(place), dropped);
  await rm(dropped, { recursive: true, force: true });
}

/** Declares the copy in `unfinished` finished, once its server has stopped. */
export async function declareReady(
  place: Place,
  { unfinished, from, to }: { unfinished: string; from: number; to: number },
): Promise<ReadyCopy> {
  const ready = { from, to, control: await hashOfControl(place.data), kept: freeName(place, `postgres-${from}-kept`) };
  const file = join(unfinished, ownFile);
  await writeFile(file, `${JSON.stringify(ready, null, 2)}\n`, { mode: 0o600, flush: true });
  if (place.user !== null) chownSync(file, place.user.uid, place.user.gid);
  await syncFolder(unfinished);
  await rename(unfinished, readyFolder(place));
  await syncFolder(dirname(place.data));
  return ready;
}

/**
 * Puts a finished copy in the old database's place and renames that one. After an interruption anywhere, another call continues: the old
 * folder is still in place, or it has its new name and no database is in place, which every start recognizes.
 */
export async function putInPlace(place: Place, ready: ReadyCopy, between: () => Promise<void>): Promise<string> {
  const folder = dirname(place.data);
  const oldFolder = join(folder, ready.kept);
  if (existsSync(place.data)) {
    await writeFile(`${oldFolder}.txt`, noteOf(folder, ready), { mode: 0o644, flush: true });
    await rename(place.data, oldFolder);
    await syncFolder(folder);
  }
  await between();
  await rename(readyFolder(place), place.data);
  await syncFolder(folder);
  return oldFolder;
}

async function hashOfControl(data: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(join(data, "global", "pg_control")))
    .digest("hex");
}

function freeName(place: Place, wanted: string): string {
  const folder = dirname(place.data);
  for (let number = 2, name = wanted; ; number += 1) {
    if (!existsSync(join(folder, name))) return name;
    name = `${wanted}-${number}`;
  }
}

function noteOf(folder: string, { from, to, kept }: ReadyCopy): string {
  return `${join(folder, kept)} is the database as PostgreSQL ${from} left it, before \`tillpost upgrade-database\` copied it to PostgreSQL ${to}.
Nothing uses it anymore. Delete it and this file once you're sure that you don't need to go back.

To go back to the version of Tillpost with PostgreSQL ${from}. Everything that happened since the upgrade is then missing, including payments:
  1. Stop Tillpost.
  2. mv ${join(folder, "postgres")} ${join(folder, `postgres-${to}-set-aside`)}
  3. mv ${join(folder, kept)} ${join(folder, "postgres")}
  4. Start the version of Tillpost you ran before.
`;
}
