import { mkdtemp, readdir, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Ctx, type FileStore, narrow, openDatabase } from "#platform/index.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { callRoom, completed, handTransport } from "#test/support/messages/calls.ts";
import { wavOf } from "../audio/write-wav.ts";
import { callTasks, deleteRecording, listRecordings } from "../index.ts";
import type { CallRow } from "../shapes.ts";
import { silentSpeech } from "../simulator/create-simulator.ts";
import { type CallLeg, CarrierAway, type CarrierFile } from "../transport.ts";
import { keepRecording } from "./keep-recording.ts";
import { storeWaiting } from "./store-file.ts";

const app = await testApp();
const room = callRoom(app);
const { ctx } = room;
const shop: TestTenant = await app.tenant();
const wav = wavOf(Buffer.alloc(8_000, 0x55));
const [second, minute, day] = [1_000, 60_000, 86_400_000];

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recordings-"));
});
afterEach(() => rm(folder, { recursive: true }));

const withFiles = (files: Partial<FileStore>): Ctx => ({ ...ctx, files: { ...ctx.files, ...files } });
const away = withFiles({ put: async () => Promise.reject(new Error("the store is away")) });
const task = () => {
  const live = { transport: handTransport(ctx), speech: silentSpeech, recordings: folder };
  return callTasks(live).find(({ name }) => name === "store_recordings");
};
const later = (ms: number) => {
  app.clock.advance(ms);
  return task()?.run(ctx);
};

async function recorded(): Promise<{ call: CallRow; keep(on: Ctx): Promise<string | null>; stored(): Promise<number> }> {
  const call = await room.place(shop, {});
  await room.settle();
  const path = join(folder, `${call.id}.wav`);
  await writeFile(path, wav);
  return {
    call,
    keep: (on) => keepRecording(on, call, { source: "call", wav: path, channels: 1, durationMs: 1_000 }),
    stored: async () => (await listRecordings(ctx, shop, { call_id: call.id })).length,
  };
}

test("a recording that can't be stored stays on disk and is stored later, without delaying the call's end", async () => {
  const path = join(folder, "call.wav");
  await writeFile(path, wav);
  const leg: CallLeg = {
    play: async () => "played",
    sendDigits: async () => {},
    onAudio: () => () => {},
    recording: async () => ({ wav: path, channels: 1, durationMs: 1_000 }),
    hangUp: () => {},
  };
  const there = callRoom({ ...app, ctx: { ...app.ctx, files: away.files } });
  const hand = handTransport(there.ctx);
  const caller = there.process({ routes: { test: { transport: hand, speech: silentSpeech } } });
  const call = await there.place(shop, { record: true });
  await caller.run(there.ctx);
  await there.quiet();
  hand.dialed[0]?.handlers.answered(ctx.now(), leg);
  await there.quiet();
  hand.dialed[0]?.handlers.ended(completed, ctx.now());
  await there.settle(caller);
  expect(await there.find(call)).toMatchObject({ status: "completed", error: null });
  expect((await readdir(folder)).sort()).toEqual(["call.wav", "call.wav.json"]);

  app.clock.advance(5 * second);
  expect(await storeWaiting(away, folder)).toBe(0);
  expect(await later(5 * second), "its pauses grow").toBe(0);
  expect(await later(5 * second)).toBe(1);
  const [recording] = await listRecordings(ctx, shop, { call_id: call.id });
  expect(recording).toMatchObject({ source: "call", channels: 1, duration: 1 });
  expect(await ctx.files.get(`recordings/${shop.project_id}/test/${recording?.id}`)).toEqual(wav);
  expect((await there.eventsOf(call)).slice(-2)).toEqual(["completed", "recording_ready"]);
  expect(await readdir(folder)).toEqual([]);
});

/** A database that is away. */
async function lostDatabase() {
  const lost = openDatabase({ url: app.url, max: 1, shared: 0, applicationName: "recording-lost" });
  await lost.close(0);
  return lost;
}

test("a recording stays on disk while the database is away", async () => {
  const { keep, stored } = await recorded();
  const lost = await lostDatabase();
  await expect(keep({ ...narrow(ctx, {}, lost), db: lost.db })).rejects.toThrow();
  expect(await later(5 * second)).toBe(1);
  expect([await stored(), await readdir(folder)]).toEqual([1, []]);
});

