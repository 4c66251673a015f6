import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { DataFolderSteps } from "#test/support/programs/data-folder-steps.ts";
import { commandOf, databaseFolder } from "#test/support/programs/program.ts";
import { makeOrder, Serving } from "#test/support/programs/serving.ts";
import { startedFolder } from "#test/support/programs/started-folder.ts";
import { ordersIn } from "#test/support/programs/stopped-app.ts";

const isRoot = process.getuid?.() === 0;
const serving = new Serving();
/** With what breaks shells, lists and addresses that are put together carelessly. */
const dataDir = join(serving.folder.path, "my data, '50 %'", "ü");
const steps = new DataFolderSteps(serving, dataDir);

afterAll(() => serving.end());

// The long form begins with an empty folder, and kills everything too, with a whole start after each kill.
describe("serve on one data folder, in the order of its lifecycle", () => {
  it("gives a folder to only one of two programs that start at the same time, and its secrets only to its owner", async () => {
    await startedFolder(dataDir);
    await steps.startTwo();
  });

  it("refuses a second one on the folder and identifies the first one, which continues", () => steps.refuseSecond());

  it("restarts the database if it dies while the program runs", () => steps.killDatabase());

  it("stops the database that a killed program left running, and loses nothing", async () => {
    const orphan = await steps.leaveDatabase();
    expect(await ordersIn(dataDir)).toContain(steps.order);
    expect(commandOf(orphan)).toBe("");
  });
});

// Only root's database has another user, who may not reach the data folder. The long form also serves as an ordinary user.
if (isRoot)
  describe("serve where the database cannot live in the data folder", () => {
    it("stores it in a place that its user can reach, closed to all others, and finds it there again", async () => {
      const home = join(serving.folder.path, "closed");
      mkdirSync(home, { mode: 0o700 });
      const dir = join(home, "data");
      const first = await (await serving.serve(dir)).ready();
      const order = await makeOrder(first);
      const place = databaseFolder(dir);
      expect(place).toMatch(/^\/var\/lib\/tillpost-[0-9a-f]{8}$/);
      for (const inner of ["postgres", "socket"]) expect(statSync(join(place, inner)).mode & 0o777).toBe(0o700);
      expect((await first.stop()).code).toBe(0);
      expect(await ordersIn(dir)).toEqual([order]);
      expect(databaseFolder(dir)).toBe(place);
    });
  });
