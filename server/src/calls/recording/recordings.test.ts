import { expect, test } from "vitest";
import type { FileStore } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { callRoom } from "#test/support/messages/calls.ts";
import { turns } from "#test/support/time/eventually.ts";
import { readWav } from "../audio/read-wav.ts";
import { wavOf } from "../audio/write-wav.ts";
import { deleteRecording, listRecordings, readSignedRecording } from "../index.ts";
import { sweepRecordings } from "./delete-recording.ts";
import { keepRecording } from "./keep-recording.ts";

const app = await testApp();
const room = callRoom(app);
const { ctx } = room;
const shop = await app.tenant();
const dayMs = 86_400_000;

async function happen(given: Parameters<typeof room.place>[1]) {
  const placed = await room.place(shop, given);
  await room.settle();
  return room.find(placed);
}
const play = (url: string) => {
  const { pathname, searchParams } = new URL(url);
  const [expires, signature] = [searchParams.get("expires") ?? "", searchParams.get("signature") ?? ""];
  return readSignedRecording(ctx, { id: pathname.split("/")[2] ?? "", expires, signature, room: async () => {} });
};

test.each([
  [true, 1],
  ["dual", 2],
] as const)("a recorded call (%s) can be listened to by a signed URL, which is reported before its end", async (record, channels) => {
  const call = await happen({ record });
  expect((await room.eventsOf(call)).slice(-2)).toEqual(["recording_ready", "completed"]);
  const [recording] = await listRecordings(ctx, shop, { call_id: call.id });
  expect(recording).toMatchObject({ object: "recording", call_id: call.id, source: "call", channels, duration: 1 });
  expect((await room.data(call)).at(-2)).toMatchObject({ recording: { id: recording?.id, channels } });
  expect(JSON.stringify(await room.data(call))).not.toContain("signature");
  const { bytes, headers } = await play(recording?.url ?? "");
  expect(bytes).toHaveLength(recording?.size_bytes ?? 0);
  expect(headers).toMatchObject({
    "content-type": "audio/wav",
    "x-content-type-options": "nosniff",
    "cache-control": expect.stringContaining("private"),
  });
});

test("what a record verb heard is stored separately, as it was said", async () => {
  const call = await happen({ actions: [{ verb: "record", max_length: 30 }] });
  const [recording] = await listRecordings(ctx, shop, { call_id: call.id });
  expect(recording).toMatchObject({ source: "verb", channels: 1, duration: 1 });
  expect(readWav((await play(recording?.url ?? "")).bytes)).toMatchObject({ frames: 8_000 });
  expect(call.digits).toBe("#");
});

test("recordings that end at the same time are stored a few at a time, each complete", async () => {
  const call = await happen({});
  let [open, peak] = [0, 0];
  const second = Promise.withResolvers<void>();
  const put: FileStore["put"] = async (key, bytes) => {
    peak = Math.max(peak, (open += 1));
    if (open === 2) second.resolve();
    await second.promise;
    await turns();
    await ctx.files.put(key, bytes);
    open -= 1;
  };
  const fullCtx = { ...ctx, files: { ...ctx.files, put } };
  const keep = () => keepRecording(fullCtx, call, { source: "verb", samples: Buffer.alloc(8_000) });
  await Promise.all(Array.from({ length: 8 }, keep));
  expect([peak, (await listRecordings(ctx, shop, { call_id: call.id })).length]).toEqual([2, 8]);
});

test("a recording that its callee hangs up on is stored", async () => {
  const call = await happen({ to: "+15005552005", actions: [{ verb: "record", finish_on_key: "*", max_length: 60 }] });
  expect(call).toMatchObject({ status: "completed", hangup_by: "callee" });
  expect(await listRecordings(ctx, shop, { call_id: call.id })).toMatchObject([{ source: "verb" }]);
});

test("calls that aren't recorded have no recording", async () => {
  expect(await listRecordings(ctx, shop, { call_id: (await happen({})).id })).toEqual([]);
  await expect(listRecordings(ctx, await app.tenant(), { call_id: (await happen({ record: true })).id })).rejects.toMatchObject({
    code: "resource_missing",
  });
});

test("a URL is valid only for its recording, and for fifteen minutes", async () => {
  const call = await happen({ record: true, actions: [{ verb: "record", max_length: 5 }] });
  const [one, two] = await listRecordings(ctx, shop, { call_id: call.id });
  const refused = { code: "permission_denied" };
  await expect(play((one?.url ?? "").replace(one?.id ?? "", two?.id ?? ""))).rejects.toMatchObject(refused);
  await expect(play((one?.url ?? "").replace("expires=", "expires=9"))).rejects.toMatchObject(refused);
  await expect(play(`${one?.url}x`)).rejects.toMatchObject(refused);
  app.clock.advance(14 * 60_000);
  await play(one?.url ?? "");
  app.clock.advance(61_000);
  await expect(play(one?.url ?? "")).rejects.toMatchObject(refused);
});

