import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, describe, expect, test } from "vitest";
import { buildApp } from "#app/build-app.ts";
import { changeMerchant } from "#identity/index.ts";
import { createSharedLimits, openPostgresLimits } from "#platform/index.ts";
import { type Answer, type Api, apiOf } from "#test/support/app/api.ts";
import { testApp } from "#test/support/app/test-app.ts";

// All requests of a test are let in at once: what waits for its turn is refused after two seconds, and on a busy machine that would not
// take long.
const tierLimits = ["enterprise.general=7", "enterprise.burst=1", "free.burst=500"];
const app = await testApp({ http: { tierLimits, perMinuteUnauthenticated: 30 } });
const path = "/v1/suppressions";
let host = 0;
const newAddress = () => `192.0.2.${(host += 1)}`;

/** What must hold of the headers of any answer, as one object. */
function windowOf(reply: Pick<Answer, "status" | "headers">, nowMs: number) {
  const { headers } = reply;
  const limit = Number(headers["x-ratelimit-limit"]);
  const remaining = Number(headers["x-ratelimit-remaining"]);
  const reset = Number(headers["x-ratelimit-reset"]);
  const [, quota, length] = /^"default";q=(\d+);w=(\d+)$/.exec(headers["ratelimit-policy"] ?? "") ?? [];
  const [, left, seconds] = /^"default";r=(\d+);t=(\d+)$/.exec(headers["ratelimit"] ?? "") ?? [];
  expect([limit, remaining, reset].every(Number.isInteger)).toBe(true);
  expect([Number(quota), Number(left)]).toEqual([limit, remaining]);
  expect(remaining).toBeGreaterThanOrEqual(0);
  expect(remaining).toBeLessThanOrEqual(limit);
  expect(reset * 1000).toBeGreaterThanOrEqual(nowMs);
  expect(reset * 1000).toBeLessThanOrEqual(nowMs + Number(length) * 1000 + 999);
  expect(Math.abs(nowMs / 1000 + Number(seconds) - reset)).toBeLessThanOrEqual(1);
  if (reply.status !== 429) expect(headers["retry-after"] === undefined || reply.status === 503).toBe(true);
  else {
    // Rounded once: the wait never ends before the window, and the header of the reset, which is rounded up separately, is less than a
    // second later.
    expect(headers["retry-after"]).toBe(seconds);
    expect(nowMs + Number(headers["retry-after"]) * 1000).toBeGreaterThan((reset - 1) * 1000);
  }
  return { limit, remaining, reset };
}

