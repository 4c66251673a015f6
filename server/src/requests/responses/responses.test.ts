import { once } from "node:events";
import { connect } from "node:net";
import { Readable } from "node:stream";
import { afterAll, describe, expect, test } from "vitest";
import { buildApp } from "#app/build-app.ts";
import { openDatabase } from "#platform/index.ts";
import { contextOn } from "#test/support/app/context.ts";
import { testApp } from "#test/support/app/test-app.ts";

const app = await testApp();

/** Sends text on a bare connection and answers what came back until the server closed it. */
async function raw(text: string): Promise<string> {
  const server = await app.server();
  if (!server.server.listening) await server.listen({ port: 0, host: "127.0.0.1" });
  const socket = connect((server.server.address() as { port: number }).port, "127.0.0.1").setEncoding("utf8");
  let reply = "";
  socket.on("data", (part: string) => {
    reply += part;
  });
  socket.write(text);
  await once(socket, "close");
  return reply;
}

describe("every refusal has the same shape", () => {
  const shape = {
    error: {
      type: expect.any(String),
      code: expect.any(String),
      message: expect.any(String),
      doc_url: expect.any(String),
      request_id: expect.stringMatching(/^req_/),
    },
  };

  test.each([
    ["an unknown route", "GET", "/nowhere", 404, "route_missing"],
    ["a known path with a slash more", "GET", "/api/v1/merchant/", 404, "route_missing"],
    ["a known path in capitals", "GET", "/API/v1/merchant", 404, "route_missing"],
    ["a method that the path does not know", "PUT", "/api/v1/merchant", 405, "method_not_allowed"],
    ["an escape that is none", "GET", "/api/v1/projects/%zz", 400, "parameter_invalid"],
    ["a NUL in the address", "GET", "/api/v1/projects/%00", 400, "parameter_invalid"],
  ])("%s", async (_name, method, path, status, code) => {
    const reply = await app.api().call(method, path);
    expect(reply.status).toBe(status);
    expect(reply.body).toMatchObject(shape);
    expect(reply.body.error.code).toBe(code);
    expect(reply.body.error.doc_url).toBe(`http://localhost:8080/docs/errors#${code}`);
    expect(reply.headers["request-id"]).toBe(reply.body.error.request_id);
    expect(reply.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(reply.headers["x-ratelimit-limit"]).toBeDefined();
  });

  test("a body that breaks off is its sender's fault, not the database's", async () => {
    const shop = await app.tenant();
    const payload = new Readable({ read: () => payload.destroy(Object.assign(new Error("aborted"), { code: "ECONNRESET" })) });
    const headers = { authorization: `Bearer ${shop.key}`, "content-type": "application/json" };
    const reply = await (await app.server()).inject({
      method: "POST",
      url: `/api/v1/projects/${shop.project_id}/orders`,
      headers,
      payload,
    });
    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toMatchObject(shape);
  });

  test("what isn't HTTP at all", async () => {
    const reply = await raw("NONSENSE\r\n\r\n");
    expect(reply).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(JSON.parse(reply.split("\r\n\r\n")[1] ?? "")).toMatchObject(shape);
  });

  test("headers without end", async () => {
    const reply = await raw(`GET / HTTP/1.1\r\nhost: localhost\r\nx: ${"a".repeat(70_000)}\r\n\r\n`);
    expect(JSON.parse(reply.split("\r\n\r\n")[1] ?? "")).toMatchObject({ error: { code: "parameter_invalid" } });
  });

  test("a body that is shorter than declared", async () => {
    const shop = await app.tenant();
    const head = `POST /api/v1/orders HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nauthorization: Bearer ${shop.key}\r\ncontent-type: application/json\r\n`;
    const reply = await raw(`${head}content-length: 2\r\n\r\n{}`);
    expect(JSON.parse(reply.split("\r\n\r\n")[1] ?? "")).toMatchObject({ error: { code: "parameter_missing" } });
  });
});

/** What clients of other mail services read: the same fields repeated next to `error`. */
const namedAtTop = ({ error }: { error: { message: string } }, [statusCode, name]: readonly [number, string]) => ({
  statusCode,
  name,
  message: error.message,
  error: { code: name },
});

describe("on the messaging API a refusal is also at the top level: name, message and status", () => {
  const json = { "content-type": "application/json" };
  const email = { from: "orders@tillpost.example", to: "nobody", subject: "Hello", text: "Hello" };

  test.each([
    ["a recipient that is none", "POST", "/v1/emails", { body: email }, [400, "recipient_invalid"]],
    ["a body that is no JSON", "POST", "/v1/emails", { payload: "{", headers: json }, [400, "invalid_json"]],
    ["no such message", "GET", "/v1/emails/em_none", {}, [404, "resource_missing"]],
    ["no such route", "GET", "/v1/nothing-here", {}, [404, "route_missing"]],
    ["a method that the path does not know", "PUT", "/v1/emails", {}, [405, "method_not_allowed"]],
    [
      "a body that is too large",
      "POST",
      "/v1/suppressions",
      { payload: `"${"a".repeat(2_000_000)}"`, headers: json },
      [413, "body_too_large"],
    ],
    [
      "a body of another kind",
      "POST",
      "/v1/emails",
      { payload: "a=1", headers: { "content-type": "text/plain" } },
      [415, "unsupported_media_type"],
    ],
  ] as const)("%s", async (_what, method, path, sent, answer) => {
    const reply = await app.api((await app.tenant()).key).call(method, path, sent);
    expect(reply.status, reply.text).toBe(answer[0]);
    expect(reply.body).toMatchObject(namedAtTop(reply.body, answer));
  });

  test("no key, a wrong one, and too many requests", async () => {
    const server = await buildApp({
      ctx: app.ctx,
      database: app.database,
      settings: { ...(await app.server()).runtime.settings, perMinuteUnauthenticated: 2 },
    });
    for (const [headers, answer] of [
      [{}, [401, "authentication_required"]],
      [{ authorization: `Bearer svc_test_${"A".repeat(36)}` }, [401, "api_key_invalid"]],
      [{}, [429, "rate_limited"]],
    ] as const) {
      const reply = await server.inject({ url: "/v1/emails", headers });
      expect(reply.statusCode, reply.body).toBe(answer[0]);
      expect(reply.json()).toMatchObject(namedAtTop(reply.json(), answer));
    }
    await server.close();
  });

  test("not on the others", async () => {
    expect(Object.keys((await app.api().get("/api/v1/merchant")).body)).toEqual(["error"]);
  });
});

test("an unexpected fault shows a fixed sentence and no details", async () => {
  const server = await buildApp({
    ctx: { ...app.ctx, now: () => app.ctx.now(), db: {} as never },
    database: app.database,
    settings: { ...(await app.server()).runtime.settings },
  });
  const shop = await app.tenant();
  const reply = await server.inject({ url: "/api/v1/merchant", headers: { authorization: `Bearer ${shop.key}` } });
  expect(reply.statusCode).toBe(500);
  expect(reply.json().error).toMatchObject({ type: "api_error", code: "internal_error" });
  expect(reply.body).not.toMatch(/null|undefined|TypeError/);
  expect(reply.headers["x-ratelimit-limit"]).toBeDefined();
  await server.close();
});

describe("without its database", () => {
  const gone = openDatabase({ url: "postgres://postgres@127.0.0.1:1/none", max: 1 });
  afterAll(() => gone.close(1));

  test("the server asks to retry, and says that it is alive but not ready", async () => {
    const server = await buildApp({
      ctx: contextOn(gone, { now: () => new Date(), files: app.ctx.files }),
      database: gone,
      settings: (await app.server()).runtime.settings,
    });
    const reply = await server.inject({ url: "/api/v1/merchant", headers: { "x-api-key": (await app.tenant()).key } });
    expect(reply.statusCode).toBe(503);
    expect(reply.json().error.code).toBe("service_unavailable");
    expect(reply.headers["retry-after"]).toBe("1");
    expect(reply.headers["x-ratelimit-limit"]).toBeDefined();
    const mail = await server.inject({ url: "/v1/emails", headers: { "x-api-key": (await app.tenant()).key } });
    expect(mail.json()).toMatchObject(namedAtTop(mail.json(), [503, "service_unavailable"]));
    expect((await server.inject("/healthz")).statusCode).toBe(200);
    expect((await server.inject("/readyz")).statusCode).toBe(503);
    await server.close();
  });
});

test("responses may be read by scripts of any site, with the relevant headers, and are never sniffed", async () => {
  const reply = await app.api((await app.tenant()).key).get("/api/v1/merchant", { headers: { origin: "https://shop.example" } });
  expect(reply.headers["access-control-allow-origin"]).toBe("*");
  expect(reply.headers["access-control-expose-headers"]).toMatch(/X-RateLimit-Remaining.*Retry-After.*Idempotent-Replayed/);
  expect(reply.headers["x-content-type-options"]).toBe("nosniff");
  expect(reply.headers["cache-control"]).toBe("no-store");
  const preflight = await app.api().call("OPTIONS", "/api/v1/orders", {
    headers: {
      origin: "https://shop.example",
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization,idempotency-key",
    },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers["access-control-allow-headers"]).toBe("authorization,idempotency-key");
});
