import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DataFolderSteps } from "#test/support/programs/data-folder-steps.ts";
import { commandOf } from "#test/support/programs/program.ts";
import { Serving } from "#test/support/programs/serving.ts";
import { startedFolder } from "#test/support/programs/started-folder.ts";
import { ordersIn } from "#test/support/programs/stopped-app.ts";

const serving = new Serving();
/** With what breaks shells, lists and addresses that are put together carelessly. */
const dataDir = join(serving.folder.path, "my data, '50 %'", "ü");
const steps = new DataFolderSteps(serving, dataDir);

beforeAll(async () => {
  await startedFolder(dataDir);
  await steps.start();
});

afterAll(() => serving.end());

// In the long form two programs start on the folder, everything is killed too, and a whole start follows each kill.
describe("serve on one data folder, in the order of its lifecycle", () => {
  it("refuses a second one on the folder and identifies the first one, which continues", () => steps.refuseSecond());

  it("restarts the database if it dies while the program runs", () => steps.killDatabase());

  it("stops the database that a killed program left running, and loses nothing", async () => {
    const orphan = await steps.leaveDatabase();
    expect(await ordersIn(dataDir)).toContain(steps.order);
    expect(commandOf(orphan)).toBe("");
  });
});
