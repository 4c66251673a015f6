import { setTimeout as sleep } from "node:timers/promises";
import { changeMerchant, createApiKey, setMerchantVerification } from "#identity/index.ts";
import { assignNumber } from "#numbers/index.ts";
import { type Ctx, openDatabase, type Tenant } from "#platform/index.ts";
import { findProject } from "#projects/index.ts";
import { contextOn } from "#test/support/app/context.ts";
import type { Measured } from "./load.ts";
import { measureManySms } from "./measure-many-sms.ts";
import { type Kannel, openKannel } from "./open-kannel.ts";
import { openSmsSink } from "./open-sms-sink.ts";
import type { Row } from "./report.ts";
import { runServed, type Traffic, withServed } from "./run-served.ts";
import { deleteDueSms } from "./sms.sql.ts";
import { benchNumber, bodies, itemOf, type SmsBench, singles, startWorker, window } from "./sms-bench.ts";

interface Given {
  url: string;
  ownerUrl: string;
  tenant: Tenant;
  quick: boolean;
}

const throughAim = 0.4;
const perBatch = 100;
/** A process keeps a few thousand messages waiting to be written, and refuses more. */
const batchConnections = 16;

/**
 * Compares SMS accepted over HTTP and submitted through one bind with Kannel's HTTP to SMPP at the same carrier; then repeats it with many
 * SMS stored.
 */
export async function measureSms(given: Given): Promise<Row[]> {
  const database = openDatabase({ url: given.ownerUrl, max: 4 });
  const files = { put: async () => {}, get: async () => null, remove: async () => {} };
  const ctx = contextOn(database, { now: () => new Date(), files });
  const sink = await openSmsSink();
  const kannel = await openKannel(sink.port, window);
  try {
    const times = given.quick ? { warmupMs: 500, measureMs: 1_500 } : { warmupMs: 2_000, measureMs: 8_000 };
    const bench: SmsBench = { ...given, ctx, ...(await goLive(ctx, given.tenant)), sink, times };
    const through = await measureThrough(bench, kannel);
    return [...through, ...(await measureManySms(bench))];
  } finally {
    await kannel?.stop();
    sink.stop();
    await database.close();
  }
}

/** The project's LIVE side, which may send to the United States from its own number. */
async function goLive(ctx: Ctx, { project_id }: Tenant): Promise<{ live: Tenant; authorization: string }> {
  const live = { project_id, livemode: true };
  const merchant_id = (await findProject(ctx.db, project_id))?.merchant_id ?? "";
  await changeMerchant(ctx, { merchant_id, if_version: null, country: "US" });
  await setMerchantVerification(ctx, { merchant_id, status: "verified" });
  await assignNumber(ctx, { project_id, value: benchNumber });
  const key = await createApiKey(ctx, { ...live, name: "bench", permissions: ["sms:read", "sms:write"] });
  return { live, authorization: `authorization: Bearer ${key.secret}\r\n` };
}

function batches({ authorization }: Pick<SmsBench, "authorization">): Traffic {
  const each = Array.from({ length: bodies / perBatch }, (_none, at) => {
    const messages = Array.from({ length: perBatch }, (_item, n) => itemOf(at * perBatch + n));
    return { headers: authorization, body: JSON.stringify({ messages }) };
  });
  return { method: "POST", headers: "", body: "", paths: each.map(() => "/v1/sms/batch"), each, connections: batchConnections };
}

/** Each path so often that so many messages come together, and none after them. */
function onlySo(traffic: Traffic, requests: number): Traffic {
  const { paths, each = [] } = traffic;
  const again = <T>(list: readonly T[]) => Array.from({ length: requests }, (_none, n) => list[n % list.length] as T);
  return { ...traffic, paths: again(paths), each: again(each), once: true };
}

async function measureThrough(bench: SmsBench, kannel: Kannel | null): Promise<Row[]> {
  const messages = bench.quick ? 2_000 : 20_000;
  const serve = { kind: "tillpost", url: bench.url, tenant: bench.live } as const;
  const bare = await runServed({ ...serve, kind: "bare" }, { ...singles(bench), paths: Array(bodies).fill("/sms") }, bench.times);
  const accepted = await runServed(serve, singles(bench), bench.times);
  const inBatches = timesAs(await runServed(serve, batches(bench), bench.times), perBatch);
  await deleteDueSms(bench.ctx.db);
  // In turns, so that a busy minute of the machine falls on all of them.
  const variants: [name: string, aim: number | null, run: () => Promise<Measured>][] = [
    ["SMS by POST /v1/sms and through one bind", throughAim, () => through(bench, singles(bench), { messages, perRequest: 1 })],
    ["SMS by batches of 100 and through one bind", throughAim, () => through(bench, batches(bench), { messages, perRequest: perBatch })],
  ];
  const rounds = bench.quick ? 1 : 3;
  const runs = variants.map(() => [] as Measured[]);
  const kannels: Measured[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const [place, [, , run]] of variants.entries()) runs[place]?.push(await run());
    if (kannel !== null) kannels.push(await throughKannel(bench, kannel, messages));
  }
  const ceilingOf = (aim: number | null): Row["ceilings"] =>
    kannels.length === 0 ? [] : [["Kannel, HTTP to SMPP", middleOf(kannels), aim]];
  return [
    { name: "POST /v1/sms, LIVE", measured: accepted, ceilings: [["bare JSON route", bare, null]] },
    { name: "SMS accepted in batches of 100, LIVE", measured: inBatches, ceilings: [["one by one", accepted, null], ...ceilingOf(null)] },
    ...variants.map(
      ([name, aim], place): Row => ({
        name,
        measured: middleOf(runs[place] ?? []),
        ceilings: [...ceilingOf(aim), ["acceptance only", accepted, null]],
      }),
    ),
  ];
}

function middleOf(runs: readonly Measured[]): Measured {
  return runs.toSorted((left, right) => left.perSecond - right.perSecond)[runs.length >> 1] as Measured;
}

function timesAs(measured: Measured, many: number): Measured {
  return { ...measured, perSecond: measured.perSecond * many };
}

/** From the first request to the carrier's last message: one process serves, another sends, as in production. */
async function through(
  bench: SmsBench,
  traffic: Traffic,
  { messages, perRequest }: { messages: number; perRequest: number },
): Promise<Measured> {
  const { sink, url, live } = bench;
  const crew = await startWorker(bench);
  try {
    return await withServed({ kind: "tillpost", url, tenant: live }, async (load) => {
      const done = sink.until(messages);
      const beganAtMs = performance.timeOrigin + performance.now();
      const measured = await load(onlySo(traffic, messages / perRequest), { warmupMs: 0, measureMs: 600_000 });
      const { atMs } = await done;
      return { ...measured, requests: messages, perSecond: Math.round(messages / ((atMs - beganAtMs) / 1_000)) };
    });
  } finally {
    // What was submitted last is being written down.
    await sleep(1_000);
    await crew.stop();
    await deleteDueSms(bench.ctx.db);
  }
}

async function throughKannel({ sink }: SmsBench, kannel: Kannel, messages: number): Promise<Measured> {
  const done = sink.until(messages);
  const beganAtMs = performance.timeOrigin + performance.now();
  const measured = await kannel.load(messages, itemOf);
  const { atMs } = await done;
  return { ...measured, requests: messages, perSecond: Math.round(messages / ((atMs - beganAtMs) / 1_000)) };
}
