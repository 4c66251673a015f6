import { generateKeyPairSync } from "node:crypto";
import { createTransport } from "nodemailer";
import { keepPlatformDomain } from "#email/domain/keep-platform-domain.ts";
import { createEmail, type EmailTransport } from "#email/index.ts";
import { createSimulator } from "#email/simulator/simulator.ts";
import { type Ctx, createEgress, openDatabase, type Tenant } from "#platform/index.ts";
import { createRelayTransport } from "#providers/email/smtp/relay/create-relay-transport.ts";
import { contextOn } from "../test/support/app/context.ts";
import type { Measured } from "./load.ts";
import { openSink, type Sink } from "./mail-sink.ts";
import { openPostfix, type Relaying } from "./measure-postfix.ts";
import type { Row } from "./report.ts";
import { runSender } from "./run-sender.ts";

const connections = 20;
const rounds = 4;
const bareAim = 0.7;
const postfixAim = 1;

/** Three kilobytes in two parts, as shops send them. */
const email = {
  from: "Corner Books <orders@tillpost.example>",
  subject: "Your order 10042 is on its way",
  html: `<h1>Thank you</h1>${"<p>Two books, wrapped and handed over to the carrier this morning.</p>".repeat(25)}`,
  text: "Two books, wrapped and handed over to the carrier this morning.\n".repeat(18),
};

interface Variants {
  ours: (mails: number) => Promise<Measured>;
  bare: (mails: number) => Promise<Measured>;
  postfix: ((mails: number) => Promise<Measured>) | null;
}

/**
 * Mails a second from the queue to a sink, signed, against a bare pooled nodemailer loop that signs too, and against Postfix relaying them
 * unsigned.
 */
export async function measureMail(given: { url: string; tenant: Tenant; mails: number }): Promise<Row[]> {
  const sink = await openSink();
  const database = openDatabase({ url: given.url, max: 10 });
  const files = { put: async () => {}, get: async () => null, remove: async () => {} };
  const plain = contextOn(database, { now: () => new Date(), files, egress: createEgress({ allow: [], publicUrl: "http://localhost" }) });
  const ctx: Ctx = { ...plain, mail: { ...plain.mail, bounceDomain: "bounce.tillpost.example", transport: "relay" } };
  let postfix: Relaying | null = null;
  try {
    await keepPlatformDomain(ctx);
    postfix = await openPostfix(sink.port, { sessions: connections });
    const ours = async (mails: number) => {
      await queueMany(ctx, { ...given.tenant, livemode: true }, mails);
      return sendAll(ctx, sink, mails);
    };
    const bare = (mails: number) => bareLoop(sink, mails);
    return [await inTurns({ ours, bare, postfix: postfix?.relay ?? null }, { mails: given.mails, sink })];
  } finally {
    await postfix?.stop();
    sink.stop();
    await database.close();
  }
}

/** In turns, so that a busy minute of the machine falls on all of them. */
async function inTurns({ ours, bare, postfix }: Variants, { mails, sink }: { mails: number; sink: Sink }): Promise<Row> {
  await ours(200);
  await bare(200);
  const figures = { ours: [] as Measured[], bare: [] as Measured[], postfix: [] as Measured[] };
  for (let round = 0; round < rounds; round += 1) {
    const share = Math.ceil(mails / rounds);
    figures.ours.push(await ours(share));
    figures.bare.push(await bare(share));
    if (postfix !== null) figures.postfix.push(await postfix(share));
  }
  const ceilings: Row["ceilings"] = [["bare nodemailer pool, signing", joined(figures.bare), bareAim]];
  if (postfix === null) process.stderr.write("Postfix is not installed (apt-get install postfix), so its row is left out.\n");
  else ceilings.push(["Postfix relaying, unsigned", joined(figures.postfix), postfixAim]);
  return { name: `emails delivered, signed, to ${sink.name}`, measured: joined(figures.ours), ceilings };
}

async function queueMany(ctx: Ctx, tenant: Tenant, count: number): Promise<void> {
  for (let made = 0; made < count; made += 500) {
    const some = Array.from({ length: Math.min(500, count - made) }, (_, n) => ({
      ...email,
      to: `reader-${made + n}@shop${n % 50}.lovelace.dev`,
    }));
    await Promise.all(some.map((email) => createEmail(ctx, tenant, { tier: "system", email })));
  }
}

/** One process's sender, woken as the worker loop wakes it, until all were taken. */
async function sendAll(ctx: Ctx, sink: Sink, count: number): Promise<Measured> {
  const relay = createRelayTransport({ url: `smtp://127.0.0.1:${sink.port}`, hello: "tillpost.example", now: ctx.now, connections });
  const tookMs: number[] = [];
  const live: EmailTransport = {
    ...relay,
    async send(outgoing, signal) {
      const startedAt = performance.now();
      const outcome = await relay.send(outgoing, signal);
      if (outcome.result === "accepted") tookMs.push(performance.now() - startedAt);
      return outcome;
    },
  };
  const start = performance.now();
  await runSender(ctx, {
    transports: { live, test: createSimulator() },
    isDone: () => tookMs.length >= count,
    progress: () => tookMs.length,
  });
  const seconds = (performance.now() - start) / 1000;
  await relay.close();
  return measuredOf(tookMs, { seconds, failed: 0 });
}

async function bareLoop(sink: Sink, count: number): Promise<Measured> {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const pool = createTransport({
    pool: true,
    host: "127.0.0.1",
    port: sink.port,
    name: "tillpost.example",
    ignoreTLS: true,
    maxConnections: connections,
    maxMessages: Number.POSITIVE_INFINITY,
    dkim: { domainName: "tillpost.example", keySelector: "bench", privateKey: privateKey as unknown as string },
  });
  const tookMs: number[] = [];
  let left = count;
  const start = performance.now();
  const one = async () => {
    for (; left > 0; ) {
      left -= 1;
      const startedAt = performance.now();
      await pool.sendMail({
        ...email,
        to: `reader-${left}@shop.example.net`,
        envelope: { from: "b+x@bounce.tillpost.example", to: [`reader-${left}@shop.example.net`] },
      });
      tookMs.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: connections * 2 }, one));
  const seconds = (performance.now() - start) / 1000;
  pool.close();
  return measuredOf(tookMs, { seconds, failed: 0 });
}

/** Several runs of one kind as one. */
function joined(runs: Measured[]): Measured {
  const requests = runs.reduce((sum, run) => sum + run.requests, 0);
  const seconds = runs.reduce((sum, run) => sum + run.requests / run.perSecond, 0);
  const mean = (pick: (run: Measured) => number) => Math.round((runs.reduce((sum, run) => sum + pick(run), 0) / runs.length) * 10) / 10;
  const failed = runs.reduce((sum, run) => sum + run.failed, 0);
  return { requests, perSecond: Math.round(requests / seconds), p50Ms: mean((run) => run.p50Ms), p99Ms: mean((run) => run.p99Ms), failed };
}

function measuredOf(tookMs: number[], { seconds, failed }: { seconds: number; failed: number }): Measured {
  const sorted = tookMs.toSorted((left, right) => left - right);
  const at = (share: number) => Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10;
  return { requests: tookMs.length, perSecond: Math.round(tookMs.length / seconds), p50Ms: at(0.5), p99Ms: at(0.99), failed };
}
