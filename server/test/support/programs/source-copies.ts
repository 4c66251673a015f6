import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { processEnvironment } from "#app/config.ts";

const repository = fileURLToPath(new URL("../../../../", import.meta.url));
const made: string[] = [];

/** A copy of a part of the repository, until `removeCopies`. */
export function copyOf(paths: readonly string[]): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "tillpost-copy-")));
  made.push(root);
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    cpSync(join(repository, path), join(root, path), { recursive: true });
  }
  return root;
}

/** A copy in which the sources of the server run, with the packages of this repository. */
export function runningCopy(): string {
  const root = copyOf([
    "package.json",
    "tsconfig.json",
    "server/package.json",
    "server/src",
    "server/test",
    "web/tokens.css",
    "docs/gateways",
  ]);
  for (const folder of ["node_modules", "server/node_modules"])
    if (existsSync(join(repository, folder))) symlinkSync(join(repository, folder), join(root, folder));
  return root;
}

export function removeCopies(): void {
  for (const path of made) rmSync(path, { recursive: true, force: true });
}

/** The environment of a person who runs something there, and not of the run that a test is part of. */
export const ownEnvironment = () =>
  Object.fromEntries(Object.entries(processEnvironment()).filter(([name]) => !/^(vitest|node_options|node_env|test)/i.test(name)));
