import { expect, test } from "vitest";
import { correlation } from "#providers/voice/sip/testing/scripted-peer.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { expectGather, gathers } from "#test/support/twilio/gathers.ts";
import { wavOf } from "#test/support/twilio/voice-media.ts";
import { chirp, pickUp, ring, voiceWorld } from "#test/support/twilio/voice-world.ts";

const world = await voiceWorld();
const { app, carrier, numbers, shop, happen } = world;
const { from, to } = numbers;

const likeness = (samples: readonly number[], ...texts: string[]) => correlation(texts.flatMap(chirp), samples, 400);
const pin = { verb: "gather", name: "pin", num_digits: 4, timeout: 5, actions: [{ verb: "say", text: "Your PIN, please." }] };

test("a LIVE call is placed over HTTP, speaks, gathers keys, sends keys, is recorded, and ends once", async () => {
  const { call, events, recordings } = await happen(
    { actions: [pin, { verb: "dtmf", digits: "1W2" }, { verb: "say", text: "Thank you." }], record: "dual", timeout: 20, time_limit: 90 },
    { become: pickUp, press: () => "1234" },
  );
  const carried = carrier.last();
  expect(Object.fromEntries(carried.form)).toMatchObject({
    To: to,
    From: from,
    Method: "POST",
    Timeout: "20",
    TimeLimit: "90",
    Record: "true",
    RecordingChannels: "dual",
  });
  expect(carried.form.getAll("StatusCallbackEvent")).toEqual(["initiated", "ringing", "answered", "completed"]);
  expect(call).toMatchObject({
    status: "completed",
    provider: "http:main",
    sip_code: 200,
    hangup_by: "caller",
    error: null,
    gathered: { pin: "1234" },
    digits: "1234",
  });
  expect(call).toMatchObject({ answered_by: "unknown", duration: 3 });
  expect(events).toEqual(["queued", "initiated", "ringing", "in_progress", "gathered", "recording_ready", "completed"]);
  expect(call.steps.map(({ verb }: { verb: string }) => verb)).toEqual(["say", "gather", "dtmf", "say"]);
  expect(carried.documents[0]).toContain('<Gather input="dtmf" numDigits="4" timeout="5" finishOnKey="#"');
  expect(likeness(carried.samples, "Your PIN, please.", "Thank you.")).toBeGreaterThan(0.999);
  expect(carried.keys).toBe("1ww2");
  expect(recordings).toMatchObject([{ source: "call", channels: 2 }]);
  const { pathname, search } = new URL(recordings[0].url);
  const played = await (await app.server()).inject({ method: "GET", url: `${pathname}${search}` });
  expect(played.rawPayload.equals(wavOf(carried.samples, 2))).toBe(true);
  expect(carrier.deletedRecordings).toEqual([carried.recordings[0]?.sid]);
  expect(carrier.requests.filter((one) => one.startsWith("POST"))).toEqual(["POST /Calls.json", "POST /Calls/CA.json completed"]);
});

test.each(gathers.slice(0, 3))("a gather ends $how", (given) => expectGather(world, given));

test("what a callee says for a record verb is stored, also if they hang up during it, and remains at the carrier if requested", async () => {
  const recording = wavOf(chirp("I would like a table."), 1);
  const record = { verb: "record", max_length: 20 };
  for (const [say, bytes] of [
    [recording, 4_000],
    [null, 4],
  ] as const) {
    const { call, recordings } = await happen(
      { actions: [record] },
      { become: pickUp, say: () => say },
      { settings: "&delete_recordings=0" },
    );
    expect([call.status, call.hangup_by]).toEqual(["completed", say === null ? "callee" : "caller"]);
    expect(recordings).toMatchObject([{ source: "verb", channels: 1, size_bytes: bytes + 58 }]);
    expect(carrier.deletedRecordings).toEqual([]);
    expect(carrier.last().documents[0]).toContain('<Record maxLength="20" timeout="20" finishOnKey="#" playBeep="false"');
  }
});

test.each([
  ["before it is answered", ring, "canceled", ["canceled"]],
  ["after it was answered", pickUp, "completed", ["completed"]],
] as const)("a call is hung up through the API %s", async (_when, then, status, updates) => {
  let isHungUp = false;
  const { call } = await happen(
    { actions: [{ verb: "pause", length: 60 }] },
    { become: then },
    {
      async react(id) {
        // The carrier knows it first.
        const { body } = await app.api(shop().key).get(`/v1/calls/${id}`);
        if (isHungUp || body.status !== (then === ring ? "ringing" : "in_progress")) return;
        isHungUp = true;
        expect((await app.api(shop().key).post(`/v1/calls/${id}/hangup`)).status).toBe(200);
      },
    },
  );
  expect(call).toMatchObject({ status, hangup_by: "caller", error: null });
  expect(carrier.requests.filter((one) => one.startsWith("POST /Calls/"))).toEqual(updates.map((one) => `POST /Calls/CA.json ${one}`));
});

test("a carrier that sends no callbacks is queried, and one that detects who answers is believed", async () => {
  carrier.isSilent = true;
  const { call, events } = await happen(
    { actions: [{ verb: "pause", length: 60 }] },
    {
      become: async (carried, at) => {
        carried.answeredBy = "machine_start";
        const answered = at.answer(carried);
        await eventually(
          "it is answered",
          async () => (await app.api(shop().key).get("/v1/calls?limit=1")).body.data[0].status === "in_progress",
        );
        at.pass(3_000);
        carried.status = "completed";
        await answered;
      },
    },
    { settings: "&amd=1" },
  );
  expect(carrier.last().form.get("MachineDetection")).toBe("Enable");
  expect(call).toMatchObject({ status: "completed", answered_by: "machine", hangup_by: "callee", duration: 3 });
  expect(events).toEqual(["queued", "initiated", "in_progress", "completed"]);
});
