import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { startProgram, temporaryFolder } from "#test/program.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());

it("takes audit rows that no worker has chained yet for no fault where the installation is stopped, such as a restored one", async () => {
  const stopped = join(folder.path, "stopped");
  const program = await (await startProgram({ dataDir: stopped, env: { WORKERS: "off" } })).ready();
  await program.stop();
  const doctor = await startProgram({ dataDir: stopped, command: ["doctor", "--audit"] });
  await doctor.ended;
  expect(doctor.output).toMatch(/ok +audit +every audit row is chained to the one before \([1-9]\d* rows? of [1-9]/);
});
