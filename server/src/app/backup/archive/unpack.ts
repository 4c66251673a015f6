import { chownSync } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import type { Writable } from "node:stream";
import { type Extract, extract } from "tar-stream";
import { syncFolder } from "../../embedded/index.ts";
import { readArchive } from "./archive-file.ts";
import type { Identity } from "./encrypt.ts";

type Entry = Extract extends AsyncIterable<infer One> ? One : never;

export interface UnpackTarget {
  folder: string;
  identity: Identity | null;
  /** The owner of the unpacked files, if it is another user. */
  owner: { uid: number; gid: number } | null;
}

/** Unpacks an archive of a backup into a folder. All of it is on disk when this resolves, readable only by its owner. */
export async function unpack(path: string, { folder, identity, owner }: UnpackTarget): Promise<void> {
  const sink = extract();
  const folders = new Set([folder]);
  const reading = readArchive(path, { identity, sink: sink as unknown as Writable });
  // Reported below; until then it must not end the process.
  reading.catch(() => {});
  try {
    for await (const entry of sink) {
      const target = placeOf(folder, entry);
      const isFolder = entry.header.type === "directory";
      await makeFolders(isFolder ? target : dirname(target), { folders, owner });
      if (isFolder) entry.resume();
      else await writeFile(target, { entry, owner });
    }
  } catch (error) {
    sink.destroy();
    // The read error is the cause, and this one only its consequence.
    await reading;
    throw error;
  }
  await reading;
  for (const made of folders) await syncFolder(made);
}

/** An archive from someone else must not write outside the folder. */
function placeOf(folder: string, { header: { name, type } }: Entry): string {
  const path = normalize(join(folder, name));
  if (type !== "file" && type !== "directory")
    throw new Error(`The archive contains ${name}, which is neither a file nor a folder (${type}).`);
  if (path !== normalize(join(folder, "/")) && !path.startsWith(join(folder, "/")))
    throw new Error(`The archive contains ${name}, which points outside its folder.`);
  return path.replace(/\/$/, "");
}

async function makeFolders(path: string, { folders, owner }: { folders: Set<string>; owner: UnpackTarget["owner"] }): Promise<void> {
  if (folders.has(path)) return;
  await makeFolders(dirname(path), { folders, owner });
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  if (owner !== null) chownSync(path, owner.uid, owner.gid);
  folders.add(path);
}

async function writeFile(path: string, { entry, owner }: { entry: Entry; owner: UnpackTarget["owner"] }): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    if (owner !== null) await file.chown(owner.uid, owner.gid);
    for await (const part of entry as AsyncIterable<Buffer>) await file.writeFile(part);
    await file.sync();
  } finally {
    await file.close();
  }
}
