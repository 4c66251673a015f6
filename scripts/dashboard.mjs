// Builds the dashboard into web/dist/dashboard if its sources changed since the last build. Runs on its own, or before `npm start` and
// browser tests.
import { spawn } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const root = fileURLToPath(new URL("..", import.meta.url));
const built = join(root, "web/dist/dashboard");
const record = "sources.txt";
const sources = [
  "web/dashboard",
  "web/brand",
  "web/pictures",
  "web/language",
  "web/tokens.css",
  "web/vite.config.ts",
  "web/package.json",
  "sdk/src",
  "scripts/dashboard.mjs",
];
const notSources = /\.(md|test\.tsx?)$/;

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildDashboard();

/**
 * Builds with the given Node, in a separate process, if something changed. Two concurrent callers are harmless: the build that ends last
 * remains.
 */
export async function ensureDashboard(node) {
  if (!isStale()) return;
  process.stdout.write("Building the dashboard.\n");
  const child = spawn(node, [fileURLToPath(import.meta.url)], { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("exit", resolve));
  if (code !== 0) throw new Error("The dashboard could not be built; the reason stands above. Everything else runs without it.");
}

function isStale() {
  const file = join(built, record);
  return !existsSync(file) || readFileSync(file, "utf8") !== hashSources();
}

async function buildDashboard() {
  const hash = hashSources();
  const fresh = `${built}.${randomUUID()}`;
  await buildInto(fresh);
  await writeFile(join(fresh, record), hash);
  await putInPlace(fresh);
}

/** Builds and compresses into the caller's folder. Tests add plugins that change a module. */
export async function buildInto(folder, plugins = []) {
  // A test run sets another value, which would build the libraries with their warnings for developers: half as large again, and slower.
  process.env.NODE_ENV = "production";
  const { build } = await import("vite");
  await build({ configFile: join(root, "web/vite.config.ts"), plugins, build: { outDir: folder }, logLevel: "error" });
  await compressAll(join(folder, "assets"));
}

/** A rename swaps the folders, so that a server never reads half a build. */
async function putInPlace(fresh) {
  const old = `${fresh}.old`;
  await mkdir(join(root, "web/dist"), { recursive: true });
  if (existsSync(built)) await rename(built, old).catch(() => {});
  await rename(fresh, built).catch(async (error) => {
    // Another process was faster; its result is equivalent.
    if (!existsSync(join(built, record))) throw error;
    await rm(fresh, { recursive: true, force: true });
  });
  await rm(old, { recursive: true, force: true });
}

async function compressAll(folder) {
  const squeeze = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  await Promise.all(
    (await readdir(folder)).map(async (name) => {
      const plain = await readFile(join(folder, name));
      await Promise.all([
        promisify(brotliCompress)(plain, squeeze).then((bytes) => writeFile(join(folder, `${name}.br`), bytes)),
        promisify(gzip)(plain, { level: 9 }).then((bytes) => writeFile(join(folder, `${name}.gz`), bytes)),
      ]);
    }),
  );
}

function hashSources() {
  const hash = createHash("sha256");
  for (const path of sources.flatMap(filesUnder).sort())
    hash
      .update(path)
      .update("\0")
      .update(readFileSync(join(root, path)))
      .update("\0");
  return hash.digest("hex");
}

function filesUnder(path) {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  const entries = readdirSync(join(root, path), { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && !notSources.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length));
  return files.map((file) => file.replaceAll("\\", "/"));
}
