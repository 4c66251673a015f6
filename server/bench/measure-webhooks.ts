import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "undici";
import { emitAll } from "#events/index.ts";
import { type Ctx, createEgress, openDatabase, type Tenant } from "#platform/index.ts";
import { createEndpoint, createSender, fanOut, signHeaders } from "#webhooks/index.ts";
import { contextOn } from "../test/support/app/context.ts";
import type { Measured } from "./load.ts";
import type { Row } from "./report.ts";
import { countUndelivered, deleteDeliveries, insertOldEvents } from "./webhooks.sql.ts";

const allow = ["127.0.0.0/8"];
const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const inFlight = 5;
/** As many as one project may have. */
const fannedTo = 16;
/** Rows per statement, so that each finishes within the time limit of a statement. */
const storedAtOnce = 50_000;
const aim = 0.25;
const flatAim = 0.8;

interface Given {
  url: string;
  /** Projects to deliver for; endpoints are spread over them. */
  tenants: Tenant[];
  /** Deliveries of each figure, and stored events of the last one. */
  deliveries: number;
  storedEvents: number;
}

/**
 * Deliveries per second through claims, signatures, TLS and records, compared with a bare loop that only signs and sends; and the cost of
 * fan-out.
 */
export async function measureWebhooks(given: Given): Promise<Row[]> {
  const receiver = fork(new URL("receive.ts", import.meta.url));
  const [{ port, ca }] = (await once(receiver, "message")) as [{ port: number; ca: string }];
  const database = openDatabase({ url: given.url, max: 10 });
  const egress = createEgress({ allow, publicUrl: "http://localhost", ca: [ca] });
  const files = { put: async () => {}, get: async () => null, remove: async () => {} };
  const ctx = contextOn(database, { now: () => new Date(), files, egress });
  const at = `https://127.0.0.1:${port}/`;
  try {
    const rows: Row[] = [];
    // Removes deliveries left by other measurements.
    while ((await fanOut(ctx, 5_000)) > 0);
    let open = 0;
    const stand = async (endpoints: number) => {
      for (; open < endpoints; open += 1) await createEndpoint(ctx, tenantOf(given, open), { url: at, events: ["order.paid"] });
    };
    for (const endpoints of [1, 20]) {
      await stand(endpoints);
      const bare = await bareLoop(at, { ca, endpoints, count: given.deliveries });
      const events = Math.floor(given.deliveries / Math.max(1, endpoints / given.tenants.length));
      await emitMany(ctx, given.tenants.slice(0, endpoints), events);
      while ((await fanOut(ctx)) > 0);
      rows.push({
        name: `deliveries to ${endpoints} ${endpoints === 1 ? "endpoint" : "endpoints"}`,
        measured: await deliverAll(ctx),
        ceilings: [["bare signed loop", bare, aim]],
      });
    }
    await stand(fannedTo * given.tenants.length);
    return [...rows, await measureFanOut(ctx, given)];
  } finally {
    await egress.close();
    await database.close();
    receiver.disconnect();
  }
}

function tenantOf({ tenants }: Given, index: number): Tenant {
  return tenants[index % tenants.length] as Tenant;
}

async function emitMany(ctx: Ctx, tenants: Tenant[], count: number): Promise<void> {
  for (let made = 0; made < count; made += 500) {
    const batch = Array.from({ length: Math.min(500, count - made) }, (_, n) => ({
      tenant: tenants[n % tenants.length] as Tenant,
      event: "order.paid",
      object_id: ctx.id("ord"),
      data: sample(made + n),
    }));
    await ctx.transact((tx) => emitAll(tx, ctx, batch));
  }
}

function sample(n: number): object {
  const metadata = { subscription_id: `sub_${n}`, plan: "pro", billing_period: "2026-11" };
  return {
    order: {
      id: "ord_01m7wje4wze7as3wcxk3xbrgav",
      reference: `B-${n}`,
      status: "paid",
      amount_minor: 9900,
      currency: "CNY",
      metadata,
      paid_at: new Date(),
      flags: [],
      version: 2,
    },
  };
}

