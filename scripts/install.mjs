// Installs the packages when they are missing or older than the lock file. Plain JavaScript, for any Node from 20 on.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const modules = join(root, "node_modules");
const lock = join(root, "package-lock.json");
const npmsOwnRecord = join(modules, ".package-lock.json");
const stamp = join(modules, ".tillpost-installed");

/** The Node that the lock file pins, whatever the machine's own one is. */
export function pinnedNode() {
  return join(modules, "node", "bin", process.platform === "win32" ? "node.exe" : "node");
}

/** Ends the process with npm's own exit code when an installation fails. */
export function ensureInstalled() {
  const wanted = createHash("sha256").update(readFileSync(lock)).digest("hex");
  if (existsSync(pinnedNode()) && (read(stamp) === wanted || isNewerThanLock(npmsOwnRecord))) return;
  const first = !existsSync(modules);
  console.error(first ? "Installing packages; this happens once." : "The lock file changed: installing packages.");
  npm(first ? ["ci"] : ["install", "--no-save"]);
  // Where npm was told not to run install scripts, the pinned Node and the database are not in place yet.
  if (!existsSync(pinnedNode())) npm(["rebuild", "--ignore-scripts=false", "node"]);
  if (!existsSync(pinnedNode())) {
    console.error("The pinned Node is missing (node_modules/node/bin). Allow its install script: npm rebuild --ignore-scripts=false node");
    process.exit(1);
  }
  writeFileSync(stamp, wanted);
}

function read(path) {
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}

function isNewerThanLock(path) {
  return existsSync(path) && statSync(path).mtimeMs >= statSync(lock).mtimeMs;
}

function npm(args) {
  const command = process.env.npm_execpath === undefined ? ["npm"] : [process.execPath, process.env.npm_execpath];
  const { status } = spawnSync(command[0], [...command.slice(1), ...args], { cwd: root, stdio: ["ignore", 2, 2], shell: command[0] === "npm" && process.platform === "win32" });
  if (status !== 0) process.exit(status ?? 1);
}
