// Bills of materials in CycloneDX: npm's own, and parts of it.
import { spawnSync } from "node:child_process";
import { refOf } from "./needed-packages.mjs";

/**
 * npm's own bill of everything in the lock file. Its `--omit dev` also leaves out what both development and the program need, so it isn't
 * used.
 */
export function bomOfEverything(folder) {
  const cli = process.env.npm_execpath;
  const [program, ...before] = cli?.endsWith("js") ? [process.execPath, cli] : ["npm"];
  const given = ["sbom", "--sbom-format", "cyclonedx", "--sbom-type", "application", "--package-lock-only"];
  const made = spawnSync(program, [...before, ...given], { cwd: folder, encoding: "utf8", maxBuffer: 256 * 1024 * 1024 });
  if (made.status !== 0) throw new Error(`npm sbom ended with ${made.status}: ${made.stderr}`);
  const bom = JSON.parse(made.stdout);
  // npm uses the folder's name, which is whatever the clone was called.
  bom.metadata.component.name = "tillpost";
  return bom;
}

/** The bill with only these packages of the lock file, and with the workspaces that need them. */
export function billOf(bom, owners, entries) {
  const kept = new Set([...[...entries].map(refOf), ...owners.map((owner) => `@tillpost/${owner}@${bom.metadata.component.version}`)]);
  const components = bom.components.filter((one) => kept.has(one["bom-ref"]));
  const refs = new Set([bom.metadata.component["bom-ref"], ...components.map((one) => one["bom-ref"])]);
  const dependencies = bom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }));
  return { ...bom, components, dependencies };
}
