import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { temporaryFolder } from "#test/support/programs/program.ts";
import { runHere } from "#test/support/programs/run-here.ts";
import { startedFolder } from "#test/support/programs/started-folder.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());

it("doesn't count unchained audit rows as a fault if the installation is stopped, such as a restored one", async () => {
  const dataDir = await startedFolder(join(folder.path, "stopped"));
  const { output } = await runHere({ dataDir, command: ["doctor", "--audit"] });
  expect(output).toMatch(/ok +audit +every audit row is chained to the one before \([1-9]\d* rows? of [1-9]/);
});
