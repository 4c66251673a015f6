import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { FastifyInstance } from "fastify";
import pg from "pg";
import { afterAll, afterEach, inject } from "vitest";
import { buildApp } from "#app/build-app.ts";
import { localFileStore } from "#app/runtime/local-file-store.ts";
import type { PaymentMethod } from "#gateways/index.ts";
import { createApiKey, createMerchant, setMerchantVerification } from "#identity/index.ts";
import type { CarrierWebhook } from "#messaging/index.ts";
import type { Egress } from "#platform/create-egress.ts";
import type { DatabaseOptions } from "#platform/database/database.ts";
import { type Ctx, type Database, type Db, type LimitStore, openDatabase, type Tenant } from "#platform/index.ts";
import { createProject } from "#projects/index.ts";
import { defaultHttpSettings, type HttpSettings } from "#requests/index.ts";
import { databaseUrl, onServer } from "#test/support/database/postgres.ts";
import { type Clock, readClockFrom, stoppedClock, writeClock } from "#test/support/time/clock.ts";
import { type Api, apiOf } from "./api.ts";
import { contextOn, type TestGateways } from "./context.ts";
import { insertTenant, reportedAccount, usualScopes } from "./insert-tenant.ts";

export interface TenantOptions {
  livemode?: boolean;
  /** LIVE merchants are verified unless this is false. */
  verified?: boolean;
  permissions?: readonly string[];
  currency?: string;
  /** Puts the project under an existing merchant. */
  merchant_id?: string;
  /** Uses an existing project of that merchant, for its other environment. */
  project_id?: string;
}

/** A project in one environment, with a key that has every permission by default. Serves as a `Tenant` itself. */
export interface TestTenant extends Tenant {
  merchant_id: string;
  key: string;
  key_id: string;
}

export interface TestApp {
  /** As the role that serves. */
  url: string;
  /** As the server's superuser. */
  superuserUrl: string;
  /** Does what the role that serves may not, such as vacuuming. */
  asSuperuser<T>(work: (db: Db) => Promise<T>): Promise<T>;
  ctx: Ctx;
  database: Database;
  clock: Clock;
  tenant(options?: TenantOptions): Promise<TestTenant>;
  /** Another key of a tenant. */
  key(tenant: Tenant, permissions?: readonly string[], expires_at?: Date): Promise<{ id: string; key: string }>;
  /** The HTTP server of this app, built when first requested. */
  server(): Promise<FastifyInstance>;
  /** Calls the HTTP server with a key, or with none. */
  api(key?: string | null): Api;
}

export interface TestAppOptions {
  /** The stopped clock's time; by default a fixed day. */
  startsAt?: string;
  probe?: DatabaseOptions["probe"];
  /** The egress to receivers of this test; without it nothing leaves. Closed with the app. */
  egress?: Egress;
  /** How email leaves, and from whom, if that differs from the defaults. */
  mail?: Partial<Ctx["mail"]>;
  /** How SMS leave, and from which numbers; without it LIVE ones don't. */
  sms?: Partial<Ctx["sms"]>;
  /** Call settings that differ from the defaults. */
  calls?: Partial<Ctx["calls"]>;
  /** Guard settings that differ from the defaults. */
  guards?: Partial<Ctx["guards"]>;
  /** Handlers for what carriers send over HTTP. */
  carriers?: readonly CarrierWebhook[];
  /** Settings of the HTTP server that differ from the defaults. */
  http?: Partial<HttpSettings>;
  /** The payment methods, if they aren't the usual ones. */
  methods?: readonly PaymentMethod[];
  /** The payment providers, if they aren't the usual ones. */
  gateways?: TestGateways;
  /** Where limits are counted, if not in this process. Closed with the server. */
  limits?: LimitStore;
  /** The deployment's public URL; by default a loopback one. */
  publicUrl?: string;
  /** Where this test has built its own dashboard. */
  dashboard?: URL;
  /** A database that the test created, instead of a copy of the template. */
  own?: OwnDatabase;
  /** Everything uses the server's superuser, for tests that change the schema, or that do what the role that serves may not. */
  asSuperuser?: boolean;
}

/** A database for one test, and its removal. */
export interface OwnDatabase {
  url: string;
  drop(): Promise<void>;
}

/** For each database that a test opens, unless the test is about deadlines: no wait may end it on a busy machine. */
export const patience = { waitMs: 120_000, lockMs: 120_000, noticeMs: 60_000 };

/** A database on the tests' server through its Unix socket, which takes less processor time than TCP. */
function onSocket(url: string): string {
  const { sockets } = inject("postgres");
  if (sockets === "") return url;
  const through = new URL(url);
  through.searchParams.set("host", sockets);
  return through.href;
}

function openOwn(url: string, { probe }: TestAppOptions): Database {
  return openDatabase({
    url,
    max: 10,
    applicationName: "tillpost-test",
    oneAtATime: true,
    ...patience,
    ...(probe === undefined ? {} : { probe }),
  });
}

/** The parts of a context that a test chose itself. */
function ownParts({ publicUrl, egress, mail, sms, calls, guards, methods, gateways }: TestAppOptions) {
  return {
    ...(publicUrl === undefined ? {} : { publicUrl }),
    ...(egress === undefined ? {} : { egress }),
    ...(mail === undefined ? {} : { mail }),
    ...(sms === undefined ? {} : { sms }),
    ...(calls === undefined ? {} : { calls }),
    ...(guards === undefined ? {} : { guards }),
    ...(methods === undefined ? {} : { methods }),
    ...(gateways === undefined ? {} : { gateways }),
  };
}

/**
 * The whole product for one test file: its own database, copied from the migrated template, dropped at the end unless a test failed. Call
 * it at the top of the file.
 */
