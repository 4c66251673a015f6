import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { commandOf, databaseFolder, databaseProcesses, killNow } from "#test/support/programs/program.ts";
import { findOrder, makeOrder, Serving } from "#test/support/programs/serving.ts";
import { startedFolder } from "#test/support/programs/started-folder.ts";
import { openHere, ordersIn } from "#test/support/programs/stopped-app.ts";

const isRoot = process.getuid?.() === 0;
const serving = new Serving();
/** With what breaks shells, lists and addresses that are put together carelessly. */
const dataDir = join(serving.folder.path, "my data, '50 %'", "ü");
const serve = () => serving.serve(dataDir);

afterAll(() => serving.end());

// The long form begins with an empty folder, and has a whole start after everything was killed.
describe("serve on one data folder, in the order of its lifecycle", () => {
  let order = "";

  it("gives a folder to only one of two programs that start at the same time, and its secrets only to its owner", async () => {
    await startedFolder(dataDir);
    const both = await Promise.all([serve(), serve()]);
    expect((await serving.outcomes(both)).sort()).toEqual([1, "serves"]);
    const program = serving.running();
    for (const name of ["demo.json", "master-keys", "postgres.json", "lock", "running.json"])
      expect(statSync(join(dataDir, name)).mode & 0o777, name).toBe(0o600);
    // No terminal: what a newcomer needs is in the file, and not in what may be a log.
    expect(program.output).not.toContain(program.demo().api_key);
    expect(program.demo().base_url).toBe(program.url);
    order = await makeOrder(program);
  });

  it("refuses a second one on the folder and identifies the first one, which continues", async () => {
    const first = serving.running();
    const refusal = await openHere(dataDir).then(
      () => "opened",
      (error: Error) => error.message,
    );
    expect(refusal).toContain(`process ${first.pid}, ${first.url}`);
    expect(refusal).toContain("TILLPOST_DATA_DIR");
    expect(await findOrder(first, order)).toBe(200);
  });

  it("restarts the database if it dies while the program runs", async () => {
    const program = serving.running();
    for (const pid of databaseProcesses(dataDir)) killNow(pid);
    await expect.poll(() => findOrder(program, order), { interval: 50 }).toBe(200);
  });

  it("stops the database that a killed program left running, and loses nothing", async () => {
    const first = serving.running();
    first.kill("SIGKILL");
    await first.ended;
    const [orphan] = databaseProcesses(dataDir);
    expect(orphan).toBeGreaterThan(0);
    const program = await (await serve()).ready();
    expect(commandOf(orphan ?? 0)).toBe("");
    expect(await findOrder(program, order)).toBe(200);
    const late = await makeOrder(program);
    program.killEverything();
    await program.ended;
    order = late;
  });

  it("recovers after everything was killed, even if another process now has the database's old process id", async () => {
    const file = join(dataDir, "postgres", "postmaster.pid");
    const lines = readFileSync(file, "utf8").split("\n");
    writeFileSync(file, [String(process.ppid), ...lines.slice(1)].join("\n"));
    expect(await ordersIn(dataDir)).toContain(order);
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
