import { Writable } from "node:stream";
import { pino } from "pino";
import { expect, test } from "vitest";
import { readSettings } from "#app/config.ts";
import type { Runtime } from "#app/runtime/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { freePort } from "#test/support/network/free-port.ts";
import { closeServer, openServer } from "./open-server.ts";

const app = await testApp();

/** Opens a server as `serve` and `api` do. */
async function openWith(env: Record<string, string>, log = pino({ level: "silent" })) {
  const settings = readSettings({ PORT: String(await freePort()), HOST: "127.0.0.1", ...env });
  return openServer({ settings, log, ctx: app.ctx, database: app.database } as Runtime);
}

/** What the log says while a server opens. */
async function logOf(env: Record<string, string>): Promise<string> {
  const lines: string[] = [];
  const log = pino(new Writable({ write: (chunk, _encoding, done) => done(void lines.push(String(chunk))) }));
  await (await openWith(env, log)).close();
  return lines.join("");
}

test("every process that serves warns about a proxy that isn't listed", async () => {
  expect(await logOf({ PUBLIC_URL: "https://pay.example.com" })).toContain("TRUSTED_PROXIES");
  expect(await logOf({ PUBLIC_URL: "https://pay.example.com", TRUSTED_PROXIES: "127.0.0.1" })).not.toContain("TRUSTED_PROXIES");
  expect(await logOf({})).not.toContain("TRUSTED_PROXIES");
});

test("it also warns if others reach the server and no email leaves it", async () => {
  const relay = { EMAIL_TRANSPORT: "relay", EMAIL_RELAY_URL: "smtp://localhost:2525" };
  expect(await logOf({ PUBLIC_URL: "https://pay.example.com" })).toContain("EMAIL_TRANSPORT");
  expect(await logOf({ PUBLIC_URL: "https://pay.example.com", ...relay })).not.toContain("EMAIL_TRANSPORT");
  expect(await logOf({})).not.toContain("EMAIL_TRANSPORT");
});

test("it also warns if no email can come from EMAIL_FROM", async () => {
  expect(await logOf({ EMAIL_FROM: "support@bank.com via Shop <no-reply@corner.example>" })).toContain("EMAIL_FROM");
  expect(await logOf({ EMAIL_FROM: "Shop <no-reply@corner.example>" })).not.toContain("EMAIL_FROM");
});

test("while it drains, /readyz says 503 and everything else is served; a second request to stop ends the wait", async () => {
  const server = await openWith({});
  const { project_id, key } = await app.tenant();
  const statusOf = async (path: string) => (await server.inject(path)).statusCode;
  expect(await statusOf("/readyz")).toBe(200);
  const { promise: second, resolve: hurry } = Promise.withResolvers<void>();
  const closed = closeServer(server, { DRAIN_SECONDS: 600 }, second);
  expect(await statusOf("/readyz")).toBe(503);
  expect(await statusOf("/healthz")).toBe(200);
  const order = await server.inject({
    method: "POST",
    url: `/api/v1/projects/${project_id}/orders`,
    headers: { authorization: `Bearer ${key}` },
    payload: { amount_minor: 100, currency: "CNY" },
  });
  expect([order.statusCode, server.server.listening]).toEqual([201, true]);
  hurry();
  await closed;
  expect(server.server.listening).toBe(false);
});
