import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readSettings } from "#app/config.ts";
import type { Runtime } from "#app/runtime/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { testEnvironment } from "#test/support/app/test-environment.ts";
import { startDatabaseProxy } from "#test/support/network/database-proxy.ts";
import { freePort } from "#test/support/network/free-port.ts";
import { Serving } from "#test/support/programs/serving.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { openWorkerServer } from "./process/open-server.ts";

const app = await testApp();
const serving = new Serving();

afterAll(() => serving.end());

const work = (port: number) =>
  serving.serve(serving.folder.path, {
    command: ["worker"],
    env: { ...testEnvironment(app.url), WORKER_PORT: String(port), LOG_PRETTY: "off" },
  });

async function ask(port: number, path: string): Promise<{ status: number; text: string }> {
  let answer: Response | null = null;
  const isAnswered = async () => {
    answer = await fetch(`http://localhost:${port}${path}`).catch(() => null);
    return answer !== null;
  };
  await eventually(`an answer on port ${port}`, isAnswered, { everyMs: 50 });
  const { status, text } = answer as unknown as Response;
  return { status, text: await text.call(answer) };
}

test("a worker reports itself, its tasks and the queues to operators, and nothing about the API", async () => {
  const port = await freePort();
  const program = await work(port);
  expect(await ask(port, "/healthz")).toMatchObject({ status: 200 });
  expect(JSON.parse((await ask(port, "/readyz")).text)).toMatchObject({ status: "ok" });
  const { text } = await ask(port, "/metrics");
  expect(text).toContain("tillpost_task_duration_seconds");
  expect(text).toContain('tillpost_queue_waiting{queue="webhook_deliveries"} 0');
  expect(text).toContain('tillpost_queue_oldest_seconds{queue="emails"} 0');
  const other = await ask(port, "/api/v1/orders");
  expect(other).toMatchObject({ status: 404 });
  expect(JSON.parse(other.text).error.code).toBe("route_missing");
  const settings = readSettings({ ...testEnvironment(app.url), WORKER_PORT: String(port) });
  await expect(openWorkerServer({ settings, ctx: app.ctx, database: app.database } as Runtime)).rejects.toThrow(`WORKER_PORT=${port + 1}`);
  expect(await program.stop()).toEqual({ code: 0, signal: null });
});

test("a worker without a port outlives a database that is away, and ends when it's told to", async () => {
  const proxy = await startDatabaseProxy(app.url);
  const env = { ...testEnvironment(proxy.url), LOG_PRETTY: "off" };
  const program = await serving.serve(serving.folder.path, { command: ["worker"], env });
  await eventually("background work", () => Promise.resolve(program.output.includes("background work started")));
  proxy.mode = "close";
  proxy.drop();
  const failures = () => program.output.split("the database can't be reached; trying again").length - 1;
  await eventually("many tasks that failed", () => Promise.resolve(failures() > 5));
  proxy.mode = "pass";
  expect(await program.stop()).toEqual({ code: 0, signal: null });
  await proxy.close();
});

test("a worker that can't open its transports ends instead of looking healthy", async () => {
  const broken = join(serving.folder.path, "broken");
  await mkdir(broken);
  await writeFile(join(broken, "calls"), "a file where a folder should be");
  const port = await freePort();
  const env = { ...testEnvironment(app.url), WORKER_PORT: String(port), SIP_TRUNKS: "sip://127.0.0.1:5999?name=t", LOG_PRETTY: "off" };
  const program = await serving.serve(broken, { command: ["worker"], env });
  expect((await program.ended).code).toBe(1);
  await expect(fetch(`http://localhost:${port}/healthz`)).rejects.toThrow();
});
