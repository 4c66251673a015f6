import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { pino } from "pino";
import { openDataFolder, startEmbedded } from "#app/embedded/index.ts";
import { allScopes, createApiKey, createMerchant } from "#identity/index.ts";
import { type Ctx, type Database, migrate, newId, openDatabase, type Tenant } from "#platform/index.ts";
import { createProject } from "#projects/index.ts";
import { temporaryFolder } from "#test/program.ts";
import { insertManyOrders, listSample } from "./ceilings.sql.ts";
import type { Measured, Plan } from "./load.ts";
import { measureStart } from "./measure-start.ts";
import { measureWebhooks } from "./measure-webhooks.ts";
import { type Row, report } from "./report.ts";
import type { Serve } from "./served.ts";

interface Bench {
  url: string;
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
/** Enough that two full batches can be under way. */
const connections = 128;
/** As `npm start` runs the server; the ceilings run alike. */
const serverFlags = ["--max-semi-space-size=8", "--disable-warning=ExperimentalWarning"];
const order =
  '{"amount_minor":9900,"currency":"CNY","reference":"B-{n}","description":"Three months","metadata":{"subscription_id":"sub_42","plan":"pro","billing_period":"2026-11"},"customer":{"email":"ada@example.com"}}';

const folder = temporaryFolder();
const home = openDataFolder(join(folder.path, "data"));
const embedded = await startEmbedded(home, {
  log: pino({ level: "warn" }),
  connections: 60,
  onLost: (error) => {
    throw error;
  },
});
const started = await measureStart();
try {
  report(await measureAll(await prepare(embedded.url)), started);
} finally {
  await embedded.stop();
  await home.release();
  folder.remove();
}

async function prepare(url: string): Promise<Bench> {
  await migrate(url, new URL("../migrations/", import.meta.url));
  const database = openDatabase({ url, max: 2 });
  const ctx = {
    db: database.db,
    now: () => new Date(),
    id: newId,
    actor: { kind: "system", id: "bench" },
    requestId: null,
    claim: null,
    transact: database.transact,
    transactUnclaimed: database.transact,
  } as unknown as Ctx;
  const merchant = await createMerchant(ctx, { display_name: "Bench" });
  const project = await createProject(ctx, { merchant_id: merchant.id, name: "Bench", default_currency: "CNY" });
  const tenant = { project_id: project.id, livemode: false };
  const key = await createApiKey(ctx, { ...tenant, name: "bench", permissions: [...allScopes] });
  return { url, database, tenant, authorization: `authorization: Bearer ${key.secret}\r\n` };
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
  const tenants = [bench.tenant, { ...bench.tenant, livemode: true }];
  const webhooks = await measureWebhooks({ url: bench.url, tenants, deliveries: quick ? 2_000 : 20_000, storedEvents: million });
  return [...rows, ...small, ...large, ...compareSizes(small, large), ...buyers, ...webhooks];
}

async function measureWrites(bench: Bench, path: string): Promise<{ rows: Row[]; oneRow: Measured }> {
  const create = { method: "POST", paths: [path], headers: bench.authorization, body: order } as const;
  const bare = await run(bench, "bare", { ...create, paths: ["/orders"], headers: "" });
  const oneRow = await run(bench, "sql", { ...create, paths: ["/orders"], headers: "" });
  const plain = await run(bench, "tillpost", create);
  const keyed = await run(bench, "tillpost", { ...create, headers: `${bench.authorization}idempotency-key: k-{n}\r\n` });
  const against = (aims: [number | null, number | null]): Row["ceilings"] => [
    ["bare JSON route", bare, aims[0]],
    ["same SQL, one row a transaction", oneRow, aims[1]],
  ];
  const rows = [
    { name: "POST orders", measured: plain, ceilings: against([0.33, 1.5]) },
    { name: "POST orders with Idempotency-Key", measured: keyed, ceilings: against([null, null]) },
  ];
  return { rows, oneRow };
}

function compareSizes(small: Row[], large: Row[]): Row[] {
  return large.map((row, index) => ({
    name: `${row.name}, against few`,
    measured: row.measured,
    ceilings: [["with 1 000 orders", (small[index] as Row).measured, 1 / 1.3]],
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
      measured: await run(bench, "tillpost", { ...read, paths: one(path) }),
      ceilings: [["same query", await run(bench, "sql", { ...read, paths: one("/orders") }), 0.8]],
    },
    {
      name: `list of 20, ${size}`,
      measured: await run(bench, "tillpost", { ...read, paths: list(path) }),
      ceilings: [["same query", await run(bench, "sql", { ...read, paths: list("/orders") }), 0.8]],
    },
  ];
}

async function measureBuyers(bench: Bench, given: { path: string; oneRow: Measured }): Promise<Row[]> {
  const sample = await listSample(bench.database.db, bench.tenant, 60_000);
  const pages = { method: "GET", headers: "accept: text/html\r\n", body: "", paths: sample.slice(0, 5_000).map((row) => `/pay/${row.token}`) } as const;
  const settles = {
    method: "POST",
    headers: bench.authorization,
    body: "{}",
    paths: sample.map((row) => `${given.path}/${row.id}/simulate-payment`),
    once: true,
  } as const;
  const query = await run(bench, "sql", { method: "GET", headers: "", body: "", paths: sample.slice(0, 5_000).map((row) => `/orders/${row.id}`) });
  return [
    { name: "pay page", measured: await run(bench, "tillpost", pages), ceilings: [["the order's query as JSON", query, null]] },
    { name: "settle (simulate-payment)", measured: await run(bench, "tillpost", settles), ceilings: [["one order written a transaction", given.oneRow, null]] },
  ];
}

type Traffic = Pick<Plan, "method" | "headers" | "body"> & { paths: readonly string[]; once?: boolean };

/** One figure: a fresh server and a fresh load generator, each in a process of its own. */
async function run(bench: Bench, kind: Serve["kind"], traffic: Traffic): Promise<Measured & { peakMb: number }> {
  const server = fork(new URL("served.ts", import.meta.url), { execArgv: serverFlags });
  try {
    server.send({ kind, url: bench.url, tenant: bench.tenant } satisfies Serve);
    const [{ port }] = (await once(server, "message")) as [{ port: number }];
    const load = fork(new URL("load.ts", import.meta.url));
    load.send({ once: false, ...traffic, paths: [...traffic.paths], port, connections, ...times } satisfies Plan);
    const [measured] = (await once(load, "message")) as [Measured];
    server.send("memory");
    const [{ peakMb }] = (await once(server, "message")) as [{ peakMb: number }];
    if (measured.failed > 0 || measured.requests === 0)
      throw new Error(`${kind} ${traffic.paths[0]}: ${measured.failed} of ${measured.requests} requests were refused`);
    process.stderr.write(`${kind} ${traffic.method} ${(traffic.paths[0] ?? "").slice(0, 60)}: ${measured.perSecond}/s\n`);
    return { ...measured, peakMb };
  } finally {
    server.disconnect();
    await once(server, "exit");
  }
}
