import { join } from "node:path";
import { fileURLToPath } from "node:url";

const modules = fileURLToPath(new URL("../../node_modules", import.meta.url));

/** Format and lint. */
export const biome = [join(modules, "@biomejs/biome/bin/biome"), "ci", "--colors=off", "--error-on-warnings", "."];

/** Types of one project; what hasn't changed since the last run isn't read again. */
export const tsc = (project: string, record: string) => [
  join(modules, "typescript/bin/tsc"),
  "-p",
  project,
  "--incremental",
  "--tsBuildInfoFile",
  join(modules, ".cache", "tillpost", `${record}.tsbuildinfo`),
];

/** Exports, files and packages that aren't needed. */
export const knip = [join(modules, "knip/bin/knip.js"), "--no-progress", "--treat-config-hints-as-errors"];

/** The same without tests: an export, file or package that only tests need. */
export const knipOfProduct = [join(modules, "knip/bin/knip.js"), "--no-progress", "--production"];
