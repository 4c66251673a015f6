import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { auditBooks } from "#orders/index.ts";
import type { TestApp } from "#test/support/app/test-app.ts";
import { loadedEnvironment } from "#test/support/app/test-environment.ts";
import { certificate } from "#test/support/network/certificate.ts";
import { type Received, type Receiver, type Reply, startReceiver } from "#test/support/network/receiver.ts";
import { type Program, startProgram } from "#test/support/programs/program.ts";
import { deliverDue, endpointAt } from "#test/support/webhooks/webhook-world.ts";
import { countNeverTried, countWaiting } from "#test/support/webhooks/webhooks.sql.ts";
import { fanOut, reviveExpired } from "#webhooks/index.ts";
import { startWorkers, type Workers } from "#workers/index.ts";
import { type OrderLoad, startOrderLoad } from "./order-load.ts";

export interface StormReport {
  kills: number;
  acknowledged: number;
  deliveries: number;
  perSecond: number;
  /** Events of acknowledged orders that a living endpoint never got. */
  lost: string[];
  /** Orders that were reported twice under different ids. */
  doubled: string[];
  duplicates: number;
  /** Deliveries that were waiting at the last kill. */
  backlog: number;
  /** From the last kill until nothing was waiting any more. */
  healedMs: number;
  /** Events that the endpoints which refuse some hadn't been offered even once by then. */
  behind: number;
  /** Events that the others didn't respond to in time, twice, so that the next attempt is minutes later. */
  late: number;
  /** The longest time between the database's return and the next delivery that arrived. */
  onAfterMs: number;
  /** Processes that died before they were stopped in order. */
  exits: number;
  bookFaults: unknown[];
}

/** A failing endpoint refuses an event at most this often: it must accept the last attempt of the TEST schedule. */
const maxRefusals = 3;

export interface Disturbance {
  kills: number;
  processes: number;
  /** Endpoints of each of two shops; one of them is dead and two refuse three in ten. */
  endpointsEach: number;
  everyMs: number;
  /**
   * What the callers create together; without it as many as they can, which in the long run is more than constantly killed processes can
   * deliver.
   */
  ordersPerSecond?: number;
  /** Whether time runs five times as fast after the load: a lease lapses after six seconds, and a delivery still takes less. */
  hurries?: boolean;
  /** Restarts the database instead of killing a process. */
  restart?: () => Promise<void>;
  /** Where this process serves: it works beside the others and is never killed. With it, those that are killed aren't started again. */
  survivor?: string;
}

type StormApp = Pick<TestApp, "ctx" | "url" | "clock" | "tenant">;

interface StormState extends OrderLoad {
  app: StormApp;
  programs: Program[];
  start(index: number): Promise<Program>;
  /** By endpoint: how often each event was accepted. */
  accepted: Map<string, Map<string, number>>;
  /** Whether the failing endpoints have stopped refusing. */
  willing: boolean;
  /** By endpoint and event: how often a failing one refused it. */
  refused: Map<string, number>;
  /** By order and event name: the ids that reported it. */
  idsOf: Map<string, Set<string>>;
}

/**
 * Processes on one database, orders created and paid through them, endpoints of which one is dead and two refuse three in ten; a random
 * process is killed every `everyMs` and started again. Then compares the callers' responses with what the receivers got.
 */
