import { join } from "node:path";
import { pino } from "pino";
import { migrateAsOwner, usualRoles } from "#app/database-roles/index.ts";
import { type Embedded, openDataFolder, startEmbedded } from "#app/embedded/index.ts";
import { allScopes, createApiKey, createMerchant } from "#identity/index.ts";
import { type Database, openDatabase, type Tenant } from "#platform/index.ts";
import { createProject } from "#projects/index.ts";
import { contextOn } from "#test/support/app/context.ts";
import { temporaryFolder } from "#test/support/programs/program.ts";
import { insertManyOrders, listSample } from "./ceilings.sql.ts";
import type { Measured } from "./load.ts";
import { measureAccept } from "./measure-accept.ts";
import { measureGateways } from "./measure-gateways.ts";
import { measureMail } from "./measure-mail.ts";
import { measurePgbench } from "./measure-pgbench.ts";
import { measurePoison } from "./measure-poison.ts";
import { measureSms } from "./measure-sms.ts";
import { measureStart } from "./measure-start.ts";
import { measureWebhooks } from "./measure-webhooks.ts";
import { type Row, report } from "./report.ts";
import { runServed, runTwice, type Served, type Traffic } from "./run-served.ts";
import type { Serve } from "./served.ts";

interface Bench {
  /** As the role that serves. */
  url: string;
  ownerUrl: string;
  /** Of the role that owns the tables, for what only it may do. */
  database: Database;
  tenant: Tenant;
  authorization: string;
}

/** How long each figure is measured; `--quick` shows the machinery, not the figures. */
const quick = process.argv.includes("--quick");
const times = quick ? { warmupMs: 500, measureMs: 1_500 } : { warmupMs: 2_000, measureMs: 8_000 };
const million = quick ? 20_000 : 1_000_000;
/** Each statement within the time that a statement may take. */
const seededAtOnce = 50_000;
/** As many callers as one busy shop has. */
const fewConnections = 32;
const order =
  '{"amount_minor":9900,"currency":"CNY","reference":"B-{n}","description":"Three months","metadata":{"subscription_id":"sub_42","plan":"pro","billing_period":"2026-11"},"customer":{"email":"ada@example.com"}}';

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** `--only mail` measures just that part. Each part has its own database. */
const parts = {
  payments: measureAll,
  gateways: measureProviders,
  webhooks: measureDeliveries,
  mail: measureMessages,
  sms: measureTexts,
  hostile: measureHostile,
} as const;
const only = process.argv.includes("--only") ? process.argv[process.argv.indexOf("--only") + 1] : null;
const names = ["start", ...Object.keys(parts)];
if (only !== null && !names.includes(only ?? "")) throw new Error(`--only takes one of: ${names.join(", ")}`);

const started = only === null || only === "start" ? await measureStart() : null;
const rows: Row[] = [];
for (const [name, measure] of Object.entries(parts)) if (only === null || only === name) rows.push(...(await onFreshDatabase(measure)));
report(rows, started);

async function onFreshDatabase(measure: (bench: Bench) => Promise<Row[]>): Promise<Row[]> {
  const folder = temporaryFolder();
  const dataFolder = openDataFolder(join(folder.path, "data"));
  const embedded = await startEmbedded(dataFolder, {
    log: pino({ level: "warn" }),
    reserveBytes: 0,
    connections: 60,
    onLost: (error) => {
      throw error;
    },
  });
  const end = async () => {
    await embedded.stop();
    await dataFolder.release();
    folder.remove();
  };
  // An interrupted run leaves no database behind.
  const onSignal = () => void end().finally(() => process.exit(130));
  for (const signal of signals) process.once(signal, onSignal);
  try {
    const bench = await prepare(embedded);
    return await measure(bench).finally(() => bench.database.close());
  } finally {
    for (const signal of signals) process.off(signal, onSignal);
    await end();
  }
}

async function prepare({ url, ownerUrl }: Embedded): Promise<Bench> {
  await migrateAsOwner({ ownerUrl, folder: new URL("../migrations/", import.meta.url), app: usualRoles.app });
  const database = openDatabase({ url: ownerUrl, max: 2 });
  const ctx = contextOn(database, { now: () => new Date(), files: { put: async () => {}, get: async () => null, remove: async () => {} } });
  const merchant = await createMerchant(ctx, { display_name: "Bench", messaging_tier: "enterprise" });
  const project = await createProject(ctx, { merchant_id: merchant.id, name: "Bench", default_currency: "CNY" });
  const tenant = { project_id: project.id, livemode: false };
  const key = await createApiKey(ctx, { ...tenant, name: "bench", permissions: [...allScopes] });
  return { url, ownerUrl, database, tenant, authorization: `authorization: Bearer ${key.secret}\r\n` };
}

/** Reads of a small table first; then what writes to it; then reads of a large one. */
async function measureAll(bench: Bench): Promise<Row[]> {
  const now = new Date();
  await insertManyOrders(bench.database.db, bench.tenant, { from: 1, to: 1_000, now });
  const small = await measureReads(bench, "1 000 orders");
  const path = `/api/v1/projects/${bench.tenant.project_id}/orders`;
  const { rows, oneRow } = await measureWrites(bench, path);
  for (let from = 1_001; from <= million; from += seededAtOnce) {
    await insertManyOrders(bench.database.db, bench.tenant, { from, to: Math.min(million, from + seededAtOnce - 1), now });
  }
  const large = await measureReads(bench, `${million.toLocaleString("en").replaceAll(",", " ")} orders`);
  const buyers = await measureBuyers(bench, { path, oneRow });
  return [...rows, ...small, ...large, ...compareSizes(small, large), ...buyers];
}

