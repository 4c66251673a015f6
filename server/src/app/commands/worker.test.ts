import { expect, test } from "vitest";
import { readSettings } from "#app/config.ts";
import type { Runtime } from "#app/runtime/index.ts";
import { createProcessClock } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { testEnvironment } from "#test/support/app/test-environment.ts";
import { freePort } from "#test/support/network/free-port.ts";
import { observeRuns } from "./process/observe-runs.ts";
import { openWorkerServer } from "./process/open-server.ts";

const app = await testApp();

// The long form asks a worker that is a program, which also outlives a database that is away.
test("a worker reports itself, its tasks and the queues to operators, and nothing about the API", async () => {
  const port = await freePort();
  const settings = readSettings({ ...testEnvironment(app.url), WORKER_PORT: String(port) });
  const clock = createProcessClock({ db: app.ctx.db, log: app.ctx.log });
  const runtime = { settings, ctx: app.ctx, database: app.database, clock } as Runtime;
  const server = await openWorkerServer(runtime);
  if (server === null) throw new Error("a worker with a port has no server");
  observeRuns(server.metrics.registry)("expire_orders", { seconds: 0.1, done: 0, failed: false, putOff: 2 });
  expect((await server.inject("/healthz")).statusCode).toBe(200);
  expect((await server.inject("/readyz")).json()).toMatchObject({ status: "ok" });
  const { body } = await server.inject("/metrics");
  expect(body).toContain("tillpost_task_duration_seconds");
  expect(body).toContain('tillpost_task_put_off{task="expire_orders"} 2');
  expect(body).toContain('tillpost_queue_waiting{queue="webhook_deliveries"} 0');
  expect(body).toContain('tillpost_queue_oldest_seconds{queue="emails"} 0');
  const other = await server.inject("/api/v1/orders");
  expect([other.statusCode, other.json().error.code]).toEqual([404, "route_missing"]);
  await expect(openWorkerServer(runtime)).rejects.toThrow(`WORKER_PORT=${port + 1}`);
  await server.close();
});
