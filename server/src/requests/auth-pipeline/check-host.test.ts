import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";

const token = "a-token-of-some-length";
const app = await testApp({
  publicUrl: "https://pay.example.com",
  mail: { linksUrl: "https://links.example.com" },
  http: { allowedHosts: ["10.0.0.5", "shop.internal", "[fd00::5]"], perMinuteUnauthenticated: 1_000_000, metricsToken: token },
});
const ask = (host: string, path = "/api/v1/merchant", headers: Record<string, string> = {}) =>
  app.api().get(path, { headers: { host, ...headers } });

describe("a request by a host name", () => {
  test.each([
    "pay.example.com",
    "PAY.Example.com:8443",
    "pay.example.com.",
    "links.example.com",
    "localhost:8080",
    "127.0.0.1:9999",
    "[::1]:8080",
    "shop.localhost",
    "10.0.0.5:8080",
    "shop.internal",
    "[fd00::5]:80",
  ])("of this server gets a response: %s", async (host) => {
    expect((await ask(host)).status).toBe(401);
  });

  test.each([
    ...["evil.example", "pay.example.com.evil.example", "evil.pay.example.com", "10.0.0.6", "192.168.1.5:8080", "[::2]", "[fd00::6]:80"],
    ...[
      "127.0.0.1.evil.example",
      "1.2.3.4.5",
      "pay.example.com@evil.example",
      "a b",
      "pay.example.com, evil.example",
      "%6cocalhost",
      "pay.example.com:x",
    ],
  ])("of anyone else is refused, on every surface, and not echoed: %j", async (host) => {
    for (const path of [
      "/",
      "/dashboard",
      "/api/v1/orders",
      "/v1/emails",
      "/pay/pl_test_x",
      "/no-such-route",
      "/api/auth/sign-in/email",
      "/metrics",
      "/openapi.json",
    ]) {
      const { status, headers, body, text } = await ask(host, path);
      expect(status, path).toBe(421);
      expect(body.error).toMatchObject({
        type: "invalid_request_error",
        code: "host_not_allowed",
        doc_url: "https://pay.example.com/docs/errors#host_not_allowed",
      });
      expect(body.error.message).toContain("host name");
      if (host.includes("evil")) expect(`${text} ${JSON.stringify(headers)}`).not.toContain("evil");
    }
  });

  test("load balancers check health by address; metrics are read by address only with the token", async () => {
    for (const path of ["/healthz", "/readyz"]) expect((await ask("172.16.3.4:8080", path)).status).toBe(200);
    expect((await ask("172.16.3.4:8080", "/metrics", { authorization: `Bearer ${token}` })).status).toBe(200);
    expect((await ask("172.16.3.4:8080", "/metrics", { authorization: "Bearer another-token-of-it" })).status).toBe(421);
    expect((await ask("172.16.3.4:8080", "/api/v1/merchant", { authorization: `Bearer ${token}` })).status).toBe(421);
  });

  test("is judged by every name that it gives: Host, a proxy's X-Forwarded-Host, the request's line", async () => {
    const behind = await testApp({
      publicUrl: "https://pay.example.com",
      http: { trustedProxies: ["127.0.0.1"], perMinuteUnauthenticated: 1_000_000 },
    });
    const by = async (host: string, forwarded: string) =>
      (await behind.api().get("/api/v1/merchant", { from: "127.0.0.1", headers: { host, "x-forwarded-host": forwarded } })).status;
    expect(await by("localhost:8080", "pay.example.com")).toBe(401);
    expect(await by("localhost:8080", "evil.example")).toBe(421);
    expect(await by("evil.example", "pay.example.com")).toBe(421);
    const server = await app.server();
    await server.listen({ port: 0, host: "127.0.0.1" });
    const { port } = server.server.address() as { port: number };
    expect(await say(port, "GET http://evil.example/docs/errors HTTP/1.1\r\nHost: pay.example.com")).toMatch(/^HTTP\/1.1 421 /);
    expect(await say(port, "GET http://pay.example.com/docs/errors HTTP/1.1\r\nHost: pay.example.com")).toMatch(/^HTTP\/1.1 200 /);
    expect(await say(port, "GET /docs/errors HTTP/1.0")).toMatch(/^HTTP\/1.1 421 /);
    expect(await say(port, "GET /healthz HTTP/1.0")).toMatch(/^HTTP\/1.1 200 /);
    const nameless = await say(port, "GET /docs/errors HTTP/1.1");
    expect(nameless).toMatch(/^HTTP\/1.1 400 .*\r\nrequest-id: req_.*"code":"parameter_invalid".*"param":"Host"/is);
  });

  test("of a sender's verified domain only reaches the links in emails", async () => {
    const shop = await app.tenant();
    const api = app.api(shop.key);
    const { body } = await api.post("/v1/domains", { name: "shop.test" }, { headers: { host: "localhost" } });
    const link = "/u/no-token-of-ours";
    expect((await ask("links.shop.test", link)).status).toBe(421);
    await api.post(`/v1/domains/${body.id}/verify`, {}, { headers: { host: "localhost" } });
    app.clock.advance(11_000);
    expect((await ask("links.shop.test", link)).status).toBe(404);
    expect((await ask("other.shop.test", link)).status).toBe(421);
    for (const path of ["/dashboard", "/api/v1/merchant", "/docs/errors", "/pay/pl_test_x"])
      expect((await ask("links.shop.test", path)).status).toBe(421);
    // Its record wasn't found for a while: links in sent emails keep working.
    await runStatement(app.ctx.db, "update domains set status = 'failed' where name = 'shop.test'");
    app.clock.advance(61_000);
    expect((await ask("links.shop.test:443", link)).status).toBe(404);
  });
});

test("the first contact needs no setting: a loopback address responds by every name of this machine", async () => {
  const local = await testApp();
  for (const host of ["localhost:8080", "127.0.0.1:8080", "[::1]:8080"])
    expect((await local.api().get("/docs/errors", { headers: { host } })).status).toBe(200);
  expect((await local.api().get("/docs/errors", { headers: { host: "192.168.1.5:8080" } })).status).toBe(421);
  const inLan = await testApp({ publicUrl: "http://192.168.1.5:8080" });
  for (const host of ["192.168.1.5:8080", "localhost:8080"])
    expect((await inLan.api().get("/docs/errors", { headers: { host } })).status).toBe(200);
});

test("browsers stay on https, also below this host if the operator says so", async () => {
  const header = async (on: Awaited<ReturnType<typeof testApp>>) =>
    (await on.api().get("/docs/errors")).headers["strict-transport-security"];
  const whole = await testApp({ publicUrl: "https://pay.example.com", http: { hstsSubdomains: true } });
  const plain = await testApp({ http: { hstsSubdomains: true } });
  expect(await header(app)).toBe("max-age=31536000");
  expect(await header(whole)).toBe("max-age=31536000; includeSubDomains");
  expect(await header(plain)).toBeUndefined();
});

function say(port: number, head: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(`${head}\r\nConnection: close\r\n\r\n`));
    let text = "";
    socket
      .on("data", (bytes) => (text += String(bytes)))
      .on("end", () => resolve(text))
      .on("error", reject);
  });
}
