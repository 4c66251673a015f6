import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { processEnvironment } from "#app/config.ts";
import { type Commit, commitFaults, faultsOf, readCommits } from "./commits.ts";

const folder = mkdtempSync(join(tmpdir(), "tillpost-commits-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const codeFiles = (count: number) => Array.from({ length: count }, (_, index) => `server/src/orders/file-${index}.ts`);
const commit = (message: string, files: Commit["files"] = ["server/src/orders/order.ts"]): Commit => ({
  id: "0123456789abcdef",
  message,
  files,
});

describe("a commit", () => {
  test.each<[string, Commit]>([
    ["has no area", commit("Keep refunds apart")],
    ["has an area in capitals", commit("Orders: keep refunds apart")],
    ["has an empty subject", commit("orders: ")],
    ["ends with a full stop", commit("orders: keep refunds apart.")],
    ["has 71 characters", commit(`orders: ${"x".repeat(63)}`)],
    ["has no empty line below its subject", commit("orders: keep refunds apart\nBecause they are.")],
    ["changes eleven code files without a body", commit("orders: keep refunds apart", codeFiles(11))],
    [
      "changes eleven code files and has nothing but trailers",
      commit("orders: keep refunds apart\n\nSigned-off-by: A <a@example.com>\n", codeFiles(11)),
    ],
  ])("that %s is refused", (_what, refused) => {
    expect(faultsOf(refused)).toHaveLength(1);
  });

  test.each<[string, Commit]>([
    ["70 characters", commit(`orders: ${"x".repeat(62)}`)],
    ["two areas", commit("orders, http: keep refunds apart")],
    ["ten code files", commit("orders: keep refunds apart", codeFiles(10))],
    ["eleven code files and a body", commit("orders: keep refunds apart\n\nThey have other limits.\n", codeFiles(11))],
    [
      "many documents and generated files",
      commit("docs: read plainly", [...codeFiles(10), "sdk/src/generated/api.ts", "docs/index.md", "docs/sms.md"]),
    ],
    ["files that a shallow clone can't compare", commit("orders: keep refunds apart", null)],
    ["Git's own subject of a revert", commit('Revert "orders: keep refunds apart"\n\nThis reverts commit 0123456.\n')],
  ])("with %s passes", (_what, passed) => {
    expect(faultsOf(passed)).toEqual([]);
  });
});

describe("the history", () => {
  const origin = join(folder, "origin");
  const git = (root: string, at: string, ...args: string[]) =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.com", ...args], {
      cwd: root,
      encoding: "utf8",
      env: {
        ...processEnvironment(),
        GIT_AUTHOR_DATE: at,
        GIT_COMMITTER_DATE: at,
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_CONFIG_SYSTEM: "/dev/null",
      },
    }).trim();
  const write = (at: string, subject: string, files: readonly string[]) => {
    for (const name of files) writeFileSync(join(origin, name), subject);
    git(origin, at, "add", ".");
    git(origin, at, "commit", "--quiet", "--message", subject);
    return git(origin, at, "rev-parse", "HEAD");
  };
  mkdirSync(origin);
  git(origin, "2026-11-24T00:00:00Z", "init", "--quiet", "--initial-branch=main");
  write("2026-11-24T00:00:00Z", "Older than the rule", ["a.ts"]);
  const base = { id: write("2026-11-24T01:00:00Z", "The base", ["b.ts"]), time: "2026-11-24T01:00:00Z" };
  git(origin, base.time, "checkout", "--quiet", "-b", "side", "HEAD~1");
  write("2026-11-24T00:30:00Z", "Begun before the base", ["e.ts"]);
  git(origin, base.time, "checkout", "--quiet", "main");
  const second = write("2026-11-24T02:00:00Z", "orders: second", ["c.ts"]);
  git(origin, "2026-11-24T03:00:00Z", "merge", "--quiet", "--no-ff", "--message", "Merge branch side", "side");
  const last = write("2026-11-24T04:00:00Z", "orders: last", ["c.ts", "d.ts"]);

  test("has the commits after the base with their files, without merges and older ones", () => {
    expect(readCommits(origin, base).map(({ id, files }) => [id, files])).toEqual([
      [last, ["c.ts", "d.ts"]],
      [second, ["c.ts"]],
    ]);
  });

  test("of a shallow clone has the commits that it contains, and no files for the first one", () => {
    const shallow = join(folder, "shallow");
    execFileSync("git", ["clone", "--quiet", "--depth", "1", `file://${origin}`, shallow], { stdio: "ignore" });
    expect(readCommits(shallow, base).map(({ id, files }) => [id, files])).toEqual([[last, null]]);
  });

  test("is empty in an archive, and where Git can't read it", () => {
    const archive = join(folder, "archive");
    mkdirSync(archive);
    expect(commitFaults(archive)).toEqual([]);
    writeFileSync(join(archive, ".git"), "gitdir: /nowhere\n");
    expect(readCommits(archive, base)).toEqual([]);
  });
});
