import { fork } from "node:child_process";
import { type Db, openDatabase, type Tenant } from "#platform/index.ts";
import { deleteDue, insertManyEmails, listEmailSample } from "./accept.sql.ts";
import { answerOf } from "./answer-of.ts";
import type { Measured } from "./load.ts";
import type { Row } from "./report.ts";
import { runServed, runTwice, serverFlags, type Traffic } from "./run-served.ts";

interface Given {
  url: string;
  /** As the role that owns the tables, the only one that may vacuum them. */
  ownerUrl: string;
  tenant: Tenant;
  authorization: string;
  quick: boolean;
}

const email =
  '{"from":"Corner Books <orders@tillpost.example>","to":"reader-{n}@shop.lovelace.dev","subject":"Your order {n}","html":"<h1>Thank you</h1><p>Two books, wrapped and handed over to the carrier this morning.</p>"}';
const seededAtOnce = 25_000;
const flatAim = 0.8;
const body = JSON.stringify({
  html: `<h1>Thank you</h1>${"<p>Two books, wrapped this morning.</p>".repeat(60)}`,
  text: null,
  headers: {},
  attachments: [],
});

interface Measuring extends Given {
  db: Db;
  times: { warmupMs: number; measureMs: number };
}

/** What it costs to accept, read and send messages, with few stored and with many; and what a long queue takes of memory. */
export async function measureAccept(given: Given): Promise<Row[]> {
  const many = given.quick ? 20_000 : 1_000_000;
  const queued = given.quick ? 2_000 : 100_000;
  const database = openDatabase({ url: given.ownerUrl, max: 2 });
  const times = given.quick ? { warmupMs: 500, measureMs: 1_500 } : { warmupMs: 2_000, measureMs: 8_000 };
  const measuring: Measuring = { ...given, db: database.db, times };
  try {
    const bare = await run(measuring, "bare", { ...create(given), paths: ["/emails"], headers: "" });
    await seed(measuring, { from: 1, to: 1_000, due: false });
    const few = await measureRequests(measuring, runServed);
    await seed(measuring, { from: 1_001, to: 1_000 + queued / 10, due: true });
    const short = await drain(given.url);
    const keyed = await run(measuring, "tillpost", { ...create(given), headers: `${given.authorization}idempotency-key: k-{n}\r\n` });
    await deleteDue(database.db);
    await seed(measuring, { from: 1_001 + queued / 10, to: many, due: false });
    const large = await measureRequests(measuring, runTwice);
    await seed(measuring, { from: many + 1, to: many + queued, due: true });
    const long = await drain(given.url);
    const stored = many.toLocaleString("en").replaceAll(",", " ");
    return [
      { name: "POST /v1/emails", measured: few[0]?.[1] as Measured, ceilings: [["bare JSON route", bare, null]] },
      { name: "POST /v1/emails with Idempotency-Key", measured: keyed, ceilings: [["bare JSON route", bare, null]] },
      ...large.map(
        ([name, measured], index): Row => ({
          name: `${name}, ${stored} stored`,
          measured,
          ceilings: [["with 1 000 stored", few[index]?.[1] as Measured, flatAim]],
        }),
      ),
      {
        name: `emails to simulated recipients, ${stored} stored, ${queued} queued`,
        measured: long,
        ceilings: [[`few stored, ${queued / 10} queued (peak ${short.peakMb} MB)`, short, flatAim]],
      },
    ];
  } finally {
    await database.close();
  }
}

function create({ authorization }: Given): Traffic {
  return { method: "POST", paths: ["/v1/emails"], headers: authorization, body: email };
}

function run({ url, tenant, times }: Measuring, kind: "tillpost" | "bare", traffic: Traffic) {
  return runServed({ kind, url, tenant }, traffic, times);
}

async function measureRequests(given: Measuring, measure: typeof runServed): Promise<[string, Measured][]> {
  const sample = (await listEmailSample(given.db, given.tenant, 5_000)).map(({ id }) => id);
  const read = { method: "GET", headers: given.authorization, body: "" } as const;
  const of = (traffic: Traffic) => measure({ kind: "tillpost", url: given.url, tenant: given.tenant }, traffic, given.times);
  const rows: [string, Measured][] = [
    ["POST /v1/emails", await of(create(given))],
    ["GET /v1/emails/:id", await of({ ...read, paths: sample.map((id) => `/v1/emails/${id}`) })],
    ["list of 20 emails", await of({ ...read, paths: sample.map((id) => `/v1/emails?limit=20&starting_after=${id}`) })],
  ];
  await deleteDue(given.db);
  return rows;
}

async function seed({ db, tenant }: Measuring, range: { from: number; to: number; due: boolean }): Promise<void> {
  for (let from = range.from; from <= range.to; from += seededAtOnce)
    await insertManyEmails(db, tenant, { ...range, from, to: Math.min(range.to, from + seededAtOnce - 1), now: new Date(), body });
}

function drain(url: string): Promise<Measured & { peakMb: number }> {
  const program = fork(new URL("drain-mail.ts", import.meta.url), { execArgv: serverFlags });
  program.send({ url });
  return answerOf(program);
}
