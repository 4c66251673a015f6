import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { listCarrierWebhooks } from "#app/carriers/list-webhooks.ts";
import { hasCallRoute } from "#app/voice/call-routes.ts";
import { type After, callTasks, createCarrierLines, realTime, type Speech } from "#calls/index.ts";
import { changeMerchant } from "#identity/index.ts";
import { assignNumber } from "#numbers/index.ts";
import { createEgress, openDatabase } from "#platform/index.ts";
import { createVoiceTransport, type VoiceTransport } from "#providers/telephony/twilio/voice/create-voice-transport.ts";
import { readVoiceAccounts } from "#providers/telephony/twilio/voice/settings.ts";
import { patience, type TestApp, type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { freePort } from "#test/support/network/free-port.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { type Conduct, VoiceCarrier } from "./voice-carrier.ts";

const account = { sid: "AC0123456789abcdef0123456789abcdef", token: "s3cr3t-of-the-account" };

/** A sound for a spoken text: different for each text. */
export function chirp(text: string): number[] {
  return Array.from(
    { length: 4_000 },
    (_none, at) => Math.round(9_000 * Math.sin(2 * Math.PI * (200 + 40 * text.length + at / 20) * (at / 8_000))) + 0,
  );
}

const speech: Speech = {
  name: "chirps",
  async speak(text) {
    const pcm = Buffer.alloc(8_000);
    chirp(text).forEach((sample, at) => void pcm.writeInt16LE(sample, at * 2));
    return pcm;
  },
};

/** The longest wait between two requests: what takes longer only ends a call that its carrier doesn't. */
const longestWaitMs = 300_000;
/** Waits pass so many times as fast, but not the time of a call: a busy machine mustn't end it. */
const fast =
  (pace: number): After =>
  (ms, run) =>
    realTime(ms > longestWaitMs ? ms : Math.ceil(ms / pace), run);
const usualPace = 50;

interface Happening {
  /** More of the account. */
  settings?: string;
  /** How many times as fast the transport's waits pass, for a test that only waits for their end; fifty by default. */
  pace?: number;
  /** What differs for the process that holds the call. */
  parts?: Partial<TestApp["ctx"]>;
  /** Repeated until the call has ended. */
  react?(id: string): Promise<void> | void;
}

export interface VoiceWorld {
  app: TestApp;
  carrier: VoiceCarrier;
  /** The context of the process that holds calls: it shares only the database with the one that receives carriers' requests. */
  worker: TestApp["ctx"];
  /** A number of the shop, and one that it calls. */
  numbers: { from: string; to: string };
  /** Another account with the carrier, for `settings`. */
  spare: string;
  /** The folder of notes about recordings. */
  recordings: string;
  shop(): TestTenant;
  /** That process's tasks, over a separate transport. */
  tasks(settings?: string, pace?: number): ReturnType<typeof callTasks>;
  /** The accounts of the transport that was opened last. */
  accounts(): ReturnType<VoiceTransport["accounts"]>;
  /** Requests a call from the API, and runs the process that places calls until it has ended. */
  happen(fields: object, conduct: Conduct, given?: Happening): Promise<{ call: ApiAnswer; events: string[]; recordings: ApiAnswer[] }>;
}

// biome-ignore lint/suspicious/noExplicitAny: an answer of the API
type ApiAnswer = any;

const ends = ["completed", "busy", "no_answer", "failed", "canceled"];

const numbers = { from: "+14155552670", to: "+14155552671" };

/** A carrier, and an app that it reaches. */
async function openGround() {
  let today = () => new Date();
  const carrier = new VoiceCarrier(account, () => today());
  await carrier.open();
  const address = `http://${account.sid}:${account.token}@127.0.0.1:${carrier.port}`;
  const [url, spare] = [`${address}?name=main&countries=1&channels=5`, `,${address}?name=spare`];
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const app = await testApp({
    publicUrl,
    egress: createEgress({ allow: ["127.0.0.0/8"], publicUrl }),
    http: { perMinuteUnauthenticated: 100_000, tierLimits: ["free.calls=100000", "free.general=100000", "free.reads=100000"] },
    calls: { hasRoute: hasCallRoute({ SIP_TRUNKS: null, VOICE_HTTP_URL: url }) },
    carriers: listCarrierWebhooks({ SMS_HTTP_URL: null, VOICE_HTTP_URL: `${url}${spare}` }),
  });
  today = app.ctx.now;
  carrier.pass = (ms) => app.clock.advance(ms);
  return { carrier, app, port, url, spare };
}

/** A shop whose LIVE calls go through a carrier on this machine. Call it at the top of a test file. */
export async function voiceWorld(): Promise<VoiceWorld> {
  const { carrier, app, port, url, spare } = await openGround();
  const workers = openDatabase({ url: app.url, max: 4, ...patience });
  const worker: TestApp["ctx"] = {
    ...app.ctx,
    db: workers.db,
    transact: (work) => workers.transact(work),
    transactUnclaimed: (work) => workers.transact(work),
  };
  const opened: VoiceTransport[] = [];
  const recordings = await mkdtemp(join(tmpdir(), "voice-world-"));
  let shop: TestTenant;
  beforeAll(async () => {
    await (await app.server()).listen({ port, host: "127.0.0.1" });
    shop = await app.tenant({ livemode: true });
    await changeMerchant(app.ctx, { merchant_id: shop.merchant_id, if_version: null, country: "US" });
    await assignNumber(app.ctx, { project_id: shop.project_id, value: numbers.from, channels: ["call"] });
  });
  beforeEach(() => carrier.reset());
  afterAll(async () => {
    for (const transport of opened) await transport.close();
    await workers.close();
    carrier.close();
    await rm(recordings, { recursive: true });
  });
  const tasks: VoiceWorld["tasks"] = (settings = "", pace = usualPace) => {
    const accounts = readVoiceAccounts(`${url}${settings}`);
    const transport = createVoiceTransport({
      accounts,
      ctx: worker,
      recordings,
      lines: createCarrierLines(worker),
      after: fast(pace),
      onAnswer: () => undefined,
    });
    opened.push(transport);
    return callTasks({ transport, speech, recordings });
  };
  const accounts = () => opened.at(-1)?.accounts() ?? [];
  const world = { app, carrier, worker, numbers, spare, recordings, shop: () => shop, tasks, accounts };
  return { ...world, happen: (fields, conduct, given = {}) => happen(world, { fields, conduct, ...given }) };
}

/** Places a call and runs it to its end. */
async function happen(
  world: Omit<VoiceWorld, "happen">,
  given: Happening & { fields: object; conduct: Conduct },
): ReturnType<VoiceWorld["happen"]> {
  const { app, carrier, worker } = world;
  carrier.conduct = given.conduct;
  const api = app.api(world.shop().key);
  const placed = await api.post("/v1/calls", { ...numbers, ...given.fields });
  expect([placed.status, placed.text]).toEqual([201, expect.stringContaining('"livemode":true')]);
  const path = `/v1/calls/${placed.body.id}`;
  const working = world.tasks(given.settings, given.pace).filter(({ name }) => ["place_calls", "watch_calls"].includes(name));
  const at = { ...worker, ...given.parts };
  let call = placed.body;
  await eventually(
    () => `the call ends: ${JSON.stringify(call)} ${carrier.requests.join(", ")} ${carrier.faults.join(", ")}`,
    async () => {
      for (const task of working) await task.run(at);
      await given.react?.(placed.body.id);
      call = (await api.get(path)).body;
      return call.ended_at !== null;
    },
    { everyMs: 20 },
  );
  for (const task of working) await task.finish?.(at);
  // The call may end by one of the carrier's callbacks before the last of them.
  await carrier.settled();
  const events: string[] = (await api.get(`${path}/events`)).body.data
    .map(({ event }: { event: string }) => event.replace("call.", ""))
    .reverse();
  await eventually("nothing is left of its line", async () => (await runStatement(app.ctx.db, "select from call_lines")).length === 0);
  expect([carrier.faults, events.filter((event) => ends.includes(event)).length]).toEqual([[], 1]);
  return { call, events, recordings: (await api.get(`${path}/recordings`)).body.data };
}

/** It rings. */
export const ring: NonNullable<Conduct["become"]> = async (call, at) => {
  for (const status of ["initiated", "ringing"]) await at.report(call, status);
};

/** It is answered, and the callee listens to the end. */
export const pickUp: NonNullable<Conduct["become"]> = async (call, at) => {
  await ring(call, at);
  await at.report(call, "in-progress");
  await at.answer(call);
};
