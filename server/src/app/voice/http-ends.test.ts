import { afterAll, beforeEach, expect, test } from "vitest";
import { type After, type CallDial, type CallEnd, createCarrierLines } from "#calls/index.ts";
import { createVoiceTransport, type VoiceTransport } from "#providers/telephony/twilio/voice/create-voice-transport.ts";
import { readVoiceAccounts } from "#providers/telephony/twilio/voice/settings.ts";
import { eventually } from "#test/support/time/eventually.ts";
import type { CarriedCall } from "#test/support/twilio/voice-carrier.ts";
import { voiceWorld } from "#test/support/twilio/voice-world.ts";

const world = await voiceWorld();
const { carrier, worker, numbers, spare, recordings } = world;
const lines = createCarrierLines(worker);
afterAll(() => lines.close());

/** Waits of the transport, which end when a test says so. */
const waits = new Set<{ ms: number; run(): void }>();
beforeEach(() => waits.clear());
const after: After = (ms, run) => {
  const wait = { ms, run };
  waits.add(wait);
  return () => void waits.delete(wait);
};
const waitOf = (ms: number) => [...waits].find((wait) => wait.ms === ms);

interface Dialed {
  carried: CarriedCall;
  transport: VoiceTransport;
  dial: CallDial;
  ends: CallEnd[];
  /** Ends a wait of this length, once there is one. */
  pass(ms: number): Promise<void>;
  /** Waits until the call waits before its next request to hang up, or has ended. */
  asked(): Promise<void>;
}

const [pollMs, hangUpMs, certainMs] = [20_000, 3_000, 30_000];
const [ringMs, limitMs, beyondMs] = [30_000, 600_000, 300_000];
let count = 0;

/** A call that its carrier has taken. */
async function dialed(rings: () => void = () => {}): Promise<Dialed> {
  const ends: CallEnd[] = [];
  const transport = createVoiceTransport({
    accounts: readVoiceAccounts(spare.slice(1)),
    ctx: worker,
    recordings,
    lines,
    after,
    onAnswer: () => undefined,
  });
  const { project_id } = world.shop();
  const times = { ringMs, limitMs, record: false as const };
  const call = { project_id, livemode: true, call_id: `call_ends${(count += 1)}`, ...numbers, country: "US", ...times };
  const ended = (end: CallEnd) => void ends.push(end);
  const dial = transport.dial(call, { carriedBy: () => {}, ringing: rings, answered: () => {}, digit: () => {}, ended });
  const waitsFor = (ms: number) => eventually(`it waits for ${ms} ms`, () => waitOf(ms) !== undefined);
  await waitsFor(pollMs);
  return {
    ...{ carried: carrier.last(), transport, dial, ends },
    async pass(ms) {
      await waitsFor(ms);
      const wait = waitOf(ms);
      if (wait !== undefined) waits.delete(wait);
      wait?.run();
    },
    asked: () => eventually("it asked to hang up", () => ends.length > 0 || waitOf(hangUpMs) !== undefined),
  };
}

test("a call that some of its carrier's servers don't know yet is hung up once they do", async () => {
  const { carried, dial, ends, pass, asked } = await dialed();
  carrier.calls.length = 0;
  dial.hangUp("caller");
  for (let time = 0; time < 3; time += 1) {
    await asked();
    expect(ends).toEqual([]);
    await pass(hangUpMs);
  }
  await asked();
  expect(ends).toEqual([]);
  carrier.calls.push(carried);
  await pass(hangUpMs);
  await eventually("it ends", () => ends.length > 0);
  expect([carried.status, ends]).toMatchObject(["canceled", [{ status: "canceled", error: null, hangup_by: "caller" }]]);
});

test("a call that its carrier doesn't have for half a minute has ended, unless it reports one in between", async () => {
  let rang = false;
  const { carried, transport, dial, ends, pass, asked } = await dialed(() => {
    rang = true;
  });
  carrier.calls.length = 0;
  dial.hangUp("caller");
  await asked();
  await pass(certainMs);
  await carrier.report(carried, "ringing");
  await eventually("the report arrives", () => rang);
  await pass(hangUpMs);
  await asked();
  expect(ends).toEqual([]);
  await pass(certainMs);
  await pass(hangUpMs);
  await eventually("it ends", () => ends.length > 0);
  expect([ends, transport.accounts()]).toMatchObject([[{ status: "failed", error: { code: "outcome_unknown" } }], [{ calls: 0 }]]);
});

test.each([404, 410, 401])("a call whose carrier only answers %s about it ends with its line, and its channel is free", async (status) => {
  const { transport, dial, ends, pass, asked } = await dialed();
  carrier.calls.length = 0;
  carrier.conduct = { missing: () => ({ status }) };
  dial.hangUp("limit");
  await asked();
  await pass(hangUpMs);
  await asked();
  expect([ends, transport.accounts()]).toMatchObject([[], [{ calls: 1 }]]);
  await pass(ringMs + limitMs + beyondMs);
  await eventually("it ends", () => ends.length > 0);
  expect([ends, transport.accounts()]).toMatchObject([[{ status: "failed", error: { code: "outcome_unknown" } }], [{ calls: 0 }]]);
  await transport.close();
  expect([...waits].map(({ ms }) => ms)).not.toContain(pollMs);
});