export async function webhookStorm(app: StormApp, given: Disturbance): Promise<StormReport> {
  const folder = mkdtempSync(join(tmpdir(), "tillpost-storm-"));
  app.clock.run();
  const world: StormState = {
    app,
    shops: [await app.tenant(), await app.tenant()],
    programs: [],
    origins: () => [...world.programs.map(({ url }) => url), ...(given.survivor === undefined ? [] : [given.survivor])],
    start: starter(app, folder),
    accepted: new Map(),
    willing: false,
    refused: new Map(),
    idsOf: new Map(),
    paid: [],
  };
  writeFileSync(join(folder, "ca.pem"), (await certificate()).cert);
  const receiver = await receiverOf(world);
  const work = given.survivor === undefined ? null : startWorkers(app.ctx);
  try {
    return await weather(world, { receiver, work }, given);
  } finally {
    // After a fault they're still running.
    for (const program of world.programs) program.kill("SIGKILL");
    await work?.stop();
    await receiver.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Around {
  receiver: Receiver;
  /** The background work of this process, if it takes part. */
  work: Workers | null;
}

async function weather(world: StormState, { receiver, work }: Around, given: Disturbance): Promise<StormReport> {
  const { app } = world;
  const watched = await register(world, receiver.url, given.endpointsEach);
  world.programs = await Promise.all(Array.from({ length: given.processes }, (_, index) => world.start(index)));
  const startedAt = performance.now();
  const load = startOrderLoad(world, given.ordersPerSecond);
  await sleep(given.everyMs);
  const onAfterMs = await disturb(world, receiver, given);
  const killed = performance.now();
  const undistributed = await countWaiting(app.ctx.db, []);
  const backlog = (await countWaiting(app.ctx.db, watched.steady)) + undistributed * (given.endpointsEach - 1);
  await load.stop();
  const seconds = (performance.now() - startedAt) / 1000;
  await untilDelivered(app, watched.steady, given.hurries === true);
  const healedMs = performance.now() - killed;
  const behind = await countNeverTried(app.ctx.db, watched.failing);
  const late = await countWaiting(app.ctx.db, watched.steady);
  const deliveries = receiver.count();
  const ends = await Promise.all(world.programs.map((program) => program.stop()));
  await work?.stop();
  world.willing = true;
  await drain(app, [...watched.steady, ...watched.failing]);
  return {
    kills: given.kills,
    acknowledged: world.paid.length,
    deliveries,
    perSecond: Math.round(deliveries / seconds),
    backlog,
    healedMs,
    behind,
    late,
    onAfterMs,
    exits: ends.filter((end) => end.code !== 0).length,
    ...compare(world),
    bookFaults: await auditBooks(app.ctx),
  };
}

/** Returns the longest time that a restarted database took until deliveries continued. */
async function disturb(world: StormState, receiver: Receiver, { kills, everyMs, restart, survivor }: Disturbance): Promise<number> {
  let longest = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const startedAt = performance.now();
    if (restart === undefined) await killOne(world, survivor === undefined);
    else longest = Math.max(longest, await restartUnder(receiver, restart));
    // The victim has restarted by now; the next one is killed on time.
    await sleep(Math.max(0, everyMs - (performance.now() - startedAt)));
    if ((kill + 1) % 50 === 0) console.log(`${kill + 1} of ${kills}, ${receiver.count()} deliveries so far`);
  }
  return Math.round(longest);
}

async function killOne(world: StormState, restarts: boolean): Promise<void> {
  const victim = Math.floor(Math.random() * world.programs.length);
  world.programs[victim]?.kill("SIGKILL");
  await world.programs[victim]?.ended;
  if (restarts) world.programs[victim] = await world.start(victim);
  else world.programs.splice(victim, 1);
}

async function restartUnder(receiver: Receiver, restart: () => Promise<void>): Promise<number> {
  await restart();
  const back = performance.now();
  await receiver.until(receiver.count() + 1);
  return performance.now() - back;
}

function starter(app: StormApp, folder: string): StormState["start"] {
  return async (index) => (await startProgram({ dataDir: join(folder, String(index)), env: loadedEnvironment(app.url, folder) })).ready();
}

async function register(
  { app, shops, accepted }: StormState,
  url: string,
  endpointsEach: number,
): Promise<{ steady: string[]; failing: string[] }> {
  const steady: string[] = [];
  const failing: string[] = [];
  for (const [index, shop] of shops.entries()) {
    for (let n = 0; n < endpointsEach; n += 1) {
      const isDead = index === 0 && n === 0;
      const isFailing = n === 1;
      const path = `/${index}/${n}${isFailing ? "/failing" : ""}`;
      const { id } = await endpointAt(app.ctx, shop, isDead ? "https://127.0.0.1:1/" : `${url}${path}`, ["order.created", "order.paid"]);
      // Listed before anything arrives, so that one which gets nothing is missed.
      if (!isDead) accepted.set(path, new Map());
      if (!isDead) (isFailing ? failing : steady).push(id);
    }
  }
  return { steady, failing };
}

function receiverOf(world: StormState): Promise<Receiver> {
  const reply: Reply = (one, response) => {
    const ok = world.willing || !one.path.endsWith("/failing") || !refuses(world, one);
    if (ok) note(world, one);
    response.writeHead(ok ? 200 : 500).end();
  };
  return startReceiver(reply, { keep: false });
}

function refuses({ refused }: StormState, { path, headers }: Received): boolean {
  const key = `${path} ${headers["webhook-id"]}`;
  const before = refused.get(key) ?? 0;
  if (before >= maxRefusals || Math.random() >= 0.3) return false;
  refused.set(key, before + 1);
  return true;
}

function note({ accepted, idsOf }: StormState, { path, headers, body }: Received): void {
  const id = headers["webhook-id"] ?? "";
  const { event, data } = JSON.parse(body.toString()) as { event: string; data: { order: { id: string } } };
  const seen = accepted.get(path) ?? new Map<string, number>();
  accepted.set(path, seen.set(id, (seen.get(id) ?? 0) + 1));
  const key = `${data.order.id} ${event}`;
  idsOf.set(key, (idsOf.get(key) ?? new Set()).add(id));
}

/** A busy machine's receiver sometimes doesn't respond in time; what it gets minutes later has nothing to do with the kill. */
const soonSeconds = 60;

async function untilDelivered({ ctx, clock }: StormApp, endpoints: string[], hurries: boolean): Promise<void> {
  const end = performance.now() + 240_000;
  for (let left = 1; left > 0; ) {
    left = await countWaiting(ctx.db, endpoints, soonSeconds);
    if (hurries) clock.advance(1_000);
    if (performance.now() > end) throw new Error(`${left} deliveries still wait`);
    await sleep(200);
  }
}

/** Advances the clock by the hours that all retries would take. */
async function drain({ ctx, clock }: StormApp, endpoints: string[]): Promise<void> {
  clock.set(new Date());
  while ((await countWaiting(ctx.db, endpoints)) > 0) {
    clock.advance(3 * 3_600_000);
    // Leases that the last killed one held on the refusing endpoints may have lapsed only now.
    while ((await reviveExpired(ctx)) > 0);
    while ((await fanOut(ctx)) > 0);
    await deliverDue(ctx, endpoints);
  }
}

function compare({ accepted, idsOf, paid }: StormState): Pick<StormReport, "lost" | "doubled" | "duplicates"> {
  const lost: string[] = [];
  for (const { order, shop } of paid) {
    for (const event of ["order.created", "order.paid"]) {
      const ids = [...(idsOf.get(`${order} ${event}`) ?? [])];
      for (const [path, seen] of accepted) {
        if (path.startsWith(`/${shop}/`) && !ids.some((id) => seen.has(id))) lost.push(`${event} of ${order} at ${path}`);
      }
    }
  }
  const doubled = [...idsOf].filter(([, ids]) => ids.size > 1).map(([key]) => key);
  const duplicates = [...accepted.values()].reduce((sum, seen) => sum + [...seen.values()].reduce((more, count) => more + count - 1, 0), 0);
  return { lost, doubled, duplicates };
}
