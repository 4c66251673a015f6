// `npm run release -- --out <folder>`: creates an archive of the commit that is checked out, with everything that it needs to run on one
// platform.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { writeArchive } from "./release/archive.mjs";
import { billText, checksums, versionOf } from "./release/contents.mjs";
import { layoutOf, platformOf, platforms } from "./release/layout.mjs";

const here = fileURLToPath(new URL("..", import.meta.url));
const mine = `${process.platform}-${process.arch}`;
const usage = `npm run release -- --out <folder> [--platform ${platforms.join("|")}]`;

try {
  const { values } = parseArgs({ options: { out: { type: "string" }, platform: { type: "string", default: mine } } });
  if (values.out === undefined || !platforms.includes(values.platform)) throw new Error(usage);
  await release(resolve(values.out), values.platform);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

async function release(out, platform) {
  const changed = git(here, "status", "--porcelain");
  if (changed !== "") process.stdout.write(`Not in this release, because it isn't committed:\n${changed}\n`);
  const root = realpathSync(mkdtempSync(join(tmpdir(), "tillpost-release-")));
  try {
    checkOut(root, git(here, "rev-parse", "HEAD"));
    install(root, platform);
    const seconds = Number(git(root, "log", "-1", "--format=%ct"));
    await writeRelease({ root, platform, seconds }, out);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function git(cwd, ...args) {
  return execFileSync("git", args, { cwd, encoding: "utf8" }).trim();
}

/** Only from the commit: neither other files nor changes in node_modules can get in. */
function checkOut(root, commit) {
  execFileSync("git", ["clone", "--quiet", "--shared", "--no-checkout", here, root]);
  execFileSync("git", ["checkout", "--quiet", "--detach", commit], { cwd: root });
}

/** Builds the dashboard with this machine's packages, then replaces them with those of the platform. */
function install(root, platform) {
  npmCi(root, mine);
  execFileSync(process.execPath, [join(root, "scripts/dashboard.mjs")], { cwd: root, stdio: "inherit" });
  if (platform !== mine) npmCi(root, platform);
}

function npmCi(root, platform) {
  const { os, cpu, libc } = platformOf(platform);
  const target = [`--os=${os}`, `--cpu=${cpu}`, ...(libc === undefined ? [] : [`--libc=${libc}`])];
  process.stdout.write(`Installing the packages for ${os} ${cpu}.\n`);
  execFileSync("npm", ["ci", "--omit=dev", "--ignore-scripts", "--loglevel=error", ...target], { cwd: root, stdio: "inherit" });
}

async function writeRelease({ root, platform, seconds }, out) {
  const name = `tillpost-${versionOf(root)}-${platform}`;
  const entries = layoutOf(root, platform);
  const bill = billText({ root, platform, seconds }, entries);
  entries.push({ path: "sbom.cdx.json", text: bill });
  const contents = checksums(entries);
  entries.push({ path: "SHA256SUMS", text: contents });
  mkdirSync(out, { recursive: true });
  const files = { [`${name}.tar.gz`]: null, [`${name}.sbom.cdx.json`]: bill, [`${name}.contents`]: contents };
  await writeArchive(join(out, `${name}.tar.gz`), entries, { folder: name, seconds });
  for (const [file, text] of Object.entries(files)) if (text !== null) writeFileSync(join(out, file), text);
  const sums = Object.keys(files).map(
    (file) =>
      `${createHash("sha256")
        .update(readFileSync(join(out, file)))
        .digest("hex")}  ${file}\n`,
  );
  writeFileSync(join(out, `${name}.sha256`), sums.join(""));
  process.stdout.write(`${sums.join("")}${out}: ${entries.length} files in ${name}.tar.gz\n`);
}
