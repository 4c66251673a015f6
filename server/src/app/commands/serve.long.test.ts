import { chownSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { commandOf, databaseFolder, databaseProcesses, killNow } from "#test/support/programs/program.ts";
import { findOrder, makeOrder, Serving } from "#test/support/programs/serving.ts";
import { openHere } from "#test/support/programs/stopped-app.ts";
import { canReach } from "../embedded/postgres-user.ts";

const nobody = { uid: 65_534, gid: 65_534 };
const serving = new Serving();
/** With what breaks shells, lists and addresses that are put together carelessly. */
const dataDir = join(serving.folder.path, "my data, '50 %'", "ü");
const serve = () => serving.serve(dataDir);

afterAll(() => serving.end());

describe("serve on one data folder, in the order of its lifecycle", () => {
  let order = "";

  it("gives an empty folder to only one of two programs that start at the same time, which creates a demo that only its owner can read", async () => {
    const both = await Promise.all([serve(), serve()]);
    expect((await serving.outcomes(both)).sort()).toEqual([1, "serves"]);
    const program = serving.running();
    for (const name of ["demo.json", "master-keys", "postgres.json", "lock", "running.json"])
      expect(statSync(join(dataDir, name)).mode & 0o777, name).toBe(0o600);
    // No terminal: what a newcomer needs is in the file, and not in what may be a log.
    expect(program.output).not.toContain(program.demo().api_key);
    expect(program.output).toContain("demo.json");
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
    const program = await (await serve()).ready();
    expect(await findOrder(program, order)).toBe(200);
    expect(program.demo().base_url).toBe(program.url);
    expect(program.output).not.toContain(program.demo().api_key);
  });

  it("restarts the database if it dies while the program runs", async () => {
    const program = serving.running();
    for (const pid of databaseProcesses(dataDir)) killNow(pid);
    await expect.poll(() => findOrder(program, order), { interval: 50 }).toBe(200);
  });

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

// Only root can start it as someone else.
if (process.getuid?.() === 0 && canReach(process.execPath, nobody))
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
