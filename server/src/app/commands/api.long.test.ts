import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { testEnvironment } from "#test/support/app/test-environment.ts";
import { statusOf } from "#test/support/programs/ending-programs.ts";
import { type Program, startProgram, temporaryFolder } from "#test/support/programs/program.ts";
import { eventually } from "#test/support/time/eventually.ts";

const app = await testApp();
app.clock.run();
const folder = temporaryFolder();
let started: Program | undefined;

afterAll(() => {
  started?.kill("SIGKILL");
  folder.remove();
});

test("api serves a migrated database without a demo, takes an order to paid, and ends in order", async () => {
  const { project_id, key } = await app.tenant();
  const env = { ...testEnvironment(app.url), LOG_PRETTY: "off" };
  const program = await startProgram({ dataDir: folder.path, command: ["api"], env });
  started = program;
  const isReady = async () => (await statusOf(program, "/readyz")) === 200;
  await eventually(() => `the API answers:\n${program.output}`, isReady, { everyMs: 50 });
  const post = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const url = `${program.url}/api/v1/projects/${project_id}/${path}`;
    const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
    return { status: answer.status, body: (await answer.json()) as { id: string; status: string } };
  };
  const order = await post("orders", { amount_minor: 8800, currency: "CNY" });
  expect(order.status).toBe(201);
  expect(await post(`orders/${order.body.id}/simulate-payment`, {})).toMatchObject({ status: 200, body: { status: "paid" } });
  expect(await program.stop()).toEqual({ code: 0, signal: null });
  expect(existsSync(join(folder.path, "demo.json"))).toBe(false);
});
