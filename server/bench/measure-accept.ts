import { fork } from "node:child_process";
import { once } from "node:events";
import { openDatabase, type Tenant } from "#platform/index.ts";
import { deleteDue, insertManyEmails, listEmailSample } from "./accept.sql.ts";
import type { Measured } from "./load.ts";
import type { Row } from "./report.ts";
import { runServed, type Traffic } from "./run-served.ts";

interface Given {
  url: string;
  tenant: Tenant;
  authorization: string;
  quick: boolean;
}

const email =
  '{"from":"Corner Books <orders@tillpost.example>","to":"reader-{n}@shop.lovelace.dev","subject":"Your order {n}","html":"<h1>Thank you</h1><p>Two books, wrapped and handed over to the carrier this morning.</p>"}';
const seededAtOnce = 25_000;
const flatAim = 1 / 1.3;
const body = JSON.stringify({ html: `<h1>Thank you</h1>${"<p>Two books, wrapped this morning.</p>".repeat(60)}`, text: null, headers: {}, attachments: [] });

/** What it costs to accept, read and send messages, with few stored and with many; and what a long queue takes of memory. */
export async function measureAccept(given: Given): Promise<Row[]> {
  const { url, tenant, quick } = given;
  const times = quick ? { warmupMs: 500, measureMs: 1_500 } : { warmupMs: 2_000, measureMs: 8_000 };
  const many = quick ? 20_000 : 1_000_000;
  const queued = quick ? 2_000 : 100_000;
  const database = openDatabase({ url, max: 2 });
  const run = (kind: "tillpost" | "bare", traffic: Traffic) => runServed({ kind, url, tenant }, traffic, times);
  const create: Traffic = { method: "POST", paths: ["/v1/emails"], headers: given.authorization, body: email };
  const all = async () => {
    const sample = (await listEmailSample(database.db, tenant, 5_000)).map(({ id }) => id);
    const read = { method: "GET", headers: given.authorization, body: "" } as const;
    const rows: [string, Measured][] = [
      ["POST /v1/emails", await run("tillpost", create)],
      ["GET /v1/emails/:id", await run("tillpost", { ...read, paths: sample.map((id) => `/v1/emails/${id}`) })],
      ["list of 20 e-mails", await run("tillpost", { ...read, paths: sample.map((id) => `/v1/emails?limit=20&starting_after=${id}`) })],
    ];
    await deleteDue(database.db);
    return rows;
  };
  const seed = async (range: { from: number; to: number; due: boolean }) => {
    for (let from = range.from; from <= range.to; from += seededAtOnce)
      await insertManyEmails(database.db, tenant, { ...range, from, to: Math.min(range.to, from + seededAtOnce - 1), now: new Date(), body });
  };
  try {
    const bare = await run("bare", { ...create, paths: ["/emails"], headers: "" });
    await seed({ from: 1, to: 1_000, due: false });
    const few = await all();
    await seed({ from: 1_001, to: 1_000 + queued / 10, due: true });
    const short = await drain(url);
    const keyed = await run("tillpost", { ...create, headers: `${given.authorization}idempotency-key: k-{n}\r\n` });
    await deleteDue(database.db);
    await seed({ from: 1_001 + queued / 10, to: many, due: false });
    const large = await all();
    await seed({ from: many + 1, to: many + queued, due: true });
    const long = await drain(url);
    process.stderr.write(`peak memory of the worker: ${short.peakMb} MB with ${queued / 10} queued, ${long.peakMb} MB with ${queued}\n`);
    const stored = many.toLocaleString("en").replaceAll(",", " ");
    const [[, accepted]] = few as [[string, Measured]];
    return [
      { name: "POST /v1/emails", measured: accepted, ceilings: [["bare JSON route", bare, null]] },
      { name: "POST /v1/emails with Idempotency-Key", measured: keyed, ceilings: [["bare JSON route", bare, null]] },
      ...large.map(([name, measured], index): Row => {
        return { name: `${name}, ${stored} stored`, measured, ceilings: [["with 1 000 stored", (few[index] as [string, Measured])[1], flatAim]] };
      }),
      {
        name: `mails to simulated recipients, ${stored} stored, ${queued} queued (peak ${long.peakMb} MB)`,
        measured: long,
        ceilings: [[`with few stored, ${queued / 10} queued (peak ${short.peakMb} MB)`, short, flatAim]],
      },
    ];
  } finally {
    await database.close();
  }
}

async function drain(url: string): Promise<Measured & { peakMb: number }> {
  const program = fork(new URL("drain-mail.ts", import.meta.url), { execArgv: ["--max-semi-space-size=8", "--disable-warning=ExperimentalWarning"] });
  program.send({ url });
  const [measured] = (await once(program, "message")) as [Measured & { peakMb: number }];
  return measured;
}
