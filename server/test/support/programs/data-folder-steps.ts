import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { commandOf, databaseProcesses, killNow } from "./program.ts";
import { findOrder, makeOrder, type Serving } from "./serving.ts";
import { openHere } from "./stopped-app.ts";

/** What can happen to a data folder that `serve` uses, in any order that the tests need. */
export class DataFolderSteps {
  readonly #serving: Serving;
  readonly #dataDir: string;
  /** An order that is in the folder and must stay there. */
  order = "";

  constructor(serving: Serving, dataDir: string) {
    this.#serving = serving;
    this.#dataDir = dataDir;
  }

  /** A program starts, and serves. */
  async start(): Promise<void> {
    const program = await (await this.#serving.serve(this.#dataDir)).ready();
    this.order = await makeOrder(program);
  }

  /** Two programs start at the same time, and one serves. Returns what it wrote. */
  async startTwo(): Promise<string> {
    const both = await Promise.all([this.#serving.serve(this.#dataDir), this.#serving.serve(this.#dataDir)]);
    expect((await this.#serving.outcomes(both)).sort()).toEqual([1, "serves"]);
    const program = this.#serving.running();
    for (const name of ["demo.json", "master-keys", "postgres.json", "lock", "running.json"])
      expect(statSync(join(this.#dataDir, name)).mode & 0o777, name).toBe(0o600);
    // No terminal: what a newcomer needs is in the file, and not in what may be a log.
    expect(program.output).not.toContain(program.demo().api_key);
    expect(program.demo().base_url).toBe(program.url);
    this.order = await makeOrder(program);
    return program.output;
  }

  async refuseSecond(): Promise<void> {
    const first = this.#serving.running();
    const refusal = await openHere(this.#dataDir).then(
      () => "opened",
      (error: Error) => error.message,
    );
    expect(refusal).toContain(`process ${first.pid}, ${first.url}`);
    expect(refusal).toContain("TILLPOST_DATA_DIR");
    expect(await findOrder(first, this.order)).toBe(200);
  }

  async killDatabase(): Promise<void> {
    const program = this.#serving.running();
    for (const pid of databaseProcesses(this.#dataDir)) killNow(pid);
    await expect.poll(() => findOrder(program, this.order), { interval: 50 }).toBe(200);
  }

  /** The program is killed without its database. Returns the process of what it leaves. */
  async leaveDatabase(): Promise<number> {
    const program = this.#serving.running();
    program.kill("SIGKILL");
    await program.ended;
    const [orphan = 0] = databaseProcesses(this.#dataDir);
    expect(orphan).toBeGreaterThan(0);
    return orphan;
  }

  /** The program is killed without its database, starts again, and then everything is killed. */
  async killProgram(): Promise<void> {
    const orphan = await this.leaveDatabase();
    const program = await (await this.#serving.serve(this.#dataDir)).ready();
    expect(commandOf(orphan)).toBe("");
    expect(await findOrder(program, this.order)).toBe(200);
    const late = await makeOrder(program);
    program.killEverything();
    await program.ended;
    this.order = late;
  }

  /** After everything was killed: this process gets the database's process id. */
  takeDatabasesPid(): void {
    const file = join(this.#dataDir, "postgres", "postmaster.pid");
    const lines = readFileSync(file, "utf8").split("\n");
    writeFileSync(file, [String(process.ppid), ...lines.slice(1)].join("\n"));
  }
}
