// `npm run sbom`: writes what a production install consists of as CycloneDX, and refuses licenses that this project can't ship with.
// `--check` writes nothing.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { billOf, bomOfEverything } from "./release/bill.mjs";
import { everyOwner, neededPackages } from "./release/needed-packages.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Licenses that may be shipped with, and built by, an Apache-2.0 program, and require no more than a notice. */
const permissive = new Set([
  ...["MIT", "MIT-0", "ISC", "Apache-2.0", "0BSD", "BSD-2-Clause", "BSD-3-Clause", "BlueOak-1.0.0", "CC0-1.0", "CC-BY-4.0"],
  ...["Unlicense", "PSF-2.0", "Python-2.0", "OFL-1.1", "Zlib", "PostgreSQL"],
]);
/** Licenses that only bind the files or the library. docs/decisions/0021-what-is-shipped.md says why they may stay. */
const bounded = [
  { licence: "MPL-2.0", packages: /^(lightningcss(-.+)?|axe-core)$/ },
  { licence: "LGPL-3.0-or-later", packages: /^@img\/sharp-(libvips-.+|win32-.+|wasm32)$/ },
];

/** Licenses that packages declare in a form that npm doesn't read: a list of two, of which one may choose. */
const listed = { "pause-stream": "MIT OR Apache-2.0" };

/** One sentence for each component whose license is missing or not among the allowed ones. */
export function licenceFaults(components) {
  return components.flatMap((component) => {
    const name = component.group ? `${component.group}/${component.name}` : component.name;
    if (isOwn(component, name)) return [];
    const stated = (component.licenses ?? [])
      .map(({ expression, license }) => expression ?? license?.id ?? license?.name)
      .filter((term) => typeof term === "string");
    const terms = stated.length === 0 && Object.hasOwn(listed, name) ? [listed[name]] : stated;
    if (terms.length === 0) return [`${name} ${component.version}: names no licence`];
    return terms.every((term) => isAllowed(term, name)) ? [] : [`${name} ${component.version}: ${terms.join(", ")}`];
  });
}

function isOwn(component, name) {
  return (
    name.startsWith("@tillpost/") ||
    (component.properties ?? []).some((one) => one.name === "cdx:npm:package:private" && one.value === "true")
  );
}

/** `A OR B` is a choice, `A AND B` requires both. */
function isAllowed(expression, name) {
  const bare = expression.replace(/[()]/g, " ").trim();
  if (/\sOR\s/.test(bare)) return bare.split(/\sOR\s/).some((part) => isAllowed(part, name));
  if (/\sAND\s/.test(bare)) return bare.split(/\sAND\s/).every((part) => isAllowed(part, name));
  return permissive.has(bare) || bounded.some(({ licence, packages }) => licence === bare && packages.test(name));
}

function productionBill(bom) {
  const { packages } = JSON.parse(readFileSync(`${root}package-lock.json`, "utf8"));
  return billOf(bom, everyOwner, neededPackages(packages, everyOwner));
}

function main(args) {
  const bom = bomOfEverything(root);
  const faults = licenceFaults(bom.components);
  for (const fault of faults) process.stderr.write(`✗ ${fault}\n`);
  process.stdout.write(`${bom.components.length} packages, ${faults.length} with a licence that is not allowed\n`);
  if (!args.includes("--check")) {
    const file = args.find((arg) => !arg.startsWith("-")) ?? "sbom.cdx.json";
    writeFileSync(file, `${JSON.stringify(productionBill(bom), null, 2)}\n`);
    process.stdout.write(`wrote ${file}: what a production install consists of\n`);
  }
  process.exitCode = faults.length === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