/** The time to start a payment isn't a rate, so it's printed on a separate line. */
async function measureProviders({ url, ownerUrl, tenant, authorization }: Bench): Promise<Row[]> {
  const { rows, line } = await measureGateways({ url, ownerUrl, tenant, authorization, quick });
  process.stdout.write(`${line}\n\n`);
  return rows;
}

function measureDeliveries({ url, tenant }: Bench): Promise<Row[]> {
  return measureWebhooks({
    url,
    tenants: [tenant, { ...tenant, livemode: true }],
    deliveries: quick ? 2_000 : 20_000,
    storedEvents: million,
  });
}

/** Sending first: what is stored then makes nothing slower. */
async function measureMessages({ url, ownerUrl, tenant, authorization }: Bench): Promise<Row[]> {
  const sent = await measureMail({ url, tenant, mails: quick ? 2_000 : 10_000 });
  return [...sent, ...(await measureAccept({ url, ownerUrl, tenant, authorization, quick }))];
}

function measureTexts({ url, ownerUrl, tenant }: Bench): Promise<Row[]> {
  return measureSms({ url, ownerUrl, tenant, quick });
}

/** The result is a time, not a rate, so it's printed on a separate line. */
function measureHostile({ url, tenant, authorization }: Bench): Promise<Row[]> {
  return onFreshDatabase(async ({ url: idleUrl }) => {
    process.stdout.write(`${await measurePoison({ url, idleUrl, project_id: tenant.project_id, authorization, quick })}\n\n`);
    return [];
  });
}

async function measureWrites(bench: Bench, path: string): Promise<{ rows: Row[]; oneRow: Measured }> {
  const create = { method: "POST", paths: [path], headers: bench.authorization, body: order } as const;
  const bare = await run(bench, "bare", { ...create, paths: ["/orders"], headers: "" });
  const oneRow = await run(bench, "sql", { ...create, paths: ["/orders"], headers: "" });
  const plain = await runPath(bench, create);
  const withKey = { ...create, headers: `${bench.authorization}idempotency-key: k-{n}\r\n` };
  const keyed = await runPath(bench, withKey);
  const few = await run(bench, "tillpost", { ...withKey, connections: fewConnections });
  const { url, tenant } = bench;
  const pgbench = await measurePgbench({ url, tenant, clients: fewConnections, seconds: (times.warmupMs + times.measureMs) / 1_000 });
  const against = (aims: [number | null, number | null]): Row["ceilings"] => [
    ["bare JSON route", bare, aims[0]],
    ["same SQL, one row per transaction", oneRow, aims[1]],
  ];
  const rows = [
    { name: "POST orders", measured: plain, ceilings: against([0.33, 1.5]) },
    { name: "POST orders with Idempotency-Key", measured: keyed, ceilings: against([null, null]) },
    {
      name: `POST orders with Idempotency-Key, ${fewConnections} connections`,
      measured: few,
      ceilings: pgbench === null ? [] : ([["pgbench, order, link, event and key in one statement", pgbench, 1]] satisfies Row["ceilings"]),
    },
  ];
  return { rows, oneRow };
}

function compareSizes(small: Row[], large: Row[]): Row[] {
  return large.map((row, index) => ({
    name: `${row.name}, compared with few`,
    measured: row.measured,
    ceilings: [["with 1 000 orders", (small[index] as Row).measured, 0.8]],
  }));
}

async function measureReads(bench: Bench, size: string): Promise<Row[]> {
  const path = `/api/v1/projects/${bench.tenant.project_id}/orders`;
  const sample = await listSample(bench.database.db, bench.tenant, 5_000);
  const read = { method: "GET", headers: bench.authorization, body: "" } as const;
  const one = (prefix: string) => sample.map((row) => `${prefix}/${row.id}`);
  const list = (prefix: string) => sample.map((row) => `${prefix}?limit=20&starting_after=${row.id}`);
  return [
    {
      name: `GET order, ${size}`,
      measured: await runPath(bench, { ...read, paths: one(path) }),
      ceilings: [["same query", await run(bench, "sql", { ...read, paths: one("/orders") }), 0.8]],
    },
    {
      name: `list of 20, ${size}`,
      measured: await runPath(bench, { ...read, paths: list(path) }),
      ceilings: [["same query", await run(bench, "sql", { ...read, paths: list("/orders") }), 0.9]],
    },
  ];
}

async function measureBuyers(bench: Bench, given: { path: string; oneRow: Measured }): Promise<Row[]> {
  const sample = await listSample(bench.database.db, bench.tenant, 60_000);
  const pages = {
    method: "GET",
    headers: "accept: text/html\r\n",
    body: "",
    paths: sample.slice(0, 5_000).map((row) => `/pay/${row.token}`),
  } as const;
  const settles = {
    method: "POST",
    headers: bench.authorization,
    body: "{}",
    paths: sample.map((row) => `${given.path}/${row.id}/simulate-payment`),
    once: true,
  } as const;
  const query = await run(bench, "sql", {
    method: "GET",
    headers: "",
    body: "",
    paths: sample.slice(0, 5_000).map((row) => `/orders/${row.id}`),
  });
  return [
    { name: "pay page", measured: await runPath(bench, pages), ceilings: [["the order's query as JSON", query, null]] },
    {
      name: "settle (simulate-payment)",
      measured: await runPath(bench, settles),
      ceilings: [["one order per transaction", given.oneRow, 0.65]],
    },
  ];
}

function run({ url, tenant }: Bench, kind: Serve["kind"], traffic: Traffic): Promise<Served> {
  return runServed({ kind, url, tenant }, traffic, times);
}

/** A path of the product, at its peak and at a tenth of it. */
function runPath({ url, tenant }: Bench, traffic: Traffic): Promise<Served & { calm: Measured }> {
  return runTwice({ kind: "tillpost", url, tenant }, traffic, times);
}
