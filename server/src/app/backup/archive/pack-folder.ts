import { type FileHandle, open, readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { pack } from "tar-stream";

/** A tar archive that grows with each added entry. */
export interface Packing {
  archive: Readable;
  /** Adds the files below a folder that it doesn't have yet. Returns how many. */
  addFolder(folder: string, under: string): Promise<number>;
  /** Adds one file under a given name; false if it no longer exists. */
  addFile(name: string, path: string): Promise<boolean>;
  addText(name: string, text: string): void;
  finish(): void;
}

/** Starts an archive of files that other code keeps writing: each is included as it is once it has its final name. */
export function startPacking(): Packing {
  const tar = pack();
  const taken = new Set<string>();
  return {
    archive: tar as unknown as Readable,
    async addFolder(folder, under) {
      let added = 0;
      for await (const path of filesBelow(folder)) {
        const name = `${under}/${relative(folder, path)}`;
        if (!taken.has(name) && (await addFile(name, path))) added += 1;
      }
      return added;
    },
    addFile,
    addText: (name, text) => void tar.entry({ name, mode: 0o600 }, text),
    finish: () => tar.finalize(),
  };

  async function addFile(name: string, path: string): Promise<boolean> {
    const file = await open(path).catch((error: NodeJS.ErrnoException) => {
      // It was deleted a moment ago.
      if (error.code === "ENOENT") return null;
      throw error;
    });
    if (file === null) return false;
    const { entry, size } = await begin(name, file).catch(async (error: unknown) => {
      await file.close();
      throw error;
    });
    // Not more than it had when its size was read: a line may be added to it in the meantime. Closes the file, whatever happens.
    await pipeline(file.createReadStream({ start: 0, end: Math.max(0, size - 1) }), entry);
    taken.add(name);
    return true;
  }

  /** Throws if the archive has ended, for example because the disk that it is written to is full. */
  async function begin(name: string, file: FileHandle) {
    const { size, mtime } = await file.stat();
    return { entry: tar.entry({ name, size, mtime, mode: 0o600 }), size };
  }
}

/** The files of a folder and its subfolders, without those that are still being written, which end in `.new`. */
export async function* filesBelow(folder: string): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile() && !entry.name.endsWith(".new")) yield path;
  }
}
