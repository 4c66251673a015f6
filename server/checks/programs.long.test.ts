import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { cases, lay, sound } from "#test/support/programs/broken-sources.ts";
import { runProgram } from "./run-program.ts";

const folder = await mkdtemp(join(tmpdir(), "tillpost-programs-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

// A compiler takes its time on a busy machine.
describe("npm run check", { timeout: 120_000 }, () => {
  test.each(cases)("detects $what, and passes correct files", async ({ command, broken, says }) => {
    await lay(folder, sound);
    expect(await runProgram(folder, command)).toEqual([]);
    await lay(folder, broken);
    expect((await runProgram(folder, command)).join()).toContain(says);
  });
});
