import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer as createPlain } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { localEgress } from "#test/support/network/certificate.ts";
import { receiver, startReceiver } from "#test/support/network/receiver.ts";
import { createEgress, usualLimits } from "../create-egress.ts";

const bodyBytes = 65_536;
/** Long enough for any machine. */
const patient = { connectMs: 60_000, firstByteMs: 60_000, totalMs: 60_000, bodyBytes };
const egress = await localEgress({ limits: patient });
/** For those who never come to an end. */
const hasty = await localEgress({ limits: { connectMs: 400, firstByteMs: 700, totalMs: 900, bodyBytes } });
/** For one that isn't even reached. */
const hastiest = await localEgress({ limits: { connectMs: 150, firstByteMs: 700, totalMs: 900, bodyBytes } });
afterAll(() => Promise.all([egress, hasty, hastiest].map((one) => one.close())));
const post = (url: string, through = egress) =>
  through.request({ url, method: "POST", headers: { "content-type": "application/json" }, body: Buffer.from("{}"), owner: "prj_a" });

test("an exchange returns status, headers and body", async () => {
  const shop = await receiver((_one, response) => response.writeHead(202, { "x-shop": "yes" }).end("thanks"));
  const answer = await post(`${shop.url}/hook?x=1`);
  expect(answer).toMatchObject({ status: 202, truncated: false, error_code: null, headers: { "x-shop": "yes" } });
  expect(answer.status !== null && answer.body.toString()).toBe("thanks");
  expect(shop.received[0]).toMatchObject({ path: "/hook?x=1", headers: { "accept-encoding": "identity", "content-length": "2" } });
});

describe("a hostile receiver holds a slot no longer than the limit", () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000));
  test.each([
    [
      "sends a byte now and then",
      (response: import("node:http").ServerResponse) => void setInterval(() => response.write("x"), 100).unref(),
      { error_code: "timeout" },
      hasty,
    ],
    ["never answers", () => {}, { error_code: "timeout" }, hasty],
    [
      "answers without an end",
      (response: import("node:http").ServerResponse) => void setInterval(() => response.write(Buffer.alloc(65_536)), 1).unref(),
      { status: 200, truncated: true },
    ],
    [
      "answers with a gzip bomb",
      (response: import("node:http").ServerResponse) => void response.writeHead(200, { "content-encoding": "gzip" }).end(bomb),
      { status: 200 },
    ],
    [
      "sends it in circles",
      (response: import("node:http").ServerResponse) => void response.writeHead(302, { location: "/again" }).end(),
      { status: 302 },
    ],
    [
      "answers with 100 KB of headers",
      (response: import("node:http").ServerResponse) => void response.writeHead(200, { "x-long": "a".repeat(100_000) }).end(),
      { error_code: "invalid_response", head: null },
    ],
  ])("%s", async (_name, reply, outcome, through = egress) => {
    const hostile = await startReceiver((_one, response) => reply(response));
    const before = process.memoryUsage().rss;
    expect(await post(hostile.url, through)).toMatchObject(outcome);
    expect(process.memoryUsage().rss - before).toBeLessThan(50e6);
    expect(hostile.received).toHaveLength(1);
    await hostile.close();
  });

  test("stalls TLS, also for several concurrent requests", async () => {
    const stalled = createPlain(() => {}).listen(0, "127.0.0.1");
    await once(stalled, "listening");
    const all = await Promise.all(
      Array.from({ length: 5 }, () => post(`https://127.0.0.1:${(stalled.address() as AddressInfo).port}/`, hastiest)),
    );
    for (const one of all) expect(one).toMatchObject({ error_code: "timeout" });
    stalled.close();
  });
});

test("faults keep their types", async () => {
  expect(await post("https://127.0.0.1:1/")).toMatchObject({ error_code: "connect" });
  const shop = await receiver();
  const trusting = createEgress({ allow: ["127.0.0.0/8"], publicUrl: "http://localhost:8080" });
  expect(await post(shop.url, trusting)).toMatchObject({ error_code: "tls" });
  const lost = await localEgress({ resolve: async () => Promise.reject(Object.assign(new Error("no"), { code: "ENOTFOUND" })) });
  expect(await post("https://nowhere.example.com/", lost)).toMatchObject({ error_code: "dns" });
  await Promise.all([trusting.close(), lost.close()]);
});

