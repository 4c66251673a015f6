import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { request } from "node:http";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildDashboard } from "#test/dashboard.ts";
import { eventually } from "#test/eventually.ts";
import { freePort } from "#test/free-port.ts";
import { databaseProcesses, killNow, Program, startProgram, temporaryFolder } from "#test/program.ts";
import { processEnvironment } from "../config.ts";

const folder = temporaryFolder();
const dataDir = join(folder.path, "data");
const started: Program[] = [];
const repository = fileURLToPath(new URL("../../../../", import.meta.url));

beforeAll(buildDashboard);
afterAll(async () => {
  for (const program of started) program.kill("SIGKILL");
  if (existsSync(join(dataDir, "postgres.json"))) databaseProcesses(dataDir).forEach(killNow);
  folder.remove();
});

async function serve(env: Record<string, string> = {}): Promise<Program> {
  const program = await startProgram({ dataDir, env });
  started.push(program);
  return program;
}

const statusOf = (program: Program, path: string) =>
  fetch(`${program.url}${path}`).then(
    ({ status }) => status,
    () => 0,
  );

function call(program: Program, path: string, body: object): Promise<Response> {
  const { project_id, api_key } = program.demo();
  const headers = { authorization: `Bearer ${api_key}`, "content-type": "application/json" };
  return fetch(`${program.url}/api/v1/projects/${project_id}/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}

/** Moments of a start, by what can be seen of each. */
const moments: [string, (program: Program) => boolean][] = [
  ["at once", () => true],
  ["when it holds its data folder", () => existsSync(join(dataDir, "lock"))],
  ["when its database runs", () => existsSync(join(dataDir, "postgres.json")) && databaseProcesses(dataDir).length > 0],
  ["when the database is brought up to date", ({ output }) => output.includes("brought up to date") || output.includes("is running.")],
];

describe("SIGTERM", () => {
  it.each(moments)("%s ends the program and its database, and the next start is whole", async (_moment, isNow) => {
    const program = await serve();
    await eventually(
      () => program.output,
      () => isNow(program),
    );
    program.kill("SIGTERM");
    const { code, signal } = await program.ended;
    // Before it watches for signals it ends as any program does.
    expect(signal ?? code, program.output).toBeOneOf([0, "SIGTERM"]);
    if (existsSync(join(dataDir, "postgres.json"))) expect(databaseProcesses(dataDir)).toEqual([]);
    const next = await (await serve()).ready();
    expect((await call(next, "orders", { amount_minor: 100, currency: "CNY" })).status).toBe(201);
    // It serves by now: the last of the moments.
    expect(await next.stop()).toEqual({ code: 0, signal: null });
    expect(databaseProcesses(dataDir)).toEqual([]);
  });

  it("is followed by 503 on /readyz for DRAIN_SECONDS, while everything else is served; a second one ends the wait", async () => {
    const program = await (await serve({ DRAIN_SECONDS: "600" })).ready();
    expect(await statusOf(program, "/readyz")).toBe(200);
    program.kill("SIGTERM");
    await eventually("/readyz says so", async () => (await statusOf(program, "/readyz")) === 503);
    expect(await statusOf(program, "/healthz")).toBe(200);
    expect((await call(program, "orders", { amount_minor: 100, currency: "CNY" })).status).toBe(201);
    // Two that come together are one request.
    await sleep(1_000);
    program.kill("SIGTERM");
    expect(await program.ended).toEqual({ code: 0, signal: null });
    expect(databaseProcesses(dataDir)).toEqual([]);
  });

  it("lets a request that has begun finish, ends streams and takes no new connections", async () => {
    const program = await (await serve({ DRAIN_SECONDS: "1" })).ready();
    const { project_id, api_key } = program.demo();
    const headers = { authorization: `Bearer ${api_key}`, "content-type": "application/json" };
    const stream = await fetch(`${program.url}/api/v1/projects/${project_id}/events/stream`, { headers });
    const body = JSON.stringify({ amount_minor: 4200, currency: "CNY" });
    const begun = request(`${program.url}/api/v1/projects/${project_id}/orders`, { method: "POST", headers: { ...headers, "content-length": body.length } });
    const answered = new Promise<number>((resolve, reject) => begun.once("response", ({ statusCode }) => resolve(statusCode ?? 0)).once("error", reject));
    begun.write(body.slice(0, 10));
    program.kill("SIGTERM");
    await eventually("new connections are refused", async () => (await statusOf(program, "/healthz")) === 0);
    begun.end(body.slice(10));
    expect(await answered).toBe(201);
    await stream.text().catch(() => "");
    expect(await program.ended).toEqual({ code: 0, signal: null });
  });
});

describe("npm start", () => {
  it.each(["SIGTERM", "SIGINT"] as const)("passes %s on, and ends after the server and its database", async (signal) => {
    const program = await startNpm();
    await program.ready();
    expect(databaseProcesses(dataDir).length).toBeGreaterThan(0);
    program.kill(signal);
    await program.ended;
    expect(program.output).toContain("everything is saved");
    expect(databaseProcesses(dataDir)).toEqual([]);
    expect(await statusOf(program, "/healthz")).toBe(0);
  });
});

/** npm as whoever runs these tests has it: the one that runs them, or the one of the path. */
async function startNpm(): Promise<Program> {
  const given = processEnvironment();
  const cli = given["npm_execpath"] ?? "";
  const [command, before] = cli.endsWith("js") ? [process.execPath, [cli]] : ["npm", []];
  const port = await freePort();
  const PATH = `${dirname(process.execPath)}${delimiter}${given["PATH"] ?? ""}`;
  const env = { PATH, HOME: folder.path, TILLPOST_DATA_DIR: dataDir, PORT: String(port), TILLPOST_NO_INSTALL: "1" };
  const child = spawn(command, [...before, "start"], { cwd: repository, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  const program = new Program(child, port, dataDir);
  started.push(program);
  return program;
}
