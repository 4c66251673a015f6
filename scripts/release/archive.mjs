// Writes a release as a .tar.gz whose bytes only depend on its files: sorted, owned by root, with one timestamp.
import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { pack } from "tar-stream";
import { bytesOf } from "./contents.mjs";
import { foldersOf, isRunnable } from "./layout.mjs";

/** Packs the entries below one folder, each with `seconds` since 1970 as its time. */
export async function writeArchive(file, entries, { folder, seconds }) {
  const archive = pack();
  const written = pipeline(archive, createGzip({ level: 9 }), createWriteStream(file));
  const owned = { uid: 0, gid: 0, uname: "root", gname: "root", mtime: new Date(seconds * 1000) };
  const folders = foldersOf(entries.map(({ path }) => path)).map((path) => ({ path, isFolder: true }));
  const all = [{ path: "", isFolder: true }, ...[...folders, ...entries].sort((one, other) => (one.path < other.path ? -1 : 1))];
  for (const entry of all) await add(archive, entry, { ...owned, name: `${folder}/${entry.path}` });
  archive.finalize();
  await written;
}

function add(archive, entry, header) {
  const [type, mode] = entry.isFolder
    ? ["directory", 0o755]
    : entry.link === undefined
      ? ["file", isRunnable(entry) ? 0o755 : 0o644]
      : ["symlink", 0o777];
  const bytes = type === "file" ? bytesOf(entry) : undefined;
  return new Promise((resolve, reject) =>
    archive.entry({ ...header, type, mode, size: bytes?.length ?? 0, linkname: entry.link }, bytes, (error) =>
      error ? reject(error) : resolve(),
    ),
  );
}