describe("nothing reaches a private listener", async () => {
  const canary = await receiver();
  let touched = 0;
  canary.server.on("connection", () => (touched += 1));
  const port = new URL(canary.url).port;
  let lookups = 0;
  const addresses: Record<string, () => string[]> = {
    "private.example.com": () => ["127.0.0.1"],
    "mixed.example.com": () => ["93.184.216.34", "127.0.0.1"],
    "rebinding.example.com": () => ((lookups += 1) === 1 ? ["93.184.216.34"] : ["127.0.0.1"]),
  };
  const strict = await localEgress({
    allow: [],
    resolve: async (name) => (addresses[name]?.() ?? ["127.0.0.1"]).map((address) => ({ address, family: 4 })),
  });
  afterAll(() => strict.close());

  test.each([
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "①②⑦.⓪.⓪.①",
    "0",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::127.0.0.1]",
    "localhost",
    "private.example.com",
    "mixed.example.com",
  ])("by the host %s", async (host) => {
    for (const at of [`https://${host}:${port}/`, `https://${host}/`, `https://${host}:8443/`])
      expect(await post(at, strict)).toMatchObject({ error_code: "egress_blocked" });
    expect(touched).toBe(0);
  });

  test("by a name whose address changes between saving and sending", async () => {
    await strict.check("https://rebinding.example.com/", "url");
    expect(await post("https://rebinding.example.com/", strict)).toMatchObject({ error_code: "egress_blocked" });
    expect(touched).toBe(0);
  });

  test.each([301, 302, 303, 307, 308])("by a redirect with %i", async (status) => {
    const shop = await receiver((_one, response) => response.writeHead(status, { location: canary.url }).end());
    expect(await post(shop.url)).toMatchObject({ status });
    expect(touched).toBe(0);
  });

  test("by the socket itself, in case a lookup was tricked", async () => {
    const { createGuard } = await import("./address-guard.ts");
    const { createDialer } = await import("./dial.ts");
    const guard = createGuard({ allow: [], ownHost: "x", resolve: async () => [] });
    const tricked = createDialer({
      guard: { ...guard, resolve: async () => [{ address: "127.0.0.1", family: 4 }], read: (text) => new URL(text) },
      limits: patient,
      ca: undefined,
    });
    expect(await tricked.exchange({ url: `https://tricked.example.com:${port}/`, method: "GET", headers: {}, owner: "o" })).toMatchObject({
      status: null,
    });
    expect(canary.received).toHaveLength(0);
    await tricked.close();
  });
});

test("every refusal at saving reads the same", async () => {
  const strict = createEgress({
    allow: [],
    publicUrl: "https://pay.example.com",
    resolve: async () => [{ address: "10.0.0.1", family: 4 }],
  });
  const errors = new Set<string>();
  for (const url of [
    "https://127.0.0.1/",
    "https://private.example.com/",
    "https://a@b.example.com/",
    "ftp://x/",
    "https://pay.example.com/",
  ]) {
    await strict.check(url, "url").catch((error: Error & { code: string }) => errors.add(`${error.code} ${error.message}`));
  }
  expect([...errors]).toHaveLength(1);
});

test("the guide for receivers states the actual limits", () => {
  const guide = readFileSync(new URL("../../../../docs/webhooks.md", import.meta.url), "utf8");
  const { firstByteMs, totalMs, bodyBytes } = usualLimits;
  const seconds = (ms: number) => Math.ceil(ms / 1000);
  expect(guide).toContain(`must arrive within ${seconds(firstByteMs)} seconds and the last within ${seconds(totalMs)}`);
  expect(guide).toContain(`We read at most ${bodyBytes / 1024} KiB`);
});
