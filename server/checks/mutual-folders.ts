import { dirname } from "node:path/posix";
import type { Fault } from "./read/sources.ts";

/** One file's import of another. */
export interface Import {
  from: string;
  to: string;
}

/** Pairs of folders that import each other. An index.ts may export what is further down in its folder. */
export function mutualFolderFaults(imports: readonly Import[]): Fault[] {
  const crossing = imports.filter(({ from, to }) => dirname(from) !== dirname(to) && !isEntry({ from, to }));
  const edges = new Set(crossing.map(({ from, to }) => `${dirname(from)} ${dirname(to)}`));
  return crossing
    .filter(({ from, to }) => edges.has(`${dirname(to)} ${dirname(from)}`))
    .map(({ from, to }) => ({
      path: from,
      message: `imports ${to}, and ${dirname(to)} imports ${dirname(from)} (no-mutual-folders). Move what both need into the lower folder, or the use case into the upper one.`,
    }));
}

function isEntry({ from, to }: Import): boolean {
  return /\/index\.tsx?$/.test(from) && to.startsWith(`${dirname(from)}/`);
}