test("a deleted recording is gone with its bytes, and its URLs play nothing", async () => {
  const call = await happen({ record: true });
  const [recording] = await listRecordings(ctx, shop, { call_id: call.id });
  const id = recording?.id ?? "";
  await expect(deleteRecording(ctx, await app.tenant(), { call_id: call.id, id })).rejects.toMatchObject({ code: "resource_missing" });
  await expect(deleteRecording(ctx, shop, { call_id: "call_other", id })).rejects.toMatchObject({ code: "resource_missing" });
  expect(await deleteRecording(ctx, shop, { call_id: call.id, id })).toEqual({ id });
  await expect(deleteRecording(ctx, shop, { call_id: call.id, id })).rejects.toMatchObject({ code: "resource_missing" });
  await expect(play(recording?.url ?? "")).rejects.toMatchObject({ code: "resource_missing" });
  expect(await ctx.files.get(`recordings/${shop.project_id}/test/${id}`)).toBeNull();
});

test("what the store doesn't remove immediately is removed by the next sweep", async () => {
  const call = await happen({ record: true });
  const [recording] = await listRecordings(ctx, shop, { call_id: call.id });
  const id = recording?.id ?? "";
  const stuck: FileStore = { ...ctx.files, remove: async () => Promise.reject(new Error("the store is away")) };
  await deleteRecording({ ...ctx, files: stuck }, shop, { call_id: call.id, id });
  await expect(play(recording?.url ?? "")).rejects.toMatchObject({ code: "resource_missing" });
  expect(await sweepRecordings(ctx)).toBe(1);
  expect(await ctx.files.get(`recordings/${shop.project_id}/test/${id}`)).toBeNull();
});

test("a recording that the store doesn't remove keeps no other one from being removed", async () => {
  const calls = [await happen({ record: true }), await happen({ record: true })];
  while ((await sweepRecordings(ctx)) > 0);
  const ids = await Promise.all(calls.map(async ({ id }) => (await listRecordings(ctx, shop, { call_id: id }))[0]?.id ?? ""));
  app.clock.advance(31 * dayMs);
  const isOdd = (key: string) => key.includes(ids[0] ?? "");
  const remove = async (key: string) => (isOdd(key) ? Promise.reject(new Error("not this one")) : ctx.files.remove(key));
  await sweepRecordings({ ...ctx, files: { ...ctx.files, remove } });
  const isKept = async (id: string) => (await ctx.files.get(`recordings/${shop.project_id}/test/${id}`)) !== null;
  expect(await Promise.all(ids.map(isKept))).toEqual([true, false]);
  await sweepRecordings(ctx);
  expect(await Promise.all(ids.map(isKept))).toEqual([false, false]);
});

test("recordings are retained for thirty days", async () => {
  const call = await happen({ record: true });
  while ((await sweepRecordings(ctx)) > 0);
  app.clock.advance(30 * dayMs - 60_000);
  while ((await sweepRecordings(ctx)) > 0);
  const [recording] = await listRecordings(ctx, shop, { call_id: call.id });
  expect(recording).toBeDefined();
  app.clock.advance(60_000);
  expect(await listRecordings(ctx, shop, { call_id: call.id })).toEqual([]);
  while ((await sweepRecordings(ctx)) > 0);
  expect(await ctx.files.get(`recordings/${shop.project_id}/test/${recording?.id}`)).toBeNull();
});

test("a process that is lost while it stores a recording leaves nothing behind", async () => {
  const call = await happen({});
  const stored = new Set<string>();
  const dying: FileStore = {
    ...ctx.files,
    async put(key, bytes) {
      stored.add(key);
      await ctx.files.put(key, bytes);
      throw new Error("lost");
    },
  };
  await expect(keepRecording({ ...ctx, files: dying }, call, { source: "verb", samples: Buffer.alloc(800) })).rejects.toThrow("lost");
  expect(await listRecordings(ctx, shop, { call_id: call.id })).toEqual([]);
  expect(await sweepRecordings(ctx)).toBe(0);
  app.clock.advance(3_600_000);
  expect(await sweepRecordings(ctx)).toBe(1);
  for (const key of stored) expect(await ctx.files.get(key)).toBeNull();
});

test("a recording that can't be stored doesn't affect its call", async () => {
  const broken = callRoom({ ...app, ctx: { ...app.ctx, files: { ...app.ctx.files, put: async () => Promise.reject(new Error("full")) } } });
  const placed = await broken.place(shop, { record: true, actions: [{ verb: "record", max_length: 5 }] });
  await broken.settle();
  expect(await broken.find(placed)).toMatchObject({ status: "completed", error: null });
  expect(await broken.eventsOf(placed)).toEqual(["queued", "initiated", "ringing", "in_progress", "completed"]);
});

test("what a callee just said is stored although recordings of ended calls take long", async () => {
  const call = await happen({});
  const stored = Promise.withResolvers<void>();
  const wav = wavOf(Buffer.alloc(8_000, 0x55));
  const ended = Array.from({ length: 3 }, () => {
    const files = { ...ctx.files, put: () => stored.promise };
    return keepRecording({ ...ctx, files }, call, { source: "call", wav, channels: 1, durationMs: 1_000 });
  });
  expect(await keepRecording(ctx, call, { source: "verb", samples: Buffer.alloc(8_000) })).toMatch(/^rec_/);
  stored.resolve();
  await Promise.all(ended);
});
