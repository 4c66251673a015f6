import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { revokeApiKey } from "#identity/index.ts";
import { testApp } from "#test/support/app/test-app.ts";

const app = await testApp({ http: { perMinuteTest: 5, perMinuteLive: 7, perMinuteUnauthenticated: 3, burst: 2 } });
const merchant = "/api/v1/merchant";

describe("the window of a key and endpoint", () => {
  test("refuses the request after the last allowed one, never an earlier one", async () => {
    const api = app.api((await app.tenant()).key);
    const remaining: unknown[] = [];
    for (let n = 0; n < 5; n += 1) {
      const reply = await api.get(merchant);
      expect(reply.status).toBe(200);
      expect(reply.headers["retry-after"]).toBeUndefined();
      remaining.push(reply.headers["x-ratelimit-remaining"]);
    }
    expect(remaining).toEqual(["4", "3", "2", "1", "0"]);
    const sixth = await api.get(merchant);
    expect(sixth).toMatchObject({ status: 429, body: { error: { type: "rate_limit_error", code: "rate_limited" } } });
    expect(sixth.headers["x-ratelimit-remaining"]).toBe("0");
    expect((await api.get("/api/v1/projects")).status).toBe(200);
  });

  test("opens again exactly when its headers say, and not a second before", async () => {
    const api = app.api((await app.tenant()).key);
    app.clock.advance(300);
    const first = await api.get(merchant);
    const reset = Number(first.headers["x-ratelimit-reset"]);
    expect(reset).toBe(Math.ceil((app.clock.now().getTime() + 60_000) / 1000));
    app.clock.advance(30_000);
    for (let n = 0; n < 4; n += 1) await api.get(merchant);
    const refused = await api.get(merchant);
    // Rounded once, from the window's own end: not to the whole second of the reset's header first.
    expect(refused.headers["retry-after"]).toBe("30");
    app.clock.advance(29_999);
    expect((await api.get(merchant)).status).toBe(429);
    app.clock.advance(1);
    expect((await api.get(merchant)).headers["x-ratelimit-remaining"]).toBe("4");
  });

  test("counts refused input, but not refused requests", async () => {
    const api = app.api((await app.tenant()).key);
    expect((await api.get("/api/v1/projects?limit=0")).headers["x-ratelimit-remaining"]).toBe("4");
    for (let n = 0; n < 9; n += 1) await api.get("/api/v1/projects?limit=0");
    app.clock.advance(60_000);
    expect((await api.get("/api/v1/projects")).headers["x-ratelimit-remaining"]).toBe("4");
  });

  test("is larger in LIVE and returned in both spellings", async () => {
    const reply = await app.api((await app.tenant({ livemode: true })).key).get(merchant);
    expect(reply.headers["x-ratelimit-limit"]).toBe("7");
    expect(reply.headers["ratelimit-policy"]).toBe('"default";q=7;w=60');
    expect(reply.headers["ratelimit"]).toBe('"default";r=6;t=60');
  });

  test("is decided before the body is read", async () => {
    const shop = await app.tenant();
    const api = app.api(shop.key);
    const path = `/api/v1/projects/${shop.project_id}/orders`;
    for (let n = 0; n < 5; n += 1) await api.post(path, {});
    expect(await api.post(path, undefined, { payload: "{", headers: { "content-type": "application/json" } })).toMatchObject({
      status: 429,
    });
  });
});

describe("requests without a valid key", () => {
  test("share a window by address, IPv6 by its /64, and can't use up that of a key", async () => {
    const api = app.api();
    const from = (address: string) => api.get(merchant, { from: address });
    for (const address of ["2001:db8:1:2::1", "2001:db8:1:2::2", "2001:db8:1:2:ffff::3"]) expect((await from(address)).status).toBe(401);
    expect(await from("2001:db8:1:2::4")).toMatchObject({ status: 429, body: { error: { code: "rate_limited" } } });
    expect((await from("2001:db8:1:3::1")).status).toBe(401);
    expect((await app.api((await app.tenant()).key).get(merchant, { from: "2001:db8:1:2::1" })).status).toBe(200);
  });

  test("learn how to authenticate, with the window's headers, on 401 as on 404 and 405", async () => {
    const unsigned = await app.api().get(merchant, { from: "192.0.2.1" });
    expect(unsigned.headers["www-authenticate"]).toMatch(/^Bearer/);
    const missing = await app.api().get("/api/v1/nowhere", { from: "192.0.2.1" });
    expect(missing).toMatchObject({ status: 404, body: { error: { type: "not_found_error", code: "route_missing" } } });
    const wrong = await app.api().delete(merchant, { from: "192.0.2.1" });
    expect(wrong).toMatchObject({ status: 405, body: { error: { code: "method_not_allowed" } } });
    expect(wrong.headers.allow).toBe("GET, HEAD, PATCH");
    for (const reply of [unsigned, missing, wrong]) {
      expect(reply.headers["x-ratelimit-limit"]).toBe("3");
      expect(reply.headers["request-id"]).toMatch(/^req_/);
    }
  });
});