test.each(["stores", "can't store"])(
  "a recording whose process seems lost is stored by one of the others, also if it %s it later",
  async (how) => {
    const { keep, stored } = await recorded();
    const [started, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const put = () => {
      started.resolve();
      return ended.promise;
    };
    const kept = keep(withFiles({ put }));
    await started.promise;
    expect(await later(14 * minute)).toBe(0);
    app.clock.advance(minute);
    await Promise.all([storeWaiting(ctx, folder), storeWaiting(ctx, folder)]);
    expect([await stored(), await readdir(folder)]).toEqual([1, []]);
    // Its turn ends here: other tests of this process take turns with it. It wasn't lost after all, and changes nothing.
    if (how === "stores") ended.resolve();
    else ended.reject(new Error("the store is away"));
    expect([await kept, await stored(), await readdir(folder)]).toEqual([null, 1, []]);
  },
);

const stuck = withFiles({ remove: async () => Promise.reject(new Error("the store is away")) });

test.each([
  ["with its bytes", ctx],
  ["but not its bytes yet", stuck],
])("a recording is stored once, also if it was stored before without a response and then deleted, %s", async (_how, deleting) => {
  const { call, keep, stored } = await recorded();
  const lost = await lostDatabase();
  let isAway = false;
  const unanswered: Ctx["transact"] = async (work) => {
    await ctx.transact(work);
    isAway = true;
    throw new Error("the response was lost");
  };
  const losing: Ctx = {
    ...ctx,
    transact: unanswered,
    get db() {
      return isAway ? lost.db : ctx.db;
    },
  };
  await expect(keep(losing)).rejects.toThrow("the response was lost");
  expect(await stored()).toBe(1);
  const [recording] = await listRecordings(ctx, shop, { call_id: call.id });
  await deleteRecording(deleting, shop, { call_id: call.id, id: recording?.id ?? "" });
  await later(5 * second);
  expect([await stored(), await readdir(folder)]).toEqual([0, []]);
});

test("a recording whose note can't be read keeps no other one from being stored", async () => {
  const { keep, stored } = await recorded();
  await expect(keep(away)).rejects.toThrow("away");
  await writeFile(join(folder, "a.wav.json"), "{");
  expect(await later(5 * second)).toBe(1);
  expect([await stored(), await readdir(folder)]).toEqual([1, ["a.wav.json"]]);
});

describe("recordings at carriers", () => {
  type Find = (copy: { provider: string; call_sid: string }) => Promise<CarrierFile | null>;
  const file: CarrierFile = { download: async () => ({ wav, channels: 1, durationMs: 1_000 }), remove: async () => {} };
  const refused = async () => Promise.reject(new Error("the carrier refuses it"));
  const silent = async () => Promise.reject(new CarrierAway("the carrier doesn't respond"));

  /** Notes the recordings of calls, the ID of the first of which is the lowest. */
  async function noted(...sids: string[]): Promise<{ call_id: string; sid: string }[]> {
    const calls: { call_id: string; sid: string }[] = [];
    for (const sid of sids) {
      const call = await room.place(shop, {});
      calls.push({ call_id: call.id, sid });
      await room.settle();
      const copy = { provider: sid.replace(/\d+$/, ""), call_sid: sid, channels: 1 as const };
      const path = join(folder, `${call.id}.wav`);
      await keepRecording(ctx, call, { source: "call", isLater: true, wav: path, copy, find: silent });
    }
    return calls;
  }
  const storedOf = async (calls: { call_id: string; sid: string }[]) => {
    const lists = await Promise.all(calls.map(async ({ call_id }) => listRecordings(ctx, shop, { call_id })));
    return calls.filter((_call, at) => lists[at]?.length === 1).map(({ sid }) => sid);
  };

  test("that can't be fetched or deleted keep no other one from being stored", async () => {
    const calls = await noted("main1", "main2", "main3", "main4");
    const find: Find = async ({ call_sid }) => {
      if (call_sid === "main1") return refused();
      return call_sid === "main4" ? file : { ...file, remove: refused };
    };
    await storeWaiting(ctx, folder, find);
    expect([await storedOf(calls), (await readdir(folder)).length]).toEqual([["main2", "main3", "main4"], 3]);
  });

  test("that their carrier doesn't delete are asked for every hour at the latest", async () => {
    const [call] = await noted("main1");
    let asked = 0;
    const find: Find = async () => {
      asked += 1;
      return { ...file, remove: refused };
    };
    const pass = (ms: number) => {
      app.clock.advance(ms);
      return storeWaiting(ctx, folder, find);
    };
    for (let time = 0; time < 12; time += 1) await pass(60 * minute);
    expect([asked, await storedOf(call === undefined ? [] : [call])]).toEqual([12, ["main1"]]);
    await pass(60 * minute - second);
    expect(asked).toBe(12);
    await pass(second);
    expect(asked).toBe(13);
  });

  test("at one that is away are tried one by one, and those of the others are stored", async () => {
    const calls = await noted("main1", "main2", "other3");
    const asked: string[] = [];
    const find: Find = async ({ provider, call_sid }) => {
      asked.push(call_sid);
      return provider === "main" ? silent() : file;
    };
    await storeWaiting(ctx, folder, find);
    expect([asked, await storedOf(calls)]).toEqual([["main1", "other3"], ["other3"]]);
    app.clock.advance(5 * second);
    await storeWaiting(ctx, folder, find);
    expect(asked, "what is due longest comes first").toEqual(["main1", "other3", "main2"]);
  });

  test("are fetched from one that doesn't respond to deletions", async () => {
    const calls = await noted("main1", "main2", "main3");
    const find: Find = async () => ({ ...file, remove: silent });
    await storeWaiting(ctx, folder, find);
    expect([await storedOf(calls), (await readdir(folder)).length]).toEqual([["main1", "main2", "main3"], 3]);
  });
});

describe("a recording is no longer tried", () => {
  test("after thirty days", async () => {
    const { keep, stored } = await recorded();
    await expect(keep(away)).rejects.toThrow("away");
    await later(30 * day + minute);
    expect([await stored(), await readdir(folder)]).toEqual([0, []]);
  });

  test("if it is too large or empty", async () => {
    const { call, keep, stored } = await recorded();
    await truncate(join(folder, `${call.id}.wav`), 129 * 1024 * 1024);
    await expect(keep(ctx)).rejects.toThrow("too large");
    expect([await stored(), await readdir(folder)]).toEqual([0, []]);
    const empty = join(folder, "empty.wav");
    await writeFile(empty, wavOf(Buffer.alloc(0)));
    expect(await keepRecording(ctx, call, { source: "call", wav: empty, channels: 1, durationMs: 0 })).toBeNull();
    expect(await readdir(folder)).toEqual([]);
  });
});
