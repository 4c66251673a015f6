import { readdir } from "node:fs/promises";
import { afterAll, expect, test } from "vitest";
import { CarrierAway, createCarrierLines, realTime } from "#calls/index.ts";
import { createVoiceTransport } from "#providers/telephony/twilio/voice/create-voice-transport.ts";
import { readVoiceAccounts } from "#providers/telephony/twilio/voice/settings.ts";
import { startTwilio } from "#test/support/twilio/twilio-peer.ts";
import { wavOf } from "#test/support/twilio/voice-media.ts";
import { chirp, pickUp, voiceWorld } from "#test/support/twilio/voice-world.ts";

const world = await voiceWorld();
const { app, carrier, worker, spare, shop, tasks, happen } = world;
/** Where a page's address may lead, but no request may go. */
const other = await startTwilio();
const elsewhere = other.setting("").replace(/\?$/, "/2010-04-01/Accounts/AC1/Calls/CA1/Recordings.json?");
afterAll(() => other.stop());
const taskOf = (called: string) => tasks().find(({ name }) => name === called);

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

test("a whole recording is fetched although its call has hundreds of other recordings, all kept by its carrier", async () => {
  const others = Array.from({ length: 250 }, (_none, at) => `RE${String(at).padStart(32, "0")}`);
  const { call, recordings } = await happen(
    { text: "Hello.", record: true },
    {
      become: async (carried, at) => {
        for (const sid of others) carried.recordings.push({ sid, source: "RecordVerb", channels: 1, wav: Buffer.alloc(0) });
        await pickUp(carried, at);
      },
    },
    { settings: "&delete_recordings=0" },
  );
  expect([call.status, recordings.length, await readdir(world.recordings)]).toEqual(["completed", 1, []]);
  expect([recordings[0].source, carrier.last().recordings.length, carrier.deletedRecordings]).toEqual(["call", 251, []]);
});

/** What a request for a call's recording, by an account with the carrier, ends with. */
async function findAt(call_sid: string): Promise<unknown> {
  const lines = createCarrierLines(worker);
  const given = { ctx: worker, recordings: world.recordings, lines, after: realTime, onAnswer: () => undefined };
  const transport = createVoiceTransport({ accounts: readVoiceAccounts(spare.slice(1)), ...given });
  const copy = { provider: "http:spare", call_sid, channels: 1 as const };
  const found = await transport.findRecording?.(copy).catch((fault: unknown) => fault);
  await transport.close();
  return found;
}

test.each([
  ["isn't JSON", () => Buffer.from("<html>"), 1],
  ["is larger than is read", () => ({ recordings: [], more: "x".repeat(2_000_000) }), 1],
  ["has another page whose address can't be read", () => ({ recordings: [], next_page_uri: "/second-page" }), 1],
  ["never ends", () => ({ recordings: [], next_page_uri: `${elsewhere}Page=1&PageToken=PA1` }), 50],
])("a call's list of recordings that %s is a fault of that call, and its carrier isn't away", async (_what, list, requests) => {
  await happen({ text: "Hello." }, { become: pickUp });
  carrier.requests.length = 0;
  carrier.conduct = { list };
  const error = await findAt(carrier.last().sid);
  expect([error instanceof Error, error instanceof CarrierAway, carrier.requests.length]).toEqual([true, false, requests]);
  expect(other.received).toEqual([]);
});

test("a recording that is listed is found, whatever its list leads to", async () => {
  await happen({ text: "Hello." }, { become: pickUp });
  carrier.requests.length = 0;
  const listed = { sid: `RE${"7".repeat(32)}`, source: "StartCallRecordingAPI", status: "completed" };
  carrier.conduct = { list: () => ({ recordings: [listed], next_page_uri: "/second-page" }) };
  expect(await findAt(carrier.last().sid)).toMatchObject({ download: expect.any(Function) });
  expect(carrier.requests.length).toBe(1);
});

test.each([
  [503, true],
  [429, true],
  [404, false],
  [403, false],
])("a carrier that answers a request for one recording with %s is away: %s", async (status, isAway) => {
  carrier.conduct = { missing: () => ({ status }) };
  const error = await findAt(`CA${"0".repeat(32)}`);
  expect([error instanceof Error, error instanceof CarrierAway]).toEqual([true, isAway]);
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
