import { once } from "node:events";
import { Agent, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { worldGateways } from "../world.ts";
import { checkAlone, fuzz, openTarget, withoutLimits } from "./fuzz.ts";

const target = await openTarget(await testApp({ gateways: worldGateways, http: withoutLimits }));
afterAll(() => target.close());

test("answers 360 malformed requests without a 500 and without a hang", async () => {
  const { findings, statuses } = await fuzz(target, { seed: 20_261_120, count: 360 });
  expect(findings).toEqual([]);
  // A fuzz test whose requests are all refused up front tests nothing.
  expect(statuses.get(200) ?? 0).toBeGreaterThan(20);
  expect(statuses.get(400) ?? 0).toBeGreaterThan(50);
});

test("a request that blocks the thread is detected, a late one isn't", async () => {
  const server = createServer((request, reply) => {
    // Like on a busy machine: time passes, but the thread uses no processor time.
    if (request.url === "/late") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 250);
    const until = process.threadCpuUsage().user + 250_000;
    while (request.url === "/busy" && process.threadCpuUsage().user < until);
    reply.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const agent = new Agent();
  const check = (path: string) =>
    checkAlone(
      { method: "GET", path, headers: {}, body: null },
      { target: { port: (server.address() as AddressInfo).port, documented: [] }, agent, number: 1 },
      200,
    );
  expect(await check("/late")).toEqual([]);
  expect(await check("/busy")).toMatchObject([{ what: expect.stringMatching(/^held the thread for \d+ ms$/) }]);
  server.close();
});
