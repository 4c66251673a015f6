import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { createRelayTransport } from "#providers/email/smtp/relay/create-relay-transport.ts";
import type { TestApp, TestTenant } from "#test/support/app/test-app.ts";
import { loadedEnvironment, mailingEnvironment } from "#test/support/app/test-environment.ts";
import { type MailPeer, mailPeer } from "#test/support/mail/mail-peer.ts";
import { certificate } from "#test/support/network/certificate.ts";
import { type Received, type Receiver, startReceiver } from "#test/support/network/receiver.ts";
import { type Program, startProgram } from "#test/support/programs/program.ts";
import { endpointAt } from "#test/support/webhooks/webhook-world.ts";
import { startWorkers, tasksOf } from "#workers/index.ts";

/** A receiver tolerates five minutes; a busy machine uses up some of them, a wrong clock would use up ten. */
const toleranceMs = 120_000;
/** A receiver refuses an event at most this often: its third attempt is five minutes later. */
const maxRefusals = 1;

export interface SkewedWorld {
  app: TestApp;
  shop: TestTenant;
  live: TestTenant;
  /** How far ahead each program's clock is. */
  aheadMs: readonly number[];
  programs: Program[];
  receiver: Receiver;
  peer: MailPeer;
  /** By endpoint and event: how often it arrived and was refused. */
  deliveries: Map<string, { taken: number; refused: number }>;
  /** Sentences, each about a violation. */
  faults: Set<string>;
  close(): Promise<void>;
}

export interface Skew {
  /** How far ahead each program's clock is. */
  aheadMs: readonly number[];
  /** Whether this process, whose clock is right, does background work beside them. */
  worksHere?: boolean;
}

