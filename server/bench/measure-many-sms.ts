import { setTimeout as sleep } from "node:timers/promises";
import { insertManySms } from "#test/support/messages/many-sms.sql.ts";
import type { Measured } from "./load.ts";
import type { Row } from "./report.ts";
import { runServed, runTwice } from "./run-served.ts";
import { countSms, deleteDueSms, listSmsSample } from "./sms.sql.ts";
import { benchNumber, type SmsBench, singles, startWorker } from "./sms-bench.ts";

const seededAtOnce = 10_000;
const flatAim = 0.8;

type Figures = readonly (readonly [name: string, measured: Measured])[];

/** The cost of accepting, reading, claiming and sending messages, and of matching reports, with few stored and with many. */
export async function measureManySms(bench: SmsBench): Promise<Row[]> {
  const many = bench.quick ? 20_000 : 1_000_000;
  const each = bench.quick ? 1_000 : 10_000;
  await seed(bench, { from: 1, to: 1_000, status: "delivered" });
  const few = [...(await measureRequests(bench, runServed)), ...(await measureSending(bench, { from: 1_001, each }))];
  await seed(bench, { from: 1_001 + 2 * each, to: many, status: "delivered" });
  const large = [...(await measureRequests(bench, runTwice)), ...(await measureSending(bench, { from: many + 1, each }))];
  const stored = many.toLocaleString("en").replaceAll(",", " ");
  return large.map(([name, measured], place): Row => {
    return { name: `${name}, ${stored} stored`, measured, ceilings: [["with 1 000 stored", few[place]?.[1] as Measured, flatAim]] };
  });
}

async function measureRequests(bench: SmsBench, measure: typeof runServed): Promise<Figures> {
  const sample = await listSmsSample(bench.ctx.db, bench.live, 5_000);
  const serve = { kind: "tillpost", url: bench.url, tenant: bench.live } as const;
  const read = { method: "GET", headers: bench.authorization, body: "" } as const;
  const figures = [
    ["POST /v1/sms", await measure(serve, singles(bench), bench.times)],
    ["GET /v1/sms/:id", await measure(serve, { ...read, paths: sample.map((id) => `/v1/sms/${id}`) }, bench.times)],
    ["list of 20 SMS", await measure(serve, { ...read, paths: sample.map((id) => `/v1/sms?limit=20&starting_after=${id}`) }, bench.times)],
  ] as const;
  await deleteDueSms(bench.ctx.db);
  return figures;
}

/** Claims and submits `each` messages that are due, and reports on as many that a carrier has. */
async function measureSending(bench: SmsBench, { from, each }: { from: number; each: number }): Promise<Figures> {
  const { sink, ctx, live } = bench;
  const { delivered } = await countSms(ctx.db, live);
  await seed(bench, { from, to: from + each - 1, status: "sent" });
  await seed(bench, { from: from + each, to: from + 2 * each - 1, status: "queued" });
  const submitted = sink.until(each);
  const began = performance.timeOrigin + performance.now();
  const crew = await startWorker(bench);
  try {
    const sent = await submitted;
    // The last submissions are still being recorded.
    while ((await countSms(ctx.db, live)).open > 0) await sleep(100);
    const reportsBegan = performance.timeOrigin + performance.now();
    const reported = await sink.report(from, from + each - 1);
    const now = await countSms(ctx.db, live);
    if (now.delivered - delivered !== each)
      throw new Error(`of ${each} messages that were reported on ${now.delivered - delivered} are delivered`);
    return [
      ["SMS claimed and submitted through one bind", figureOf(sent, began)],
      ["reports matched and stored", figureOf(reported, reportsBegan)],
    ];
  } finally {
    await crew.stop();
  }
}

function figureOf({ atMs, count, tookMs }: { atMs: number; count: number; tookMs: number[] }, beganAtMs: number): Measured {
  const sorted = tookMs.toSorted((left, right) => left - right);
  const at = (share: number) => Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10;
  return { requests: count, perSecond: Math.round(count / ((atMs - beganAtMs) / 1_000)), p50Ms: at(0.5), p99Ms: at(0.99), failed: 0 };
}

async function seed({ ctx, live }: SmsBench, range: { from: number; to: number; status: "queued" | "sent" | "delivered" }): Promise<void> {
  for (let from = range.from; from <= range.to; from += seededAtOnce)
    await insertManySms(ctx.db, live, {
      ...range,
      from,
      to: Math.min(range.to, from + seededAtOnce - 1),
      sender: benchNumber,
      now: new Date(),
    });
}