/** One process's sender, woken as the worker loop wakes it, until nothing is due. */
async function deliverAll(ctx: Ctx): Promise<Measured> {
  const tookMs: number[] = [];
  const watched: Ctx = {
    ...ctx,
    egress: {
      ...ctx.egress,
      async request(wanted) {
        const exchange = await ctx.egress.request(wanted);
        tookMs.push(exchange.duration_ms);
        return exchange;
      },
    },
  };
  const sender = createSender();
  let rung = Promise.withResolvers<void>();
  sender.listen(watched, () => rung.resolve());
  const start = performance.now();
  const total = await countUndelivered(ctx.db);
  while (tookMs.length < total) {
    rung = Promise.withResolvers<void>();
    await sender.run(watched);
    if (tookMs.length < total) await Promise.race([rung.promise, new Promise((resolve) => setTimeout(resolve, 100))]);
  }
  await sender.finish(watched);
  return measuredOf(tookMs, { seconds: (performance.now() - start) / 1000, failed: await countUndelivered(ctx.db) });
}

async function bareLoop(at: string, given: { ca: string; endpoints: number; count: number }): Promise<Measured> {
  const agent = new Agent({ connect: { ca: [given.ca] }, pipelining: 1 });
  const tookMs: number[] = [];
  let left = given.count;
  const start = performance.now();
  const one = async () => {
    for (; left > 0; ) {
      left -= 1;
      const startedAt = performance.now();
      const body = Buffer.from(
        JSON.stringify({ id: "evt_01m7wje4wze7as3wcxk3xbrgav", event: "order.paid", livemode: false, data: sample(left) }),
      );
      const headers = signHeaders({ current: secret, all: [secret] }, { event_id: "evt_01m7wje4wze7as3wcxk3xbrgav", at: new Date(), body });
      const answer = await request(at, { dispatcher: agent, method: "POST", headers, body });
      await answer.body.dump();
      tookMs.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: given.endpoints * inFlight }, one));
  const seconds = (performance.now() - start) / 1000;
  await agent.destroy();
  return measuredOf(tookMs, { seconds, failed: 0 });
}

/** Events fanned out per second, with few events stored and with many. */
async function measureFanOut(ctx: Ctx, given: Given): Promise<Row> {
  const once = async (count: number) => {
    await deleteDeliveries(ctx.db);
    await emitMany(ctx, given.tenants, count);
    const tookMs: number[] = [];
    const start = performance.now();
    for (let done = 1; done > 0; ) {
      const startedAt = performance.now();
      done = await fanOut(ctx);
      if (done > 0) tookMs.push(performance.now() - startedAt);
    }
    return {
      ...measuredOf(tookMs, { seconds: (performance.now() - start) / 1000, failed: 0 }),
      perSecond: Math.round((count * 1000) / (performance.now() - start)),
    };
  };
  await once(500);
  const few = await once(2_000);
  for (let from = 1; from <= given.storedEvents; from += storedAtOnce) {
    await insertOldEvents(ctx.db, tenantOf(given, 0), { from, to: Math.min(given.storedEvents, from + storedAtOnce - 1), now: new Date() });
  }
  return {
    name: `fan-out, each event to ${fannedTo} endpoints, ${given.storedEvents.toLocaleString("en").replaceAll(",", " ")} stored`,
    measured: await once(2_000),
    ceilings: [["with few stored", few, flatAim]],
  };
}

function measuredOf(tookMs: number[], { seconds, failed }: { seconds: number; failed: number }): Measured {
  const sorted = tookMs.toSorted((left, right) => left - right);
  const at = (share: number) => Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10;
  return { requests: tookMs.length, perSecond: Math.round(tookMs.length / seconds), p50Ms: at(0.5), p99Ms: at(0.99), failed };
}
