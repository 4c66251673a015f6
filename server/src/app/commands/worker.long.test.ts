import { afterAll, expect, test } from "vitest";
import { readSettings } from "#app/config.ts";
import type { Runtime } from "#app/runtime/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { testEnvironment } from "#test/support/app/test-environment.ts";
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
