import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { changeMerchant } from "#identity/index.ts";
import { assignNumber } from "#numbers/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { callRoom, completed, type HandTransport, handTransport } from "#test/support/messages/calls.ts";
import { wavOf } from "../audio/write-wav.ts";
import { listRecordings } from "../index.ts";
import { storeWaiting } from "../recording/store-file.ts";
import type { CallRow } from "../shapes.ts";
import { silentSpeech } from "../simulator/create-simulator.ts";
import type { CallLeg, CarrierFile } from "../transport.ts";
import type { Caller } from "./create-caller.ts";

const app = await testApp({ calls: { hasRoute: () => true } });
const room = callRoom(app);
const { ctx } = room;
const folder = await mkdtemp(join(tmpdir(), "stopped-calls-"));
afterAll(() => rm(folder, { recursive: true }));
const wav = wavOf(Buffer.alloc(8_000, 0x55));
const [from, to] = ["+14155552670", "+14155552671"];

const shop = await app.tenant({ livemode: true });
await changeMerchant(ctx, { merchant_id: shop.merchant_id, if_version: null, country: "US" });
await assignNumber(ctx, { project_id: shop.project_id, value: from, channels: ["call"] });

let hand: HandTransport;
let caller: Caller;
beforeEach(() => {
  hand = handTransport(ctx);
  caller = callerThat({});
});

function callerThat(options: Parameters<typeof room.process>[0]): Caller {
  const route = { transport: hand, speech: silentSpeech };
  return room.process({ routes: { live: route, test: route }, ...options });
}

/** A call that lasts for half a minute and is recorded. */
async function answered(recording: CallLeg["recording"], more: Partial<CallLeg> = {}, actions: object[] = []): Promise<CallRow> {
  const call = await room.place(shop, { from, to, record: true, actions: [...actions, { verb: "pause", length: 60 }] });
  await caller.run(ctx);
  await room.quiet();
  const usual = { play: async () => "played" as const, sendDigits: async () => {}, onAudio: () => () => {}, hangUp: () => {} };
  const leg: CallLeg = { ...usual, recording, ...more };
  hand.dialed[0]?.handlers.answered(ctx.now(), leg);
  await room.quiet();
  app.clock.advance(30_000);
  return call;
}

const never = () => new Promise<never>(() => {});
const stopped = { status: "completed", duration: 30, hangup_by: "caller", error: { code: "worker_lost" } };

test("a call that its process hangs up when it stops ends with its duration and its cost, however long its recording takes", async () => {
  caller = callerThat({ savingMs: 0 });
  const call = await answered(never);
  await caller.finish(ctx);
  expect(await room.find(call)).toMatchObject(stopped);
  const charges = await runStatement(
    ctx.db,
    `select settled, amount = unit_amount as is_a_minute from message_charges
    where message_id = '${call.id}'`,
  );
  expect(charges).toEqual([{ settled: true, is_a_minute: true }]);
});

test("a call that ended before its process stopped, but whose recording isn't stored yet, ends as it did", async () => {
  caller = callerThat({ savingMs: 0 });
  const call = await answered(never);
  hand.dialed[0]?.handlers.ended(completed, ctx.now());
  await room.quiet();
  await caller.finish(ctx);
  expect(await room.find(call)).toMatchObject({ status: "completed", duration: 30, hangup_by: "callee", error: null });
});

test("a call's end waits for its recording for a few seconds only", async () => {
  const call = await answered(never);
  hand.dialed[0]?.handlers.ended(completed, ctx.now());
  await room.settle(caller);
  expect(await room.find(call)).toMatchObject({ status: "completed", duration: 30, error: null });
});

test.each<[string, Partial<CallLeg>]>([
  ["deletes what verbs recorded", { record: async () => Buffer.alloc(16_000), deleteRecordings: never }],
  ["hands over what was being recorded", { record: never }],
])("a call's end waits only a few seconds until its carrier %s", async (_what, carrier) => {
  const call = await answered(async () => null, carrier, [{ verb: "record", max_length: 5 }]);
  hand.dialed[0]?.handlers.ended(completed, ctx.now());
  await room.settle(caller);
  expect(await room.find(call)).toMatchObject({ status: "completed", duration: 30, error: null });
});

test("another process stores the recording of a call that was hung up when its process stopped", async () => {
  const path = join(folder, "call.wav");
  const call = await answered(async () => {
    await writeFile(path, wav);
    return { wav: path, channels: 1, durationMs: 1_000 };
  });
  await caller.finish(ctx);
  expect((await readdir(folder)).sort()).toEqual(["call.wav", "call.wav.json"]);
  expect(await storeWaiting(ctx, folder)).toBe(1);
  expect(await listRecordings(ctx, shop, { call_id: call.id })).toMatchObject([{ source: "call", duration: 1 }]);
  expect(await readdir(folder)).toEqual([]);
});

test("another process fetches a recording that wasn't complete at its carrier when the process stopped, once it is, and deletes it there", async () => {
  const copy = { provider: "hand:main", call_sid: "CA1", channels: 2 as const };
  const call = await answered(async () => ({ wav: join(folder, "at-carrier.wav"), copy, find: never }));
  await caller.finish(ctx);
  expect(await readdir(folder)).toEqual(["at-carrier.wav.json"]);
  const asked: unknown[] = [];
  let removed = 0;
  const found = (file: CarrierFile | null) => async (given: unknown) => {
    asked.push(given);
    if (file === null) throw new Error("it isn't complete yet");
    return file;
  };
  expect(await storeWaiting(ctx, folder, found(null))).toBe(0);
  app.clock.advance(5_000);
  const file: CarrierFile = {
    download: async () => ({ wav, channels: 1, durationMs: 1_000 }),
    remove: async () => void (removed += 1),
  };
  expect(await storeWaiting(ctx, folder, found(file))).toBe(1);
  expect([asked, removed, await readdir(folder)]).toEqual([[copy, copy], 1, []]);
  expect(await listRecordings(ctx, shop, { call_id: call.id })).toMatchObject([{ source: "call", channels: 1, duration: 1 }]);
});