describe("a request without a matching route, sent with a valid key", () => {
  const from = "192.0.2.77";
  test.each([
    ["an unknown route", "GET", "/api/v1/nowhere", 404],
    ["an unknown route of the messaging API", "GET", "/v1/nowhere", 404],
    ["a wrong method", "PUT", "/api/v1/merchant", 405],
    ["an address that cannot be decoded", "GET", "/api/v1/projects/%zz", 400],
    ["a NUL in the address", "GET", "/api/v1/projects/%00", 400],
    ["an id that is missing", "GET", "/v1/emails/", 404],
  ])("%s counts against the key and never against the address", async (_name, method, path, status) => {
    const { key } = await app.tenant();
    const api = app.api(key);
    const first = await api.call(method, path, { from });
    expect(first.status).toBe(status);
    // The address of this server may be refused after three: had these counted, the last line would say 429.
    const limit = Number(first.headers["x-ratelimit-limit"]);
    expect(limit).not.toBe(3);
    expect((await api.call(method, path, { from })).headers["x-ratelimit-remaining"]).toBe(String(limit - 2));
    for (let n = 2; n < 6; n += 1) await api.call(method, path, { from });
    expect((await app.api().get(merchant, { from })).status).toBe(401);
    app.clock.advance(60_000);
  });

  test("uses up the key's window of unknown routes, with the wait in the message", async () => {
    const api = app.api((await app.tenant()).key);
    for (let n = 0; n < 5; n += 1) expect((await api.get("/api/v1/nowhere")).status).toBe(404);
    expect(await api.get("/api/v1/elsewhere")).toMatchObject({
      status: 429,
      body: { error: { code: "rate_limited", scope: "unknown routes" } },
      headers: { "retry-after": "60" },
    });
    expect((await api.get(merchant)).status).toBe(200);
  });
});

describe("keys", () => {
  test("stop working when they expire, and within ten seconds of being revoked", async () => {
    const shop = await app.tenant();
    const short = await app.key(shop, ["orders:read"], new Date(app.clock.now().getTime() + 5_000));
    expect((await app.api(short.key).get(merchant)).status).toBe(200);
    app.clock.advance(5_000);
    expect((await app.api(short.key).get(merchant)).body.error.code).toBe("api_key_expired");
    expect((await app.api(shop.key).get(merchant)).status).toBe(200);
    await revokeApiKey(app.ctx, shop, { id: shop.key_id });
    app.clock.advance(10_001);
    expect((await app.api(shop.key).get(merchant)).body.error.code).toBe("api_key_revoked");
  });

  test("in a URL are ignored", async () => {
    const shop = await app.tenant();
    expect((await app.api().get(`${merchant}?api_key=${shop.key}`, { from: "192.0.2.7" })).status).toBe(401);
  });
});

describe("the flat paths", () => {
  test("respond as the nested ones do and announce their end", async () => {
    const shop = await app.tenant();
    const api = app.api(shop.key);
    const nested = await api.get(`/api/v1/projects/${shop.project_id}/orders?limit=3`);
    const flat = await api.get("/api/v1/orders?limit=3");
    expect(flat).toMatchObject({ status: 200, body: nested.body });
    expect(flat.headers.deprecation).toBe(`@${Date.parse("2026-11-01T00:00:00Z") / 1000}`);
    expect(flat.headers.sunset).toBe("Mon, 01 Nov 2027 00:00:00 GMT");
    expect(flat.headers.link).toBe(`</api/v1/projects/${shop.project_id}/orders>; rel="successor-version"`);
    expect(nested.headers.deprecation).toBeUndefined();
    const refused = await app.api().get("/api/v1/orders", { from: "192.0.2.8" });
    expect(refused.status).toBe(401);
    expect(refused.headers.deprecation).toBeDefined();
  });
});

test("what exceeds the burst waits its turn, and a disconnected caller frees its place", async () => {
  const server = await app.server();
  const { key } = await app.tenant({ livemode: true });
  await server.listen({ port: 0, host: "127.0.0.1" });
  const { port } = server.server.address() as { port: number };
  const url = `http://127.0.0.1:${port}${merchant}`;
  const headers = { authorization: `Bearer ${key}` };
  const gone = Array.from({ length: 3 }, () => connect(port, "127.0.0.1"));
  for (const socket of gone) {
    socket.write(`GET ${merchant} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${key}\r\n\r\n`);
    await once(socket, "connect");
    socket.destroy();
  }
  const replies = await Promise.all(Array.from({ length: 4 }, () => fetch(url, { headers })));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});
