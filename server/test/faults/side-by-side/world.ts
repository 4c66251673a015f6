import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localFileStore } from "#app/runtime/local-file-store.ts";
import { type Ctx, openDatabase } from "#platform/index.ts";
import { contextOn } from "#test/support/app/context.ts";
import { emptyDatabase } from "#test/support/app/test-app.ts";
import { loadedEnvironment } from "#test/support/app/test-environment.ts";
import { onServer } from "#test/support/database/postgres.ts";
import { mailPeer, type ReceivedMail } from "#test/support/mail/mail-peer.ts";
import { certificate } from "#test/support/network/certificate.ts";
import { freePort } from "#test/support/network/free-port.ts";
import { type Receiver, startReceiver } from "#test/support/network/receiver.ts";
import { type Program, startProgram } from "#test/support/programs/program.ts";
import { eventually } from "#test/support/time/eventually.ts";
import type { Known } from "#test/support/upgrade/known.ts";
import { restore, type Written } from "#test/support/upgrade/written.ts";
import { updateClock, updateTables } from "./expand.sql.ts";
import type { OldProgram } from "./old-program.ts";

/** One version's API process and worker. */
export interface Pair {
  api: Program;
  worker: Program;
}

/** A database that the old version wrote, two versions of the program on it, and the servers that they call. */
export interface SideBySide {
  ctx: Ctx;
  known: Known;
  receiver: Receiver;
  /** By address: how many emails arrived. */
  emailsTo: Map<string, number>;
  /** By endpoint and event: how often it was taken. */
  taken: Map<string, number>;
  /** Sentences, each about a violation. */
  faults: Set<string>;
  /** The ones that serve now, in turn. */
  apis: Program[];
  start(version: "old" | "new"): Promise<Pair>;
  /** Runs `migrate` of the new version. */
  migrate(): Promise<void>;
  /** Expands every table, as a later version would. */
  expand(): Promise<void>;
  /** Advances the new version's clock by some hours. */
  skipHours(): Promise<void>;
  close(): Promise<void>;
}

/** Restores what the old version wrote; no program is started yet. */
export async function worldOf(written: Written, old: OldProgram): Promise<SideBySide> {
  const folder = mkdtempSync(join(tmpdir(), "tillpost-side-by-side-"));
  const own = await emptyDatabase();
  await restore(own.url, written.sql);
  const files = localFileStore(join(folder, "data", "files"));
  mkdirSync(join(folder, "data"), { recursive: true, mode: 0o700 });
  for (const [key, bytes] of Object.entries(written.files)) await files.put(key, Buffer.from(bytes, "base64"));
  writeFileSync(join(folder, "ca.pem"), (await certificate()).cert);
  const taken: SideBySide["taken"] = new Map();
  const receiver = await receiverOf(taken);
  const emailsTo: SideBySide["emailsTo"] = new Map();
  const peer = await mailPeer({ onBody: (mail) => noteMail(emailsTo, mail) });
  const database = openDatabase({ url: own.url, max: 4, applicationName: "tillpost-test" });
  const running: Program[] = [];
  const env = environmentOf({ url: own.url, folder, mailPort: peer.port });
  const run = async (command: string[], more: { main?: string; env?: Record<string, string> } = {}) => {
    const program = await startProgram({ dataDir: join(folder, "data"), command, ...more, env: { ...env, ...more.env } });
    running.push(program);
    return program;
  };
  return {
    ctx: contextOn(database, { now: () => new Date(), files }),
    ...{ known: written.known, receiver, emailsTo, taken, faults: new Set(), apis: [] },
    async start(version) {
      const main = version === "old" ? { main: old.main } : {};
      const workerPort = await freePort();
      const [api, worker] = await Promise.all([run(["api"], main), run(["worker"], { ...main, env: { WORKER_PORT: String(workerPort) } })]);
      await Promise.all([untilReady(api, api.port), untilReady(worker, workerPort)]);
      return { api, worker };
    },
    async migrate() {
      const program = await run(["migrate"]);
      const { code } = await program.ended;
      if (code !== 0) throw new Error(`the new version does not migrate the database:\n${program.output}`);
    },
    expand: () => onServer(own.url, updateTables),
    skipHours: () => onServer(own.url, updateClock),
    async close() {
      for (const program of running) program.kill("SIGKILL");
      await Promise.all(running.map((program) => program.ended));
      await receiver.close();
      await database.close();
      await own.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function environmentOf({ url, folder, mailPort }: { url: string; folder: string; mailPort: number }): Record<string, string> {
  return {
    ...loadedEnvironment(url, folder),
    LOG_LEVEL: "warn",
    // As it was when the database was written: links in what Tillpost still has to send point there.
    PUBLIC_URL: "http://localhost:8080",
    RATE_LIMIT_LIVE: "1000000",
    RATE_LIMIT_TIERS:
      "free.emails=1000000,free.email_batches=1000000,free.control=1000000,free.general=1000000,free.reads=1000000,free.burst=5000",
    QUOTA_TIERS: "free.emails=10000000",
    RATE_LIMIT_LINK_READS_PER_ADDRESS: "1000000",
    LIMITS_STORE: "postgres",
    LIMITS_NODES: "2",
    EMAIL_DOMAIN: "tillpost.example",
    EMAIL_FROM: "Tillpost <no-reply@tillpost.example>",
    EMAIL_TRANSPORT: "relay",
    EMAIL_RELAY_URL: `smtp://127.0.0.1:${mailPort}`,
  };
}

/** Retains nothing of the email itself: all of them together exceed a test's memory. */
function noteMail(emailsTo: SideBySide["emailsTo"], mail: ReceivedMail): undefined {
  for (const address of mail.to) emailsTo.set(address, (emailsTo.get(address) ?? 0) + 1);
  mail.raw = Buffer.alloc(0);
}

/** Takes everything, but at `/failing` takes one event in three only when it arrives a second time. */
async function receiverOf(taken: SideBySide["taken"]): Promise<Receiver> {
  const refused = new Set<string>();
  let failing = 0;
  return startReceiver(
    ({ path, headers }, response) => {
      const key = `${path} ${headers["webhook-id"]}`;
      failing += path === "/failing" ? 1 : 0;
      const refuses = path === "/failing" && failing % 3 === 0 && !refused.has(key) && !taken.has(key);
      if (refuses) refused.add(key);
      else taken.set(key, (taken.get(key) ?? 0) + 1);
      response.writeHead(refuses ? 500 : 200).end();
    },
    { keep: false },
  );
}

async function untilReady(program: Program, port: number): Promise<void> {
  let ended = false;
  void program.ended.then(() => (ended = true));
  const answers = () =>
    fetch(`http://localhost:${port}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    );
  await eventually(
    () => `the program is ready:\n${program.output}`,
    async () => {
      if (ended) throw new Error(`the program ended before it was ready:\n${program.output}`);
      return answers();
    },
    { everyMs: 50, withinMs: 240_000 },
  );
}