export async function testApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { url: superuserUrl, drop } = options.own ?? (await copyDatabase());
  // A database that the test created has one role.
  const name = new URL(superuserUrl).pathname.slice(1);
  const url = options.asSuperuser === true || options.own !== undefined ? superuserUrl : databaseUrl(inject("postgres").appUrl, name);
  const database = openOwn(options.own === undefined ? onSocket(url) : url, options);
  const clockFile = join(inject("postgres").clocks, name);
  if (options.own !== undefined) await onServer(url, (admin) => readClockFrom(dirname(clockFile), admin));
  const clock = stoppedClock(options.startsAt ?? "2026-11-20T08:00:00.000Z", (instant) => writeClock(clockFile, instant));
  const folder = await mkdtemp(join(tmpdir(), "tillpost-files-"));
  const ctx = contextOn(database, {
    now: () => clock.now(),
    files: localFileStore(folder),
    ...ownParts(options),
  });
  let built: Promise<FastifyInstance> | undefined;
  const server = () =>
    (built ??= buildApp({
      ctx,
      database,
      settings: { ...defaultHttpSettings, checkAnswers: true, databaseWaitMs: patience.waitMs, passwordWork: "light", ...options.http },
      ...(options.limits && { limits: options.limits }),
      ...(options.carriers && { carriers: options.carriers }),
      ...(options.dashboard && { dashboard: options.dashboard }),
    }));
  let failed = false;
  afterEach(({ task }) => void (failed ||= task.result?.state === "fail"));
  afterAll(async () => {
    const fastify = await built;
    // A connection whose last response is still on its way would stay open for the usual time, more than a minute.
    if (fastify !== undefined) fastify.server.keepAliveTimeout = 1;
    await fastify?.close();
    // A worker keeps the modules of its earlier files, and with them all that they refer to: a server is several megabytes.
    built = undefined;
    await ctx.gateways.idle();
    await options.egress?.close();
    await database.close();
    await rm(folder, { recursive: true, force: true });
    if (failed) console.error(`kept for a look: ${url}`);
    else await drop();
    writeClock(clockFile, null);
  });
  const key = keyMaker(ctx);
  return {
    ...{ url, superuserUrl, ctx, database, clock, key, server },
    asSuperuser: (work) => onDatabase(superuserUrl, work),
    api: (text) => apiOf(server, text ?? null),
    tenant: (wanted) => makeTenant(ctx, key, wanted ?? {}),
  };
}

function keyMaker(ctx: Ctx): TestApp["key"] {
  return async (tenant, permissions = usualScopes(tenant.livemode), expires_at) => {
    const made = await createApiKey(ctx, {
      project_id: tenant.project_id,
      livemode: tenant.livemode,
      name: "test",
      permissions: [...permissions],
      receiving_account: reportedAccount(tenant.livemode, permissions),
      expires_at: expires_at ?? null,
    });
    return { id: made.id, key: made.secret ?? "" };
  };
}

async function onDatabase<T>(url: string, work: (db: Db) => Promise<T>): Promise<T> {
  const database = openDatabase({ url, max: 1 });
  try {
    return await work(database.db);
  } finally {
    await database.close();
  }
}

/**
 * Only one copy at a time may read the template, so a busy one is tried again. Its files are copied as they are: writing them to the log
 * too would cost several times as much.
 */
function copyDatabase(): Promise<OwnDatabase> {
  return makeDatabase(inject("postgres").template);
}

/** An empty database. */
export function emptyDatabase(): Promise<OwnDatabase> {
  return makeDatabase("template0");
}

async function makeDatabase(template: string): Promise<OwnDatabase> {
  const { serverUrl } = inject("postgres");
  const name = `tillpost_test_${randomBytes(6).toString("hex")}`;
  for (let attempt = 0; ; attempt += 1) {
    try {
      await asAdmin(`create database ${name} template ${template} strategy file_copy`);
      break;
    } catch (error) {
      if ((error as { code?: string }).code !== "55006" || attempt === 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  return {
    url: databaseUrl(serverUrl, name),
    drop: () => asAdmin(`drop database if exists ${name} with (force)`),
  };
}

/** The server's superuser, on one connection for all files of a worker. It ends with the worker. */
let admin: Promise<pg.Client> | undefined;

async function asAdmin(statement: string): Promise<void> {
  admin ??= connectAdmin().catch((error: unknown) => {
    admin = undefined;
    throw error;
  });
  await (await admin).query(statement);
}

async function connectAdmin(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: onSocket(inject("postgres").serverUrl) });
  // If it is cut, the next statement opens another one.
  client.on("error", () => {});
  client.once("end", () => (admin = undefined));
  await client.connect();
  return client;
}

async function makeTenant(ctx: Ctx, makeKey: TestApp["key"], options: TenantOptions): Promise<TestTenant> {
  const livemode = options.livemode ?? false;
  if (options.merchant_id === undefined && options.project_id === undefined) {
    const { verified = true, permissions = usualScopes(livemode), currency = "CNY" } = options;
    return insertTenant(ctx, { livemode, verified, permissions, currency });
  }
  const merchant_id = options.merchant_id ?? (await createMerchant(ctx, { display_name: "Corner Books" })).id;
  if (options.verified !== false) await setMerchantVerification(ctx, { merchant_id, status: "verified" });
  const slug = `shop-${randomBytes(4).toString("hex")}`;
  const project_id =
    options.project_id ?? (await createProject(ctx, { merchant_id, name: "Shop", slug, default_currency: options.currency ?? "CNY" })).id;
  const tenant = { project_id, livemode };
  const { id, key } = await makeKey(tenant, options.permissions);
  return { ...tenant, merchant_id, key, key_id: id };
}
