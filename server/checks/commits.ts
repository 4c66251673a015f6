import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Commits after this one are checked. If the history lacks it, as in a shallow clone, its time decides. */
const base = { id: "2642048e", time: "2026-11-28T03:06:00Z" };

const longestSubject = 70;
/** A commit that changes more code files than this needs a body. */
const mostFilesWithoutBody = 10;
const areaAndWhat = /^[a-z0-9][a-z0-9-]*(?:, [a-z0-9][a-z0-9-]*)*: \S.*[^.\s]$/;
const code = /\.(?:ts|tsx|mjs|sql|css)$/;
const generated = /(?:^|\/)generated\//;
const trailer = /^[A-Z][\w-]*: .+/;

export interface Commit {
  id: string;
  message: string;
  /** Paths that it changes, or null if its parent isn't in the history. */
  files: readonly string[] | null;
}

/** Faults of all commits after the base. In an archive without history there are none. */
export function commitFaults(root: string): string[] {
  return existsSync(join(root, ".git")) ? readCommits(root, base).flatMap(faultsOf) : [];
}

/** CONTRIBUTING.md, "Commits", explains the rules. */
export function faultsOf({ id, message, files }: Commit): string[] {
  const [subject = "", blank = "", ...rest] = message.trimEnd().split("\n");
  const body = rest.some((line) => line.trim() !== "" && !trailer.test(line));
  const changed = files?.filter((path) => code.test(path) && !generated.test(path)).length ?? 0;
  const faults = [
    [[...subject].length > longestSubject, `has ${[...subject].length} characters; at most ${longestSubject} are allowed`],
    [!areaAndWhat.test(subject) && !subject.startsWith('Revert "'), 'must be "area: what", without a full stop'],
    [blank !== "", "must be followed by an empty line"],
    [changed > mostFilesWithoutBody && !body, `changes ${changed} code files: add a body that says why`],
  ] as const;
  return faults.filter(([broken]) => broken).map(([, what]) => `${id.slice(0, 8)} ${JSON.stringify(subject)} ${what}`);
}

/** Commits after the base, without merges. Empty if Git isn't installed or can't read the history here. */
export function readCommits(root: string, after: { id: string; time: string }): Commit[] {
  // Continuous integration runs this as another user than the one who owns the checkout.
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "safe.directory=*", ...args], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      maxBuffer: 2 ** 28,
    });
  try {
    const range = git("rev-list", "--all").includes(after.id) ? `${after.id}..HEAD` : "HEAD";
    const cutOff = readCutOff(join(root, git("rev-parse", "--git-path", "shallow").trim()));
    return git("log", "--no-merges", "--name-only", "--format=%x01%H%x00%ct%x00%B%x00", range)
      .split("\u0001")
      .map((text) => text.split("\u0000"))
      .filter(([, seconds]) => Number(seconds) * 1000 > Date.parse(after.time))
      .map(([id = "", , message = "", files = ""]) => ({
        id,
        message,
        files: cutOff.has(id) ? null : files.split("\n").filter((path) => path !== ""),
      }));
  } catch {
    return [];
  }
}

/** The commits of a shallow clone whose parents it lacks: Git lists all of their files as changed. */
function readCutOff(path: string): ReadonlySet<string> {
  return new Set(existsSync(path) ? readFileSync(path, "utf8").split("\n") : []);
}
