// The files of a release about itself: its packages, and the checksum of every file.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { billOf, bomOfEverything } from "./bill.mjs";
import { releaseOwners, shippedPackages } from "./layout.mjs";

/** The CycloneDX bill of the packages in these entries, as of `seconds` since 1970. The same packages and time give the same text. */
export function billText({ root, platform, seconds }, entries) {
  const folders = new Set(entries.map(({ from, path }) => packageOf(from?.slice(root.length) ?? path)));
  const shipped = [...shippedPackages(root, platform)].filter(([path]) => folders.has(path));
  const { serialNumber, metadata, ...bill } = billOf(bomOfEverything(root), releaseOwners, shipped);
  const stamped = { ...metadata, timestamp: new Date(seconds * 1000).toISOString() };
  const hash = createHash("sha256")
    .update(JSON.stringify({ ...bill, metadata: stamped }))
    .digest("hex");
  const uuid = hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-5$3-8$4-$5");
  return `${JSON.stringify({ serialNumber: `urn:uuid:${uuid}`, ...bill, metadata: stamped }, null, 2)}\n`;
}

/** The folder of the package that a file belongs to, as the lock file spells it. */
function packageOf(path) {
  return /^[\\/]?((?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+)/.exec(path.replaceAll("\\", "/"))?.[1] ?? "";
}

/** One line per file, as `sha256sum --check` reads them. */
export function checksums(entries) {
  return entries
    .filter(({ link }) => link === undefined)
    .map((entry) => `${createHash("sha256").update(bytesOf(entry)).digest("hex")}  ${entry.path}\n`)
    .join("");
}

/** The content of a release's file. */
export function bytesOf({ from, text }) {
  return text === undefined ? readFileSync(from) : Buffer.from(text);
}

/** The version in a release's name. */
export function versionOf(root) {
  return JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version;
}