describe("a tier's window", () => {
  test("refuses the 101st read and no earlier one, says why, and other endpoints have their own", async () => {
    const api = app.api((await app.tenant()).key);
    for (let n = 1; n <= 100; n += 1) {
      const reply = await api.get(path);
      expect(reply.status).toBe(200);
      expect(windowOf(reply, app.clock.now().getTime())).toMatchObject({ limit: 100, remaining: 100 - n });
    }
    const refused = await api.get(path);
    expect(refused.body.error).toMatchObject({ code: "rate_limited", limit: 100, scope: "GET /v1/suppressions", retry_after: 60 });
    expect(windowOf(refused, app.clock.now().getTime())).toMatchObject({ remaining: 0 });
    expect((await api.call("HEAD", path)).status).toBe(429);
    expect((await api.get("/v1/domains")).status).toBe(200);
    expect((await api.get("/api/v1/merchant")).headers["x-ratelimit-limit"]).toBe("1500");
    app.clock.advance(60_000);
    expect((await api.get(path)).status).toBe(200);
  });

  test("admits exactly the limit of 160 concurrent requests", async () => {
    const api = app.api((await app.tenant()).key);
    const replies = await Promise.all(Array.from({ length: 160 }, () => api.get(path)));
    const admitted = replies.filter(({ status }) => status === 200);
    expect(admitted).toHaveLength(100);
    expect(replies.filter(({ body }) => body.error?.code === "rate_limited")).toHaveLength(60);
    const windows = replies.map((reply) => windowOf(reply, app.clock.now().getTime()));
    expect(new Set(windows.map(({ reset }) => reset))).toHaveProperty("size", 1);
    const left = admitted.map((reply) => Number(reply.headers["x-ratelimit-remaining"])).sort((a, b) => a - b);
    expect(left).toEqual(Array.from({ length: 100 }, (_none, index) => index));
  });

  test("is hourly for changes of settings, shared by all of them", async () => {
    const api = app.api((await app.tenant()).key);
    const first = await api.post(path, { address: "a@b.example" });
    expect(windowOf(first, app.clock.now().getTime())).toMatchObject({ limit: 60, remaining: 59 });
    expect(first.headers["ratelimit-policy"]).toBe('"default";q=60;w=3600');
    const second = await api.delete("/v1/domains/dom_00000000000000000000000000");
    expect(second).toMatchObject({ status: 404, headers: { "x-ratelimit-limit": "60", "x-ratelimit-remaining": "58" } });
  });

  test("follows the merchant's tier", async () => {
    const shop = await app.tenant();
    const api = app.api(shop.key);
    expect((await api.get(path)).headers["x-ratelimit-limit"]).toBe("100");
    await changeMerchant(app.ctx, { merchant_id: shop.merchant_id, if_version: null, messaging_tier: "pro" });
    app.clock.advance(10_001);
    expect((await api.get(path)).headers["x-ratelimit-limit"]).toBe("2000");
  });
});

describe("every response has the headers, and they agree", () => {
  const cases: [
    name: string,
    status: number,
    method: string,
    path: string,
    options: { headers?: Record<string, string>; payload?: string; noKey?: boolean },
  ][] = [
    ["a read", 200, "GET", path, {}],
    ["HEAD", 200, "HEAD", path, {}],
    ["a creation", 201, "POST", path, { payload: '{"address":"x@y.example"}' }],
    ["input that does not fit", 400, "POST", path, { payload: "{}" }],
    ["a body that is no JSON", 400, "POST", path, { payload: "{" }],
    ["an unknown parameter", 400, "GET", `${path}?nothing=1`, {}],
    ["no key", 401, "GET", path, { noKey: true }],
    ["a wrong key", 401, "GET", path, { noKey: true, headers: { authorization: "Bearer svc_test_nonsense" } }],
    ["no object", 404, "GET", `${path}/sup_00000000000000000000000000`, {}],
    ["no route", 404, "GET", "/v1/nowhere", {}],
    ["no route, no key", 404, "GET", "/api/v1/nowhere", { noKey: true }],
    ["another method", 405, "PUT", path, { payload: "{}" }],
    ["a large body", 413, "POST", path, { payload: `{"address":"${"x".repeat(300_000)}"}` }],
    ["another content type", 415, "POST", path, { payload: "a=1", headers: { "content-type": "application/x-www-form-urlencoded" } }],
    ["an address that is none", 400, "GET", "/v1/domains/%zz", {}],
    ["a NUL", 400, "GET", "/v1/domains/%00", {}],
    [
      "a browser's question",
      204,
      "OPTIONS",
      path,
      { noKey: true, headers: { origin: "https://a.example", "access-control-request-method": "POST" } },
    ],
  ];
  test.each(cases)("%s: %i", async (_name, status, method, url, { headers, payload, noKey }) => {
    const api = app.api(noKey === true ? null : (await app.tenant()).key);
    const reply = await api.call(method, url, {
      from: newAddress(),
      headers: { origin: "https://shop.example", ...(payload === undefined ? {} : { "content-type": "application/json" }), ...headers },
      ...(payload === undefined ? {} : { payload }),
    });
    expect(reply.status).toBe(status);
    windowOf(reply, app.clock.now().getTime());
    expect(reply.headers["access-control-expose-headers"]).toMatch(
      /X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset.*Retry-After/,
    );
  });

  test("what a browser requests automatically doesn't count", async () => {
    const from = newAddress();
    const ask = () =>
      app.api().call("OPTIONS", path, { from, headers: { origin: "https://a.example", "access-control-request-method": "POST" } });
    for (let n = 0; n < 40; n += 1) expect(await ask()).toMatchObject({ status: 204, headers: { "x-ratelimit-remaining": "30" } });
  });

  test("what isn't HTTP", async () => {
    const fastify = await app.server();
    if (!fastify.server.listening) await fastify.listen({ port: 0, host: "127.0.0.1" });
    const socket = connect((fastify.server.address() as { port: number }).port, "127.0.0.1").setEncoding("utf8");
    let text = "";
    socket.on("data", (part: string) => {
      text += part;
    });
    socket.write("NONSENSE\r\n\r\n");
    await once(socket, "close");
    const headers = Object.fromEntries(
      [...text.matchAll(/^([\w-]+): (.*)\r$/gm)].map(([, name = "", value]) => [name.toLowerCase(), value]),
    );
    expect(windowOf({ status: 400, headers }, app.clock.now().getTime()).limit).toBe(30);
  });
});

