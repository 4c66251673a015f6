import { dirname } from "node:path/posix";
import type { Fault } from "./read/sources.ts";

/** One file's import of another. */
export interface Import {
  from: string;
  to: string;
}

/** Files whose imports do not count, because putting parts together is all they do. The list may only get shorter; every entry has its reason. */
export const plumbing: Readonly<Record<string, string>> = {
  "server/src/app/main.ts": "starts the command that was asked for; the commands share the settings beside it",
  "server/src/http/server.ts": "mounts every surface; the surfaces share the lists, uploads and errors beside it",
  "server/src/http/server-options.ts": "gives the framework its error answers and limits, which share the errors beside it",
  "server/src/platform/context.ts": "names the type of every mechanism that rooms are given, the egress among them, which throws the errors beside it",
};

/** Pairs of folders that import each other. An index.ts may export what lies below it, and plumbing does not count. */
export function mutualFolderFaults(imports: readonly Import[], exceptions: Readonly<Record<string, string>> = plumbing): Fault[] {
  const crossing = imports.filter(({ from, to }) => dirname(from) !== dirname(to) && !isFrontDoor({ from, to }));
  const pairs = mutualPairs(crossing.filter(({ from }) => exceptions[from] === undefined));
  const faults = pairs.map(({ from, to }) => ({
    path: from,
    message: `imports ${to}, and ${dirname(to)} imports ${dirname(from)} (no-mutual-folders). Move what both need into the lower folder, or the use case into the upper one.`,
  }));
  const needed = new Set(mutualPairs(crossing).map(({ from }) => from));
  const read = new Set(imports.map(({ from }) => from));
  const stale = Object.keys(exceptions).filter((path) => read.has(path) && !needed.has(path));
  return [
    ...faults,
    ...stale.map((path) => ({
      path,
      message: "makes no folders import each other any more: take it off the list of plumbing in server/checks/mutual-folders.ts",
    })),
  ];
}

function isFrontDoor({ from, to }: Import): boolean {
  return /\/index\.tsx?$/.test(from) && to.startsWith(`${dirname(from)}/`);
}

/** Every import between two folders that is answered by one in the other direction. */
function mutualPairs(crossing: Import[]): Import[] {
  const edges = new Set(crossing.map(({ from, to }) => `${dirname(from)} ${dirname(to)}`));
  return crossing.filter(({ from, to }) => edges.has(`${dirname(to)} ${dirname(from)}`));
}
