import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { request } from "node:http";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { processEnvironment } from "#app/config.ts";
import { freePort } from "#test/support/network/free-port.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { databaseProcesses, killNow, Program, startProgram, temporaryFolder } from "./program.ts";

const repository = fileURLToPath(new URL("../../../../", import.meta.url));

/** Programs on one data folder, one after the other, that are stopped. */
export class EndingPrograms {
  readonly #folder = temporaryFolder();
  readonly #dataDir = join(this.#folder.path, "data");
  readonly #started: Program[] = [];

  isDatabaseUp(): boolean {
    return existsSync(join(this.#dataDir, "postgres.json")) && databaseProcesses(this.#dataDir).length > 0;
  }

  async serve(env: Record<string, string> = {}): Promise<Program> {
    const program = await startProgram({ dataDir: this.#dataDir, env });
    this.#started.push(program);
    return program;
  }

  /** Starts it, and ends it at that moment. */
  async cutStart(moment: Moment): Promise<void> {
    const program = await this.serve();
    await eventually(
      () => program.output,
      () => {
        if (program.hasEnded) throw new Error(`the program ended by itself:\n${program.output}`);
        return this.#isAt(moment, program);
      },
      { everyMs: 20 },
    );
    program.kill("SIGTERM");
    const { code, signal } = await program.ended;
    // Before it handles signals it ends as any program does.
    expect(signal ?? code, program.output).toBeOneOf([0, "SIGTERM"]);
    expect(this.isDatabaseUp()).toBe(false);
  }

  #isAt(moment: Moment, { output }: Program): boolean {
    if (moment === "when it holds its data folder") return existsSync(join(this.#dataDir, "lock"));
    if (moment === "when its database runs") return this.isDatabaseUp();
    return moment === "at once" || output.includes("brought up to date") || output.includes("is running.");
  }

  /** Ends `npm start` with a signal only to npm, while a request and a stream are in progress. */
  async endNpm(signal: NodeJS.Signals): Promise<void> {
    const program = await this.#startNpm();
    await program.ready();
    expect(this.isDatabaseUp()).toBe(true);
    await endBusy(program, signal);
    await program.ended;
    expect(program.output).toContain("everything is saved");
    expect(this.isDatabaseUp()).toBe(false);
  }

  /** The npm of the user who runs these tests: the one that runs them, or the one in the path. */
  async #startNpm(): Promise<Program> {
    const given = processEnvironment();
    const cli = given["npm_execpath"] ?? "";
    const [command, before] = cli.endsWith("js") ? [process.execPath, [cli]] : ["npm", []];
    const port = await freePort();
    const PATH = `${dirname(process.execPath)}${delimiter}${given["PATH"] ?? ""}`;
    const own = { TILLPOST_DATA_DIR: this.#dataDir, PORT: String(port), TILLPOST_NO_INSTALL: "1", DRAIN_SECONDS: "1" };
    const env = { PATH, HOME: this.#folder.path, ...own };
    const child = spawn(command, [...before, "start"], { cwd: repository, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
    const program = new Program(child, port, this.#dataDir);
    this.#started.push(program);
    return program;
  }

  remove(): void {
    for (const program of this.#started) program.kill("SIGKILL");
    if (existsSync(join(this.#dataDir, "postgres.json"))) databaseProcesses(this.#dataDir).forEach(killNow);
    this.#folder.remove();
  }
}

/** Moments of a start, by the sign that shows each. */
export const moments = [
  "at once",
  "when it holds its data folder",
  "when its database runs",
  "when the database is brought up to date",
] as const;
type Moment = (typeof moments)[number];

async function endBusy(program: Program, signal: NodeJS.Signals): Promise<void> {
  const { url, headers } = callOf(program, "orders");
  const stream = await fetch(callOf(program, "events/stream").url, { headers });
  const body = JSON.stringify({ amount_minor: 4200, currency: "CNY" });
  const upload = request(url, { method: "POST", headers: { ...headers, "content-length": body.length } });
  const answered = new Promise<number>((resolve, reject) =>
    upload.once("response", ({ statusCode }) => resolve(statusCode ?? 0)).once("error", reject),
  );
  upload.write(body.slice(0, 10));
  program.kill(signal);
  await eventually("new connections are refused", async () => (await statusOf(program, "/healthz")) === 0, { everyMs: 20 });
  upload.end(body.slice(10));
  expect(await answered).toBe(201);
  await stream.text().catch(() => "");
}

export const statusOf = (program: Program, path: string) =>
  fetch(`${program.url}${path}`).then(
    ({ status }) => status,
    () => 0,
  );

/** How to call the demo's project. */
function callOf(program: Program, path: string) {
  const { project_id, api_key } = program.demo();
  return {
    url: `${program.url}/api/v1/projects/${project_id}/${path}`,
    headers: { authorization: `Bearer ${api_key}`, "content-type": "application/json" },
  };
}

/** The status of a new order: 201 from a healthy program. */
export async function orderOf(program: Program): Promise<number> {
  const { url, headers } = callOf(program, "orders");
  return (await fetch(url, { method: "POST", headers, body: JSON.stringify({ amount_minor: 100, currency: "CNY" }) })).status;
}
