import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { cases, lay } from "#test/support/programs/broken-sources.ts";
import { outdated } from "./documents.ts";
import { runProgram } from "./run-program.ts";

const folder = await mkdtemp(join(tmpdir(), "tillpost-programs-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("npm run check", () => {
  // That correct files pass is what every run of it shows, and the long form.
  test.each(cases)("detects $what", async ({ command, broken, says }) => {
    await lay(folder, broken);
    expect((await runProgram(folder, command)).join()).toContain(says);
  });

  test("detects an outdated generated document", async () => {
    const documents = new Map([
      ["docs/a.md", "new"],
      ["docs/b.md", "same"],
      ["docs/c.md", "missing"],
    ]);
    const files: Record<string, string> = { "docs/a.md": "old", "docs/b.md": "same" };
    expect((await outdated(documents, async (path) => files[path] ?? null)).map((fault) => fault.path)).toEqual(["docs/a.md", "docs/c.md"]);
  });
});
