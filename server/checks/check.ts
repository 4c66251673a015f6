import { fileURLToPath } from "node:url";
import { commitFaults } from "./commits.ts";
import { importFaults, importingFolders } from "./import-rules.ts";
import { biome, knip, knipOfProduct, tsc } from "./programs.ts";
import { type Fault, readSources } from "./read/sources.ts";
import { runProgram } from "./run-program.ts";
import { tidyFaults } from "./tidy/index.ts";

/** A program: runs every check and exits with 1 if one of them finds a fault. With names as arguments it runs only those. */
const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/[/\\]$/, "");

const checks: Record<string, () => Promise<string[]>> = {
  format: () => runProgram(root, biome),
  types: async () => [...(await runProgram(root, tsc(".", "server"))), ...(await runProgram(root, tsc("web", "web")))],
  imports: async () => (await importFaults(root, importingFolders)).map(asLine),
  exports: async () => [...(await runProgram(root, knip)), ...(await runProgram(root, knipOfProduct))],
  tidy: async () => tidyFaults(readSources(root), root).map(asLine),
  commits: async () => commitFaults(root),
  // Loaded late: it runs the product, and the other checks should report even if that doesn't start.
  documents: async () => (await (await import("./documents.ts")).documentFaults(root)).map(asLine),
};

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => checks[name] === undefined);
if (unknown !== undefined) {
  console.error(`There is no check ${unknown}. There are: ${Object.keys(checks).join(", ")}.`);
  process.exit(2);
}
let failed = 0;
for (const [name, run] of Object.entries(checks)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const start = performance.now();
  const faults = await run();
  const took = `${((performance.now() - start) / 1000).toFixed(1)} s`;
  if (faults.length === 0) console.log(`✓ ${name} (${took})`);
  else console.log(`✗ ${name} (${took})\n${faults.map((fault) => `  ${fault.replaceAll("\n", "\n  ")}`).join("\n")}`);
  failed += faults.length === 0 ? 0 : 1;
}
console.log(failed === 0 ? "All checks passed." : `${failed} ${failed === 1 ? "check" : "checks"} failed.`);
process.exit(failed === 0 ? 0 : 1);

function asLine({ path, line, message }: Fault): string {
  return `${path}${line === undefined ? "" : `:${line}`}  ${message}`;
}
