import { existsSync } from "node:fs";
import { join } from "node:path";
import { processEnvironment } from "#app/config.ts";
import { freshCopy } from "#test/support/programs/fresh-copy.ts";

/** An installed earlier version of the program. */
export interface OldProgram {
  main: string;
  remove(): void;
}

/**
 * The program at `commit`: from `OLD_PROGRAM`, a folder in which that commit is checked out and installed, or else checked out from this
 * clone's history and installed by npm, each with its own lock file. Throws an error with a sentence if neither is available.
 */
export function oldProgram(commit: string): OldProgram {
  const { OLD_PROGRAM: folder } = processEnvironment();
  if (folder !== undefined && folder !== "") return installedIn(folder, () => {});
  const copy = freshCopy({ commit });
  const { status, stderr } = copy.npm("ci", "--omit=dev", "--no-audit", "--no-fund");
  if (status === 0) return installedIn(copy.path, () => copy.remove());
  copy.remove();
  throw new Error(`npm could not install the packages of ${commit}:\n${stderr}`);
}

function installedIn(folder: string, remove: () => void): OldProgram {
  // Until the composition root moved out of `app`, the program started there.
  const main = ["main.ts", "app/main.ts"].map((name) => join(folder, "server", "src", name)).find((path) => existsSync(path));
  if (main !== undefined && existsSync(join(folder, "node_modules"))) return { main, remove };
  throw new Error(`${folder} holds no installed version of the program. Check out its commit there and run \`npm ci\`.`);
}
