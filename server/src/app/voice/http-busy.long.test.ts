import { readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { eventually } from "#test/support/time/eventually.ts";
import type { CarriedCall } from "#test/support/twilio/voice-carrier.ts";
import { pickUp, ring, voiceWorld } from "#test/support/twilio/voice-world.ts";

const world = await voiceWorld();
const { app, carrier, worker, numbers, spare, shop, tasks, happen } = world;
const taskOf = (called: string) => tasks().find(({ name }) => name === called);

test("a call that no account for its country has a channel for waits until one is free", async () => {
  carrier.conduct = { become: ring };
  const api = app.api(shop().key);
  const ids: string[] = [];
  for (let one = 0; one < 6; one += 1) ids.push((await api.post("/v1/calls", { ...numbers, text: "Hello." })).body.id);
  const working = tasks(`${spare}&countries=49`).filter(({ name }) => name === "place_calls");
  let statuses: string[] = [];
  const until = (wanted: Record<string, number>) =>
    eventually(
      () => `the calls are ${statuses.join(", ")}`,
      async () => {
        for (const task of working) await task.run(worker);
        statuses = await Promise.all(ids.map(async (id) => (await api.get(`/v1/calls/${id}`)).body.status));
        return Object.entries(wanted).every(([status, count]) => statuses.filter((one) => one === status).length === count);
      },
      { everyMs: 10 },
    );
  await until({ ringing: 5 });
  expect([statuses.filter((status) => status === "queued").length, carrier.calls.length]).toEqual([1, 5]);
  await carrier.end(carrier.calls[0] as CarriedCall, "busy");
  await until({ busy: 1, ringing: 5 });
  for (const call of carrier.calls.slice(1)) await carrier.end(call, "busy");
  await until({ busy: 6 });
  expect([carrier.calls.length, carrier.faults]).toEqual([6, []]);
  for (const task of working) await task.finish?.(worker);
});

test("a call is hung up once the carrier's API works again, however long it didn't", async () => {
  const ends = () => carrier.requests.filter((one) => one === "POST /Calls/CA.json completed").length;
  const { call } = await happen(
    { actions: [{ verb: "pause", length: 1 }, { verb: "hangup" }] },
    // The callee stays on the line.
    { become: (carried, at) => at.report(carried, "in-progress").then(() => undefined), isAway: () => ends() < 23 },
    { pace: 1_000 },
  );
  expect([call.status, call.hangup_by, call.error, ends()]).toEqual(["completed", "caller", null, 23]);
});

test("a call that its carrier no longer has when it is hung up ends, and its channel is free again", async () => {
  const { call } = await happen(
    { actions: [{ verb: "pause", length: 1 }, { verb: "hangup" }] },
    {
      become: async (carried, at) => {
        await at.report(carried, "in-progress");
        at.calls.length = 0;
      },
    },
    { pace: 1_000 },
  );
  expect([call.status, call.error, world.accounts()]).toMatchObject([
    "completed",
    { code: "outcome_unknown", message: "The carrier no longer has the call." },
    [{ name: "main", channels: 5, calls: 0 }],
  ]);
});

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
