import { Writable } from "node:stream";
import { pino } from "pino";
import { expect, test } from "vitest";
import { readSettings } from "#app/config.ts";
import type { Runtime } from "#app/runtime/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { freePort } from "#test/support/network/free-port.ts";
import { openServer } from "./open-server.ts";

const app = await testApp();

/** What the log says while a server opens, as `serve` and `api` open theirs. */
async function logOf(env: Record<string, string>): Promise<string> {
  const lines: string[] = [];
  const log = pino(new Writable({ write: (chunk, _encoding, done) => done(void lines.push(String(chunk))) }));
  const settings = readSettings({ PORT: String(await freePort()), HOST: "127.0.0.1", ...env });
  const server = await openServer({ settings, log, ctx: app.ctx, database: app.database } as Runtime);
  await server.close();
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
