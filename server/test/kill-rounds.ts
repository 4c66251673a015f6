import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "#platform/index.ts";
import { eventually } from "./eventually.ts";
import { listTraces } from "./kill.sql.ts";
import { databaseProcesses, freePort, killNow, type Program, startProgram, temporaryFolder } from "./program.ts";

/** What a run of kills showed. Every list is of what must not be. */
export interface KillReport {
  kills: number;
  acknowledged: number;
  paid: number;
  /** Answers other than the ones asked for, while the program served. */
  oddAnswers: string[];
  /** Acknowledged orders that are gone, doubled, unpaid again, without their event or not booked. */
  faults: string[];
  doctor: { code: number | null; output: string };
  slowestStartMs: number;
}

const callers = 16;
const amountMinor = 8_800;
const generous = { RATE_LIMIT_TEST: "1000000", RATE_LIMIT_BURST: "100000", LOG_LEVEL: "warn" };

/**
 * Serves, loads with orders and payments, kills after about `ordersBetween` of them (the program alone and everything with its database, in turn), starts again, `kills` times;
 * then holds every answer that a caller got against what is there.
 */
export async function killRounds(kills: number, ordersBetween: number): Promise<KillReport> {
  const folder = temporaryFolder();
  const dataDir = join(folder.path, "data");
  const port = await freePort();
  const start = async () => (await startProgram({ dataDir, port, env: generous })).ready();
  let program = await start();
  const load = startLoad(program);
  let slowestStartMs = 0;
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      await someMore(load, ordersBetween * (0.5 + Math.random()));
      if (kill % 2 === 0) program.kill("SIGKILL");
      else program.killEverything();
      await program.ended;
      const begun = performance.now();
      program = await start();
      slowestStartMs = Math.max(slowestStartMs, performance.now() - begun);
    }
    await load.stop();
    const faults = await compare(program, load);
    const doctor = await startProgram({ dataDir, port, command: ["doctor", "--ledger"] });
    const { code } = await doctor.ended;
    return {
      kills,
      acknowledged: load.acknowledged.size,
      paid: load.paid.size,
      oddAnswers: load.oddAnswers,
      faults,
      doctor: { code, output: doctor.output },
      slowestStartMs,
    };
  } finally {
    load.halt();
    await end(program);
    folder.remove();
  }
}

/** Counted in orders, not in time: on a slow machine, too, each kill falls into the load. */
async function someMore(load: Load, count: number): Promise<void> {
  const wanted = load.acknowledged.size + count;
  await eventually("more orders", () => load.acknowledged.size >= wanted, { everyMs: 1 + Math.random() * 5 });
}

async function end(program: Program): Promise<void> {
  await program.stop();
  databaseProcesses(program.dataDir).forEach(killNow);
}

interface Load {
  /** Order id by reference, of every 201 that a caller saw. */
  acknowledged: Map<string, string>;
  paid: Set<string>;
  oddAnswers: string[];
  /** Ends when every caller has finished what it was about. */
  stop(): Promise<void>;
  /** Gives up at once. */
  halt(): void;
}

function startLoad(program: Program): Load {
  const { project_id, api_key } = program.demo();
  const agent = new Agent({ keepAlive: true, maxSockets: callers });
  const load = { acknowledged: new Map<string, string>(), paid: new Set<string>(), oddAnswers: [] as string[] };
  const state = { stopping: false, halted: false };
  /** Repeats one request under one Idempotency-Key until it is answered: what a careful shop does. */
  const insist = async (path: string, key: string, body: object): Promise<Record<string, unknown> | null> => {
    while (!state.halted) {
      const answer = await post({ agent, port: program.port, path: `/api/v1/projects/${project_id}/${path}`, key, apiKey: api_key, body }).catch(() => null);
      if (answer !== null && (answer.status === 200 || answer.status === 201)) return JSON.parse(answer.text) as Record<string, unknown>;
      if (answer !== null && answer.status !== 503 && answer.status !== 409) load.oddAnswers.push(`${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
      await sleep(20);
    }
    return null;
  };
  const caller = async (index: number) => {
    for (let count = 0; !state.stopping; count += 1) {
      const reference = `kill-${index}-${count}`;
      const order = await insist("orders", `make-${reference}`, { amount_minor: amountMinor, currency: "CNY", reference });
      if (order === null) return;
      load.acknowledged.set(reference, String(order["id"]));
      if (count % 3 !== 0) continue;
      const paid = await insist(`orders/${String(order["id"])}/simulate-payment`, `pay-${reference}`, { outcome: "paid" });
      if (paid?.["status"] === "paid") load.paid.add(String(order["id"]));
    }
  };
  const running = Promise.all(Array.from({ length: callers }, (_, index) => caller(index)));
  return {
    ...load,
    async stop() {
      state.stopping = true;
      await running;
      agent.destroy();
    },
    halt() {
      state.stopping = true;
      state.halted = true;
      agent.destroy();
    },
  };
}

async function compare(program: Program, load: Load): Promise<string[]> {
  const { database_url } = JSON.parse(readFileSync(join(program.dataDir, "running.json"), "utf8")) as { database_url: string };
  const database = openDatabase({ url: database_url, max: 1 });
  try {
    const traces = await listTraces(database.db, { project_id: program.demo().project_id, livemode: false });
    const byReference = Map.groupBy(traces, (trace) => trace.reference);
    const faults = [...load.acknowledged].flatMap(([reference, id]) => {
      const found = byReference.get(reference) ?? [];
      return found.length === 1 && found[0]?.id === id
        ? []
        : [`${reference} was acknowledged as ${id}; there are ${found.map((trace) => trace.id).join(", ") || "none"}`];
    });
    for (const { id, status, created_events, paid_events, booked_minor } of traces) {
      if (load.paid.has(id) && status !== "paid") faults.push(`${id} was acknowledged as paid and is ${status}`);
      if (created_events !== 1) faults.push(`${id} has ${created_events} order.created`);
      if (paid_events !== (status === "paid" ? 1 : 0)) faults.push(`${id} is ${status} and has ${paid_events} order.paid`);
      if (booked_minor !== (status === "paid" ? amountMinor : 0)) faults.push(`${id} is ${status} and has ${booked_minor} booked`);
    }
    return faults;
  } finally {
    await database.close();
  }
}

interface Post {
  agent: Agent;
  port: number;
  path: string;
  key: string;
  apiKey: string;
  body: object;
}

/** node:http rather than fetch: a connection that is cut must fail at once, never be retried behind our back. */
function post({ agent, port, path, key, apiKey, body }: Post): Promise<{ status: number; text: string }> {
  const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json", "idempotency-key": key };
  return new Promise((resolve, reject) => {
    const call = request({ agent, host: "localhost", port, path, method: "POST", headers, timeout: 20_000 }, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (part: string) => (text += part));
      answer.once("end", () => (answer.complete ? resolve({ status: answer.statusCode ?? 0, text }) : reject(new Error("cut off"))));
      answer.once("error", reject);
    });
    call.once("error", reject).once("timeout", () => call.destroy(new Error("no answer in 20 s")));
    call.end(JSON.stringify(body));
  });
}
