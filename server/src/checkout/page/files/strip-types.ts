import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { getCompileCacheDir } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const stripper = `
  const { readFileSync } = require("node:fs");
  const { stripTypeScriptTypes } = require("node:module");
  process.stdout.write(JSON.stringify(process.argv.slice(1).map((file) => stripTypeScriptTypes(readFileSync(file, "utf8")))));
`;

/**
 * Compiles our scripts for browsers. The result is kept in `folder`, where Node keeps our compiled sources, if it does: a later start only
 * reads it.
 */
export async function stripTypes(files: readonly URL[], folder = getCompileCacheDir()): Promise<string[]> {
  if (folder === undefined) return strip(files);
  const name = await nameOf(files);
  const known = await readKept(join(folder, name));
  if (known !== null) return known;
  const stripped = await strip(files);
  // Someone may be changing them.
  if ((await nameOf(files)) === name) await keep(join(folder, name), stripped);
  return stripped;
}

/** A separate process strips the types of all of them, because that takes 20 MB which are never freed. */
async function strip(files: readonly URL[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, ["--eval", stripper, ...files.map((file) => fileURLToPath(file))], {
    maxBuffer: 16_777_216,
  });
  return JSON.parse(stdout) as string[];
}

/** Contains the hash of their content. The folder belongs to one version of Node. */
async function nameOf(files: readonly URL[]): Promise<string> {
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
  return `stripped-${hashOf(JSON.stringify(texts))}`;
}

/** null if nothing was kept, or if it wasn't written completely. */
async function readKept(file: string): Promise<string[] | null> {
  const kept = await readFile(file, "utf8").catch(() => "");
  const [hash, json] = [kept.slice(0, hashLength), kept.slice(hashLength)];
  return hash === hashOf(json) ? (JSON.parse(json) as string[]) : null;
}

/** Nothing is kept if it can't be written, such as on a full disk. */
async function keep(file: string, texts: readonly string[]): Promise<void> {
  const json = JSON.stringify(texts);
  const half = `${file}.${randomUUID()}`;
  try {
    await writeFile(half, hashOf(json) + json);
    await rename(half, file);
  } catch {
    await rm(half, { force: true }).catch(() => {});
  }
}

const hashLength = 64;

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
