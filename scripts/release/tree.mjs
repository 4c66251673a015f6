// `node scripts/release/tree.mjs <folder> [part …]`: copies what a release consists of into a folder, from sources whose packages are
// installed and whose dashboard is built. The image is made from it. SOURCE_DATE_EPOCH is the time in the bill of materials.
import { chmodSync, copyFileSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { billText, checksums } from "./contents.mjs";
import { isRunnable, layoutOf } from "./layout.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const [to, ...parts] = process.argv.slice(2);
if (to === undefined) throw new Error("Where to? node scripts/release/tree.mjs <folder> [program] [database] [documents]");

const platform = `${process.platform}-${process.arch}`;
const entries = layoutOf(root, platform, parts.length === 0 ? undefined : parts);
const name = parts.length === 0 ? "release" : parts.join("-");
entries.push({
  path: `sbom/${name}.cdx.json`,
  text: billText({ root, platform, seconds: Number(process.env.SOURCE_DATE_EPOCH ?? 0) }, entries),
});
entries.push({ path: `sbom/${name}.sha256`, text: checksums(entries) });
let bytes = 0;
for (const entry of entries) {
  const path = join(to, entry.path);
  mkdirSync(dirname(path), { recursive: true });
  if (entry.link !== undefined) symlinkSync(entry.link, path);
  else if (entry.text !== undefined) writeFileSync(path, entry.text);
  else copyFileSync(entry.from, path);
  if (entry.link !== undefined) continue;
  chmodSync(path, isRunnable(entry) ? 0o755 : 0o644);
  bytes += statSync(path).size;
}
process.stdout.write(`${to}: ${entries.length} files, ${(bytes / 1e6).toFixed(1)} MB\n`);
