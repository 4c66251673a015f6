import { chownSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { DataFolderSteps } from "#test/support/programs/data-folder-steps.ts";
import { commandOf, databaseFolder, databaseProcesses } from "#test/support/programs/program.ts";
import { findOrder, makeOrder, Serving } from "#test/support/programs/serving.ts";
import { startedFolder } from "#test/support/programs/started-folder.ts";
import { ordersIn } from "#test/support/programs/stopped-app.ts";
import { canReach } from "../embedded/postgres-user.ts";

const isRoot = process.getuid?.() === 0;
const nobody = { uid: 65_534, gid: 65_534 };
const serving = new Serving();
/** With what breaks shells, lists and addresses that are put together carelessly. */
const dataDir = join(serving.folder.path, "my data, '50 %'", "ü");
const steps = new DataFolderSteps(serving, dataDir);

afterAll(() => serving.end());

describe("serve on one data folder, in the order of its lifecycle", () => {
  it("gives an empty folder to only one of two programs that start at the same time, which creates a demo that only its owner can read", async () => {
    expect(await steps.startTwo()).toContain("demo.json");
  });

  it("refuses a second one on the folder and identifies the first one, which continues", () => steps.refuseSecond());

  it("stops the database that a killed program left running, and loses nothing", () => steps.killProgram());

  it("recovers after everything was killed, even if another process now has the database's old process id", async () => {
    steps.takeDatabasesPid();
    const program = await (await serving.serve(dataDir)).ready();
    expect(await findOrder(program, steps.order)).toBe(200);
    expect(program.demo().base_url).toBe(program.url);
    expect(program.output).not.toContain(program.demo().api_key);
  });

  it("restarts the database if it dies while the program runs", () => steps.killDatabase());

  it("protects the database from the terminal's Ctrl-C and ends it itself, in order", async () => {
    const program = serving.running();
    const [postmaster] = databaseProcesses(dataDir);
    const log = () => readFileSync(join(dataDir, "postgres.log"), "utf8");
    const before = log().length;
    process.kill(-program.pid, "SIGINT");
    expect(await program.ended).toEqual({ code: 0, signal: null });
    expect(commandOf(postmaster ?? 0)).toBe("");
    expect(log().slice(before)).toMatch(/received fast shutdown request[\s\S]*database system is shut down/);
  });
});

it("gives a folder to only one of two programs that start at the same time, and its secrets only to its owner", async () => {
  const started = join(dataDir, "../started");
  await startedFolder(started);
  await new DataFolderSteps(serving, started).startTwo();
  expect(await serving.running().stop()).toMatchObject({ code: 0 });
});

// Only root can start it as someone else.
if (isRoot && canReach(process.execPath, nobody))
  it("serve works the same for an ordinary user as for root", async () => {
    const home = join(serving.folder.path, "ordinary");
    mkdirSync(home, { mode: 0o700 });
    chownSync(home, nobody.uid, nobody.gid);
    const dir = join(home, "data");
    const program = await (await serving.serve(dir, { user: nobody })).ready();
    expect(databaseFolder(dir)).toBe(dir);
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    expect(await findOrder(program, await makeOrder(program))).toBe(200);
    program.kill("SIGINT");
    expect((await program.ended).code).toBe(0);
  });

// Only root's database has another user, who may not reach the data folder.
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
