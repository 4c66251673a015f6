import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { type AddressInfo, createServer as createPlain } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { localEgress } from "#test/support/network/certificate.ts";
import { startReceiver } from "#test/support/network/receiver.ts";

/** The limits that deliveries have: nothing is shortened here. */
const egress = await localEgress();
afterAll(() => egress.close());

const totalMs = 15_000;
/** The limit of concurrent requests per endpoint. */
const atOnce = 5;

const bomb = gzipSync(Buffer.alloc(50_000_000));
const chunk = Buffer.alloc(65_536);
const manners: Record<string, (response: ServerResponse) => void> = {
  "one byte a second": (response) => repeat(response, () => response.write("x"), 1_000),
  "an endless body": (response) => repeat(response, () => response.write(chunk), 5),
  "a gzip bomb": (response) => void response.writeHead(200, { "content-encoding": "gzip" }).end(bomb),
  "a redirect in circles": (response) => void response.writeHead(302, { location: "/again" }).end(),
  "100 KB of headers": (response) => void response.writeHead(200, { "x-long": "a".repeat(100_000) }).end(),
  "an answer after 14.9 s": (response) => void setTimeout(() => response.writeHead(200).end("late"), 14_900),
  "a body that ends after 14.9 s": (response) => {
    response.writeHead(200).write("be");
    setTimeout(() => response.end("gun"), 14_900);
  },
  "no answer": () => {},
};

function repeat(response: ServerResponse, write: () => void, everyMs: number): void {
  const timer = setInterval(write, everyMs);
  response.on("close", () => clearInterval(timer));
}

test("every kind of hostile receiver concurrently: each slot is free within 15 s, and memory stays within 50 MB", async () => {
  const hostile = await startReceiver((one, response) => manners[decodeURIComponent(one.path.slice(1))]?.(response));
  const stalled = createPlain(() => {}).listen(0, "127.0.0.1");
  await once(stalled, "listening");
  const urls = [
    ...Object.keys(manners).map((name) => ({ name, url: `${hostile.url}/${encodeURIComponent(name)}` })),
    { name: "stalled TLS", url: `https://127.0.0.1:${(stalled.address() as AddressInfo).port}/` },
  ];
  const before = process.memoryUsage().rss;
  let most = before;
  const watching = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 50);
  const took = await Promise.all(urls.flatMap(({ name, url }) => Array.from({ length: atOnce }, () => timed(name, url))));
  await sleep(500);
  clearInterval(watching);
  for (const name of urls.map((one) => one.name)) {
    const own = took.filter((one) => one.name === name);
    console.log(`${name}: ${Math.round(Math.max(...own.map((one) => one.ms)))} ms, ${own[0]?.outcome}`);
  }
  console.log(`memory: +${Math.round((most - before) / 1e6)} MB, receivers included`);
  expect(Math.max(...took.map((one) => one.ms))).toBeLessThan(totalMs);
  expect(most - before).toBeLessThan(50e6);
  stalled.close();
  await hostile.close();
});

async function timed(name: string, url: string) {
  const start = performance.now();
  const answer = await egress.request({ url, method: "POST", headers: {}, body: Buffer.from("{}"), owner: "prj_a" });
  return { name, ms: performance.now() - start, outcome: answer.error_code ?? `status ${answer.status}` };
}