/** Real programs on one database, each with its clock so far ahead, a receiver that sometimes refuses, and a mail server. */
export async function skewedWorld(app: TestApp, { aheadMs, worksHere = false }: Skew): Promise<SkewedWorld> {
  app.clock.run();
  const folder = mkdtempSync(join(tmpdir(), "tillpost-skew-"));
  writeFileSync(join(folder, "ca.pem"), (await certificate()).cert);
  const [shop, live] = [await app.tenant(), await app.tenant({ livemode: true })];
  const deliveries: SkewedWorld["deliveries"] = new Map();
  const faults = new Set<string>();
  const peer = await mailPeer({ onBody: ({ raw }) => checkMailTimes(faults, raw.toString()) });
  const secrets = new Map<string, string>();
  const receiver = await startReceiver(
    (one, response) => {
      checkTimestamp(one, { secret: secrets.get(one.path) ?? "", faults });
      response.writeHead(takes(deliveries, one) ? 200 : 500).end();
    },
    { keep: false },
  );
  for (const path of ["/steady", "/failing"]) secrets.set(path, (await endpointAt(app.ctx, shop, `${receiver.url}${path}`)).secret);
  const programs = await Promise.all(aheadMs.map((ahead) => start(app, { folder, ahead, nodes: aheadMs.length, mailPort: peer.port })));
  const stopHere = worksHere ? workHere(app, peer.port) : null;
  const close = async () => {
    await stopHere?.();
    for (const program of programs) program.kill("SIGKILL");
    await Promise.all(programs.map((program) => program.ended));
    await receiver.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { app, shop, live, aheadMs, programs, receiver, peer, deliveries, faults, close };
}

/** Does a worker's work in this process; call the returned function to stop that. */
function workHere({ ctx }: TestApp, mailPort: number): () => Promise<void> {
  const mail = createRelayTransport({ url: `smtp://127.0.0.1:${mailPort}`, hello: "tillpost.example", now: ctx.now });
  const workers = startWorkers(ctx, undefined, tasksOf({ mail }));
  return async () => {
    await workers.stop();
    await mail.close();
  };
}

interface Plan {
  folder: string;
  ahead: number;
  /** How many programs share the limits. */
  nodes: number;
  mailPort: number;
}

async function start(app: TestApp, { folder, ahead, nodes, mailPort }: Plan): Promise<Program> {
  const env = {
    ...loadedEnvironment(app.url, folder),
    ...mailingEnvironment(mailPort),
    RATE_LIMIT_LINK_READS: String(linkReads),
    RATE_LIMIT_LINK_READS_PER_ADDRESS: "1000000",
    LIMITS_STORE: "postgres",
    LIMITS_NODES: String(nodes),
    NODE_OPTIONS: `--import ${new URL("shift-clock.mjs", import.meta.url).href}`,
    TILLPOST_TEST_CLOCK_AHEAD_MS: String(ahead),
  };
  return (await startProgram({ dataDir: join(folder, `ahead-${ahead}`), env })).ready();
}

/** Reads of one link that all processes together allow in a minute. */
export const linkReads = 40;

function checkTimestamp({ path, headers, body }: Received, { secret, faults }: { secret: string; faults: Set<string> }): void {
  const off = Number(headers["webhook-timestamp"]) * 1000 - Date.now();
  if (Math.abs(off) > toleranceMs) faults.add(`a delivery to ${path} was signed ${Math.round(off / 60_000)} minutes off`);
  try {
    new Webhook(secret).verify(body.toString(), headers);
  } catch (error) {
    faults.add(`a receiver refuses a delivery to ${path}: ${(error as Error).message}`);
  }
  const { created_at } = JSON.parse(body.toString()) as { created_at?: string };
  if (created_at !== undefined) checkNear(faults, "an event's created_at", created_at);
}

/** Both show when an email was accepted, which was just before it arrived. */
function checkMailTimes(faults: Set<string>, raw: string): undefined {
  checkNear(faults, "a mail's Date", /^Date: (.*)$/im.exec(raw)?.[1]);
  const signed = /^DKIM-Signature:[^:]*\bt=(\d+);/im.exec(raw)?.[1];
  if (signed !== undefined) checkNear(faults, "a mail's DKIM signature", Number(signed) * 1000);
}

/** Records a fault if a time isn't close to now. */
export function checkNear(faults: Set<string>, what: string, shown: string | number | undefined): void {
  const off = new Date(shown ?? Number.NaN).getTime() - Date.now();
  if (!(Math.abs(off) <= toleranceMs)) faults.add(`${what} is ${Math.round(off / 60_000)} minutes off`);
}

function takes(deliveries: SkewedWorld["deliveries"], { path, headers }: Received): boolean {
  const key = `${path} ${headers["webhook-id"]}`;
  const seen = deliveries.get(key) ?? { taken: 0, refused: 0 };
  const refuses = path === "/failing" && seen.refused < maxRefusals && seen.taken === 0 && deliveries.size % 3 === 0;
  deliveries.set(key, { taken: seen.taken + (refuses ? 0 : 1), refused: seen.refused + (refuses ? 1 : 0) });
  return !refuses;
}

/** What the load reads from a response. */
export interface AnswerBody {
  id?: string;
  created_at?: string;
  expires_at?: string;
  payment_link?: { token: string };
  totp_uri?: string;
  data?: { id: string; created_at: string }[];
  next_cursor?: string | null;
}

export interface Answered {
  status: number;
  body: AnswerBody;
  headers: Headers;
}

/** Sends one request to the program with this number; they take turns. */
export async function ask(
  { programs }: SkewedWorld,
  turn: number,
  call: { path: string; key?: string; body?: object; headers?: Record<string, string> },
): Promise<Answered> {
  const program = programs[turn % programs.length] as Program;
  const answer = await fetch(`${program.url}${call.path}`, {
    method: call.body === undefined ? "GET" : "POST",
    headers: {
      ...(call.key === undefined ? {} : { authorization: `Bearer ${call.key}` }),
      ...(call.body === undefined ? {} : { "content-type": "application/json" }),
      ...call.headers,
    },
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text.startsWith("{") ? JSON.parse(text) : {}, headers: answer.headers };
}
