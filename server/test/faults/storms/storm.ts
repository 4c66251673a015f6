import { setTimeout as pause } from "node:timers/promises";
import { createOrder } from "#orders/index.ts";
import type { TestApp, TestTenant } from "#test/support/app/test-app.ts";
import { type ApiProcess, startApi } from "#test/support/programs/api-processes.ts";

export interface StormOptions {
  keys: number;
  /** Requests with the same key and body, sent at the same time. */
  copies: number;
  processes: number;
  /** How many processes are killed and restarted, spread evenly over the keys: as many on a fast machine as on a slow one. */
  kills: number;
  /** The address of one more process, which is never killed. With it, the others aren't restarted. */
  survivor?: string;
}

export interface StormReport {
  kills: number;
  /** Requests that met a dead process and were sent again. */
  cut: number;
  inUse: number;
  replayed: number;
  /** Responses that a client must not see, at most twenty. */
  faults: string[];
  mismatches: Record<string, number>;
  /** Keys whose copies returned more than one resource. */
  torn: string[];
}

interface Storm {
  report: StormReport;
  apis: ApiProcess[];
  survivor: string | undefined;
  shop: TestTenant;
  /** Kills so far, including the current one. */
  started: number;
}

interface Call {
  key: string;
  path: string;
  body: object;
  other: object;
}

/**
 * Sends every key many times concurrently to several processes while these are killed one after the other, then sends each key with another
 * body.
 */
export async function runStorm(app: TestApp, shop: TestTenant, options: StormOptions): Promise<StormReport> {
  const apis: ApiProcess[] = [];
  const storm: Storm = {
    report: { kills: 0, cut: 0, inUse: 0, replayed: 0, faults: [], mismatches: {}, torn: [] },
    apis,
    survivor: options.survivor,
    shop,
    started: 0,
  };
  let killer = Promise.resolve();
  try {
    while (apis.length < options.processes) apis.push(await startApi(app.url));
    const calls = await callsOf(app, shop, options.keys);
    const isDue = () =>
      storm.started < options.kills && options.keys - calls.length > (options.keys * (storm.started + 0.5)) / options.kills;
    const callers = Array.from({ length: 24 }, async () => {
      for (let call = calls.pop(); call !== undefined; call = calls.pop()) {
        const sent = sendCopies(storm, call, options.copies);
        // The last one killed must respond again first, or all would be down at once.
        if (isDue()) await (killer = killLater(storm, killer));
        await sent;
      }
    });
    await Promise.all(callers);
  } finally {
    await killer;
    await Promise.all(apis.map((api) => api.stop()));
  }
  return storm.report;
}

async function killLater(storm: Storm, last: Promise<void>): Promise<void> {
  const victim = storm.apis[storm.started % storm.apis.length];
  storm.started += 1;
  await last;
  await (storm.survivor === undefined ? victim?.killAndRestart() : victim?.stop());
  storm.report.kills += 1;
}

/** Two thirds create orders (group commit), one third pays an order (settle). */
async function callsOf(app: TestApp, shop: TestTenant, keys: number): Promise<Call[]> {
  const path = `/api/v1/projects/${shop.project_id}/orders`;
  return Promise.all(
    Array.from({ length: keys }, async (_, index): Promise<Call> => {
      const key = `storm-${index}`;
      const body = { amount_minor: 100 + index, currency: "CNY", metadata: { key } };
      if (index % 3 !== 0) return { key, path, body, other: { ...body, amount_minor: 99 } };
      const { order } = await createOrder(app.ctx, shop, { ...body, metadata: {} });
      return { key, path: `${path}/${order.id}/simulate-payment`, body: { outcome: "paid" }, other: { outcome: "overpaid" } };
    }),
  );
}

async function sendCopies(storm: Storm, call: Call, copies: number): Promise<void> {
  const ids = await Promise.all(Array.from({ length: copies }, (_, copy) => sendUntilDone(storm, { ...call, first: copy })));
  if (new Set(ids).size !== 1) storm.report.torn.push(`${call.key}: ${[...new Set(ids)].join(" ")}`);
  const answer = await send(storm, { ...call, body: call.other, first: 0 });
  const name = `${answer.status} ${answer.code}`;
  storm.report.mismatches[name] = (storm.report.mismatches[name] ?? 0) + 1;
}

/** Like a careful client: repeats the request with the same key after a lost connection, a 409 that says "in use", or a 503. */
async function sendUntilDone(storm: Storm, call: Call & { first: number }): Promise<string> {
  for (let tries = 0; tries < 200; tries += 1) {
    const answer = await send(storm, { ...call, first: call.first + tries });
    if (answer.replayed) storm.report.replayed += 1;
    if (answer.status === 200 || answer.status === 201) return answer.id;
    if (answer.code === "idempotency_key_in_use") storm.report.inUse += 1;
    else if (answer.status !== 503) {
      if (storm.report.faults.length < 20) storm.report.faults.push(`${call.path}: ${answer.status} ${answer.code}`);
      return "none";
    }
    await pause(20 + Math.random() * 60);
  }
  storm.report.faults.push(`${call.key} was never answered`);
  return "none";
}

interface Answer {
  status: number;
  code: string;
  id: string;
  replayed: boolean;
}

/** Tries the processes in turn until one responds. */
async function send(storm: Storm, call: { key: string; path: string; body: object; first: number }): Promise<Answer> {
  const urls = [...storm.apis.map(({ url }) => url), ...(storm.survivor === undefined ? [] : [storm.survivor])];
  for (let tries = 0; tries < 400; tries += 1) {
    try {
      const answer = await fetch(`${urls[(call.first + tries) % urls.length]}${call.path}`, {
        method: "POST",
        body: JSON.stringify(call.body),
        signal: AbortSignal.timeout(20_000),
        headers: { authorization: `Bearer ${storm.shop.key}`, "content-type": "application/json", "idempotency-key": call.key },
      });
      const body = (await answer.json()) as { id?: string; error?: { code: string } };
      return {
        status: answer.status,
        code: body.error?.code ?? "",
        id: body.id ?? "",
        replayed: answer.headers.get("idempotent-replayed") === "true",
      };
    } catch {
      storm.report.cut += 1;
      await pause(10 + Math.random() * 40);
    }
  }
  throw new Error(`no process answered ${call.key}`);
}
