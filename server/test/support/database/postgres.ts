import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { processEnvironment } from "#app/config.ts";
import { makeRoles, migrateAsOwner, usualRoles } from "#app/database-roles/index.ts";
import { readClockFrom } from "#test/support/time/clock.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** `serverUrl` is the superuser's, `appUrl` that of the role that serves; `sockets` is the folder of the Unix socket, or empty. */
    postgres: { serverUrl: string; appUrl: string; sockets: string; template: string; clocks: string };
  }
}

/** Runs once before the tests: a PostgreSQL server and, on it, one migrated database with both roles that every test file copies. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  // Nothing depends on it.
  const compiled = compileSources().catch(() => {});
  const given = processEnvironment()["TEST_DATABASE_URL"];
  const server = given === undefined || given === "" ? await startServer() : { url: given, sockets: "", stop: async () => {} };
  const template = `tillpost_template_${randomBytes(4).toString("hex")}`;
  try {
    await onServer(server.url, (admin) => admin.query(`create database ${template}`));
    const { ownerUrl, appUrl } = await makeRoles(databaseUrl(server.url, template));
    await migrateAsOwner({ ownerUrl, folder: new URL("../../../migrations/", import.meta.url), app: usualRoles.app });
    const clocks = mkdtempSync(join(tmpdir(), "tillpost-clocks-"));
    // The server may run as another user.
    chmodSync(clocks, 0o711);
    await onServer(databaseUrl(server.url, template), (admin) => readClockFrom(clocks, admin));
    project.provide("postgres", { serverUrl: server.url, appUrl, sockets: server.sockets, template, clocks });
    await compiled;
  } catch (error) {
    await server.stop();
    throw error;
  }
  return async () => {
    await onServer(server.url, (admin) => admin.query(`drop database if exists ${template} with (force)`));
    await server.stop();
  };
}

/**
 * Fills Node's compile cache with the product while the database starts: in a new clone each of the first workers would otherwise strip and
 * compile all of it by itself.
 */
async function compileSources(): Promise<void> {
  const sources = ["app/build-app.ts", "app/commands/serve.ts"].map((path) => new URL(`../../../src/${path}`, import.meta.url).href);
  const program = `await Promise.all(${JSON.stringify(sources)}.map((source) => import(source))); process.exit();`;
  const options = ["--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", program];
  await once(spawn(process.execPath, options, { stdio: "ignore" }), "exit");
}

/** The URL of another database on the same server. */
export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

/** Runs `work` on one short-lived connection. */
export async function onServer<T>(url: string, work: (admin: pg.Client) => PromiseLike<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: url });
  // A connection that is cut while idle must not end the process.
  admin.on("error", () => {});
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

/** Runs `work` on a separate, empty server; `restart` stops it abruptly and resolves when it is back. */
export async function withServer<T>(work: (url: string, restart: () => Promise<void>) => Promise<T>): Promise<T> {
  const server = await startServer();
  try {
    return await work(server.url, server.restart);
  } finally {
    await server.stop();
  }
}

/** The keeper ends the server when its standard input closes, so even a killed test run leaves nothing behind. */
async function startServer(): Promise<{ url: string; sockets: string; stop(): Promise<void>; restart(): Promise<void> }> {
  const keeper = spawn(process.execPath, [fileURLToPath(new URL("postgres-keeper.ts", import.meta.url))], {
    stdio: ["pipe", "pipe", "inherit"],
    detached: true,
  });
  const ended = once(keeper, "exit");
  const printed = await new Promise<string>((resolve, reject) => {
    keeper.stdout.once("data", (bytes: Buffer) => resolve(String(bytes).trim()));
    keeper.once("exit", (code) => reject(new Error(`the test database did not start (exit code ${code})`)));
    keeper.once("error", reject);
  });
  const [url = "", sockets = ""] = printed.split(" ");
  return {
    url,
    sockets,
    async restart() {
      const back = once(keeper.stdout, "data");
      keeper.stdin.write("restart\n");
      await back;
    },
    async stop() {
      keeper.stdin.end();
      await ended;
    },
  };
}