test("what waited too long for its turn isn't counted, and its headers say so", async () => {
  const shop = await app.tenant();
  await changeMerchant(app.ctx, { merchant_id: shop.merchant_id, if_version: null, messaging_tier: "enterprise" });
  const fastify = await app.server();
  const held = fastify.inFlight.enter(`/v1 ${shop.key_id}`, 1);
  expect(held).toBe(true);
  const api = app.api(shop.key);
  const refused = await api.post("/v1/emails/em_00000000000000000000000000/cancel");
  expect(refused).toMatchObject({
    status: 429,
    body: { error: { code: "concurrency_limited" } },
    headers: { "retry-after": "1", "x-ratelimit-remaining": "7" },
  });
  fastify.inFlight.leave(`/v1 ${shop.key_id}`);
  expect((await api.post("/v1/emails/em_00000000000000000000000000/cancel")).headers).toMatchObject({
    "x-ratelimit-limit": "7",
    "x-ratelimit-remaining": "6",
  });
});

describe("two servers on one PostgreSQL", async () => {
  const servers = await Promise.all(
    Array.from({ length: 2 }, async () => {
      const limits = createSharedLimits({ store: openPostgresLimits({ url: app.url }), nodes: 2, onChange: () => {}, timeoutMs: 10_000 });
      return buildApp({ ctx: app.ctx, database: app.database, settings: (await app.server()).runtime.settings, limits });
    }),
  );
  afterAll(() => Promise.all(servers.map((server) => server.close())));

  test("admit exactly the limit together, and say the same", async () => {
    const { key } = await app.tenant();
    const apis = servers.map((server) => apiOf(async () => server, key));
    const replies = await Promise.all(Array.from({ length: 160 }, (_none, index) => (apis[index % 2] as Api).get(path)));
    const admitted = replies.filter(({ status }) => status === 200);
    expect([admitted.length, replies.filter(({ status }) => status === 429).length]).toEqual([100, 60]);
    expect(new Set(replies.map(({ headers }) => headers["x-ratelimit-reset"]))).toHaveProperty("size", 1);
    const left = admitted.map((reply) => Number(reply.headers["x-ratelimit-remaining"])).sort((a, b) => a - b);
    expect(left).toEqual(Array.from({ length: 100 }, (_none, index) => index));
  });

  test("show operators whether the store responds", async () => {
    const text = (await servers[0]?.inject({ url: "/metrics", remoteAddress: "127.0.0.1" }))?.body;
    expect(text).toMatch(/^tillpost_limit_store_up 1$/m);
    expect((await app.api().get("/metrics", { from: "127.0.0.1" })).text).not.toContain("tillpost_limit_store_up");
  });
});
