import { existsSync } from "node:fs";
import { mkdir, open, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Anchor, type AnchorKeeper, parseAnchor } from "#audit/index.ts";
import { replaceFile, tryLock } from "../embedded/index.ts";

const name = "audit-anchors.jsonl";
const lockName = "audit-anchors.lock";
/** An anchor is written once a day, in much less. */
const longestChangeMs = 60_000;
/** A file that was being written when the machine went down blocks the next one for at most this long. */
const leftOverMs = 60_000;

/** Anchors of the audit log as lines of a file next to the data, which only its owner can read. Throws on an invalid line. */
export function anchorFile(dataFolder: string): AnchorKeeper & { path: string } {
  const path = join(dataFolder, name);
  let newest: string | null | undefined;
  const list = async () => {
    const anchors = await readLines(path);
    newest = anchors.at(-1)?.at.slice(0, 10) ?? null;
    return anchors;
  };
  return {
    path,
    list,
    async newestDay() {
      if (newest === undefined) await list();
      return newest ?? null;
    },
    async add(anchor) {
      await mkdir(dataFolder, { recursive: true, mode: 0o700 });
      await replaceAtomically(path, [...(await list()), anchor].map((one) => `${JSON.stringify(one)}\n`).join(""));
      newest = anchor.at.slice(0, 10);
    },
    async setAside(at) {
      const aside = join(dataFolder, `audit-anchors.until-${at.toISOString().replaceAll(":", "")}.jsonl`);
      newest = undefined;
      return replaceFile(aside, path).then(
        () => aside,
        (error: NodeJS.ErrnoException) => {
          if (error.code === "ENOENT") return null;
          throw error;
        },
      );
    },
    async change(work) {
      // Without a database in it, no backup copies this folder, and it may be on a disk of the network without locks.
      if (!existsSync(join(dataFolder, "postgres.json"))) return await work();
      const release = tryLock(dataFolder, lockName);
      if (release === null) return null;
      return await work().finally(release);
    },
  };
}

/**
 * Keeps the anchors of a data folder as they are until the returned function is called, in the file and in the database. Several processes
 * may at a time.
 */
export async function holdAnchors(dataFolder: string): Promise<() => void> {
  for (const end = performance.now() + longestChangeMs; performance.now() < end; await sleep(50)) {
    const release = tryLock(dataFolder, lockName, { shared: true });
    if (release !== null) return release;
  }
  throw new Error(`Another process has been changing the audit log's anchors in ${dataFolder} for more than a minute.`);
}

async function readLines(path: string): Promise<Anchor[]> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line, index) => readAnchor(line, `${path}, line ${index + 1}`));
}

function readAnchor(line: string, where: string): Anchor {
  const anchor = parseAnchor(line);
  if (anchor === null) throw new Error(`${where} is not an anchor of the audit log`);
  return anchor;
}

async function replaceAtomically(path: string, text: string): Promise<void> {
  const temporary = `${path}.new`;
  const left = await stat(temporary).catch(() => null);
  if (left !== null && Date.now() - left.mtimeMs > leftOverMs) await rm(temporary, { force: true });
  const handle = await open(temporary, "wx", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await replaceFile(path, temporary);
}
