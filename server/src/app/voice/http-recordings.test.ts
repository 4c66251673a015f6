import { readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { CarrierAway, createCarrierLines, realTime } from "#calls/index.ts";
import { createVoiceTransport } from "#providers/telephony/twilio/voice/create-voice-transport.ts";
import { readVoiceAccounts } from "#providers/telephony/twilio/voice/settings.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { wavOf } from "#test/support/twilio/voice-media.ts";
import { chirp, pickUp, voiceWorld } from "#test/support/twilio/voice-world.ts";

const world = await voiceWorld();
const { app, carrier, worker, numbers, spare, shop, tasks, happen } = world;
const taskOf = (called: string) => tasks().find(({ name }) => name === called);

test("when ten calls end together, no more than two of their recordings are downloaded or in memory at a time", async () => {
  carrier.conduct = { become: pickUp };
  const api = app.api(shop().key);
  const ids: string[] = [];
  for (let one = 0; one < 10; one += 1) ids.push((await api.post("/v1/calls", { ...numbers, text: "Hello.", record: "dual" })).body.id);
  const asked = (request: string) => carrier.requests.filter((one) => one === request).length;
  const full = Promise.withResolvers<void>();
  let [puts, stored, peak] = [0, 0, 0];
  const look = () => void (peak = Math.max(peak, asked("GET /Recordings/RE.wav") - stored));
  const put: typeof worker.files.put = async (key, bytes) => {
    puts += 1;
    look();
    await full.promise;
    await worker.files.put(key, bytes);
    look();
    stored += 1;
  };
  const at = { ...worker, files: { ...worker.files, put } };
  const working = tasks(spare).filter(({ name }) => name === "place_calls");
  const until = (what: string, holds: () => boolean | Promise<boolean>) =>
    eventually(
      () => `${what}: ${puts} ${stored} ${carrier.requests.join(", ")}`,
      async () => {
        for (const task of working) await task.run(at);
        return holds();
      },
      { everyMs: 10 },
    );
  await until("each recording was looked for, and two are being stored", () => asked("GET /Calls/CA/Recordings.json") >= 10 && puts >= 2);
  look();
  full.resolve();
  const statuses = () => Promise.all(ids.map(async (id) => (await api.get(`/v1/calls/${id}`)).body.status));
  await until("each call ends", async () => stored === 10 && (await statuses()).every((status) => status === "completed"));
  expect([peak, carrier.faults]).toEqual([2, []]);
  for (const id of ids) expect((await api.get(`/v1/calls/${id}/recordings`)).body.data).toMatchObject([{ source: "call", channels: 2 }]);
  for (const task of working) await task.finish?.(at);
});

test("a recording that isn't complete when its call ends, or can't be stored then, is fetched later by any process, and then deleted", async () => {
  let status = "processing";
  const isAway = { ...app.ctx.files, put: () => Promise.reject(new Error("the disk is full")) };
  const { call, recordings } = await happen({ text: "Hello.", record: true }, { become: pickUp, recording: () => status });
  expect([call.status, call.error, recordings, await readdir(world.recordings)]).toEqual(["completed", null, [], [`${call.id}.wav.json`]]);
  status = "completed";
  const storing = taskOf("store_recordings");
  app.clock.advance(5_000);
  await storing?.run({ ...worker, files: isAway });
  expect([carrier.deletedRecordings, await readdir(world.recordings)]).toEqual([[], [`${call.id}.wav.json`]]);
  app.clock.advance(10_000);
  await storing?.run(worker);
  const { data } = (await app.api(shop().key).get(`/v1/calls/${call.id}/recordings`)).body;
  expect([data.length, carrier.deletedRecordings.length, await readdir(world.recordings)]).toEqual([1, 1, []]);
});

test("a recording that its carrier doesn't delete once it is stored is deleted later, and not stored again if it was deleted", async () => {
  const statuses = [503, 204];
  const { call, recordings } = await happen({ text: "Hello.", record: true }, { become: pickUp, remove: () => statuses.shift() ?? 204 });
  expect([call.status, recordings.length, carrier.deletedRecordings]).toEqual(["completed", 1, []]);
  expect(await readdir(world.recordings)).toEqual([`${call.id}.wav.json`]);
  const path = `/v1/calls/${call.id}/recordings`;
  expect((await app.api(shop().key).delete(`${path}/${recordings[0].id}`)).status).toBe(200);
  app.clock.advance(5_000);
  for (const name of ["sweep_recordings", "store_recordings"]) await taskOf(name)?.run(worker);
  expect([(await app.api(shop().key).get(path)).body.data, await readdir(world.recordings)]).toEqual([[], []]);
  expect(carrier.deletedRecordings).toEqual([carrier.last().recordings[0]?.sid]);
  expect(carrier.requests.filter((one) => one === "GET /Recordings/RE.wav")).toHaveLength(1);
});

test("a 404 that isn't the carrier's own doesn't confirm that a recording was deleted", async () => {
  const { call, recordings } = await happen({ text: "Hello.", record: true }, { become: pickUp, remove: () => 404 });
  expect([recordings.length, await readdir(world.recordings)]).toEqual([1, [`${call.id}.wav.json`]]);
  carrier.conduct = {};
  app.clock.advance(5_000);
  await taskOf("store_recordings")?.run(worker);
  expect([carrier.deletedRecordings.length, await readdir(world.recordings)]).toEqual([1, []]);
});

test("a recording isn't given up because its carrier's list can't be read for a while", async () => {
  const { call } = await happen({ text: "Hello.", record: true }, { become: pickUp, list: () => ({}) });
  expect(await readdir(world.recordings)).toEqual([`${call.id}.wav.json`]);
  app.clock.advance(11 * 60_000);
  await taskOf("store_recordings")?.run(worker);
  carrier.conduct = {};
  app.clock.advance(60_000);
  await taskOf("store_recordings")?.run(worker);
  const { data } = (await app.api(shop().key).get(`/v1/calls/${call.id}/recordings`)).body;
  expect([data.length, carrier.deletedRecordings.length, await readdir(world.recordings)]).toEqual([1, 1, []]);
});

test.each([
  [503, true],
  [429, true],
  [404, false],
  [403, false],
])("a carrier that answers a request for one recording with %s is away: %s", async (status, isAway) => {
  carrier.conduct = { missing: () => ({ status }) };
  const lines = createCarrierLines(worker);
  const given = { ctx: worker, recordings: world.recordings, lines, after: realTime, onAnswer: () => undefined };
  const transport = createVoiceTransport({ accounts: readVoiceAccounts(spare.slice(1)), ...given });
  const copy = { provider: "http:spare", call_sid: `CA${"0".repeat(32)}`, channels: 1 as const };
  const error = await transport.findRecording?.(copy).catch((fault: unknown) => fault);
  expect([error instanceof Error, error instanceof CarrierAway]).toEqual([true, isAway]);
  await transport.close();
});

test("a recording that its carrier says it no longer has counts as deleted", async () => {
  const lost = () => {
    // It is deleted, and the response is lost.
    carrier.deletedRecordings.push(carrier.last().recordings[0]?.sid ?? "");
    return 503;
  };
  const say = () => wavOf(chirp("Table 1"), 1);
  await happen({ actions: [{ verb: "record", max_length: 20 }] }, { become: pickUp, say, remove: lost });
  expect(carrier.requests.filter((one) => one.startsWith("DELETE"))).toEqual(Array(2).fill("DELETE /Recordings/RE.json"));
});

test("what verbs recorded is deleted at the carrier although a first request for it fails", async () => {
  const statuses = [204, 503, 204];
  let said = 0;
  const { recordings } = await happen(
    { actions: Array.from({ length: 3 }, () => ({ verb: "record", max_length: 20 })) },
    { become: pickUp, say: () => wavOf(chirp(`Table ${++said}`), 1), remove: () => statuses.shift() ?? 204 },
  );
  expect([recordings.length, new Set(carrier.deletedRecordings).size, carrier.deletedRecordings.length]).toEqual([3, 3, 3]);
});
