import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { callTasks } from "#calls/index.ts";
import { changeMerchant } from "#identity/index.ts";
import { assignNumber } from "#numbers/index.ts";
import { realGround } from "#providers/voice/sip/testing/real-ground.ts";
import {
  correlation,
  decodeMuLaw,
  press,
  type ReceivedMessage,
  type Script,
  ScriptedPeer,
} from "#providers/voice/sip/testing/scripted-peer.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { freePort } from "#test/support/network/free-port.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { readSettings } from "../config.ts";
import { hasCallRoute } from "./call-routes.ts";
import { openVoice, type Voice } from "./open-voice.ts";

const [from, to] = ["+14155552670", "+14155552671"];
const rate = 16_000;
/** What the speech server says, whatever the text: half a second that sounds like nothing else. */
const chirp = (samplesASecond: number) =>
  Array.from({ length: samplesASecond / 2 }, (_, at) =>
    Math.round(9_000 * Math.sin(2 * Math.PI * (300 + (200 * at) / samplesASecond) * (at / samplesASecond))),
  );

const app = await testApp({
  http: { perMinuteUnauthenticated: 100_000, tierLimits: ["free.calls=100000", "free.general=100000", "free.reads=100000"] },
  calls: { hasRoute: hasCallRoute({ SIP_TRUNKS: "sip://trunk.example?countries=1", VOICE_HTTP_URL: null }) },
});
const spoken: unknown[] = [];
const speech = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => void parts.push(part));
  request.on("end", () => {
    spoken.push(JSON.parse(Buffer.concat(parts).toString()));
    response.end(wavOf(chirp(rate)));
  });
});
let folder: string;
let shop: TestTenant;
let ground: Awaited<ReturnType<typeof realGround>>;
let peer: ScriptedPeer;
let script: Script;
let voice: Voice | null;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "live-call-"));
  await new Promise<void>((resolve) => void speech.listen(0, "127.0.0.1", resolve));
  shop = await app.tenant({ livemode: true });
  await changeMerchant(app.ctx, { merchant_id: shop.merchant_id, if_version: null, country: "US" });
  await assignNumber(app.ctx, { project_id: shop.project_id, value: from, channels: ["call"] });
  ground = await realGround();
  peer = new ScriptedPeer(ground, ground.at, (message, at) => script(message, at));
  const settings = readSettings({
    TILLPOST_DATA_DIR: folder,
    SIP_TRUNKS: ["main", "spare"].map((name) => `sip://127.0.0.1:${ground.at.port}?name=${name}&cps=100&ping=0&countries=1`).join(),
    SIP_LISTEN: `udp://127.0.0.1:${await freePort()}`,
    RTP_PORTS: "24000-24999",
    SPEECH: `http://127.0.0.1:${(speech.address() as AddressInfo).port}/say`,
  });
  voice = await openVoice({ settings, ctx: app.ctx });
});
beforeEach(() => {
  peer.invite = null;
  peer.received.length = 0;
  peer.rtp.length = 0;
});
afterAll(async () => {
  await voice?.close();
  ground.close();
  speech.close();
  await rm(folder, { recursive: true });
});

function wavOf(samples: readonly number[]): Buffer {
  const wav = Buffer.alloc(44 + samples.length * 2);
  wav.write("RIFF", 0);
  wav.writeUInt32LE(36 + samples.length * 2, 4);
  wav.write("WAVEfmt ", 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(rate, 24);
  wav.writeUInt32LE(rate * 2, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write("data", 36);
  wav.writeUInt32LE(samples.length * 2, 40);
  samples.forEach((sample, at) => void wav.writeInt16LE(sample, 44 + at * 2));
  return wav;
}

/** Asks the API for a call, and lets the process that makes calls work until it has ended. */
async function happen(fields: object, react: () => void = () => undefined) {
  const api = app.api(shop.key);
  const placed = await api.post("/v1/calls", { from, to, ...fields });
  expect([placed.status, placed.text]).toEqual([201, expect.stringContaining('"livemode":true')]);
  const path = `/v1/calls/${placed.body.id}`;
  const tasks = callTasks(voice ?? undefined).filter(({ name }) => ["place_calls", "watch_calls"].includes(name));
  let call = placed.body;
  await eventually(
    () => `the call ends: ${JSON.stringify(call)}`,
    async () => {
      for (const task of tasks) await task.run(app.ctx);
      react();
      call = (await api.get(path)).body;
      return call.ended_at !== null;
    },
    { everyMs: 20 },
  );
  for (const task of tasks) await task.finish?.(app.ctx);
  const events = (await api.get(`${path}/events`)).body.data.map(({ event }: { event: string }) => event.replace("call.", "")).reverse();
  return { call, events, recordings: (await api.get(`${path}/recordings`)).body.data };
}

/** Sound that the peer heard. */
const samples = () =>
  peer.rtp.filter(({ bytes }) => ((bytes[1] ?? 0) & 0x7f) === 0).flatMap(({ bytes }) => [...bytes.subarray(12)].map(decodeMuLaw));
const isLoud = (sample: number) => Math.abs(sample) > 1_000;
/** How alike the last that was said is to what the speech server says. */
const likeness = (samples: readonly number[]) =>
  correlation(chirp(8_000), samples.slice(0, samples.findLastIndex(isLoud) + 200).slice(-5_600), 1_600);

const answers: Script = (request, at) => {
  if (request.method === "INVITE") {
    at.reply(request, "180 Ringing");
    at.accept(request);
  } else if (request.method !== "ACK") at.reply(request, "200 OK");
};

test("a LIVE call leaves over the trunk, speaks, gathers keys, is recorded, and ends once", async () => {
  script = answers;
  let isPressed = false;
  const pin = { verb: "gather", name: "pin", num_digits: 4, timeout: 20, actions: [{ verb: "say", text: "Your PIN, please." }] };
  const { call, events, recordings } = await happen(
    { actions: [pin, { verb: "say", text: "Thank you.", language: "en-GB" }], record: true },
    () => {
      if (isPressed || samples().filter(isLoud).length < 2_000) return;
      isPressed = true;
      press(peer, "1234");
    },
  );
  expect(peer.all("INVITE")[0]?.first).toBe(`INVITE sip:${to}@127.0.0.1:${ground.at.port};user=phone SIP/2.0`);
  expect(peer.all("INVITE")[0]?.lines("From")[0]).toContain(`sip:${from}@127.0.0.1`);
  expect(call).toMatchObject({
    status: "completed",
    provider: "sip:main",
    sip_code: 200,
    hangup_by: "caller",
    error: null,
    gathered: { pin: "1234" },
    digits: "1234",
  });
  expect(events).toEqual(["queued", "initiated", "ringing", "in_progress", "gathered", "recording_ready", "completed"]);
  expect(spoken).toEqual([
    { text: "Your PIN, please.", voice: null, language: null, speed: 1 },
    { text: "Thank you.", voice: null, language: "en-GB", speed: 1 },
  ]);
  // The keys cut the first text off; the second was heard to its end.
  expect(likeness(samples())).toBeGreaterThan(0.95);
  expect(peer.all("BYE")).toHaveLength(1);
  expect(recordings).toMatchObject([{ source: "call", channels: 1 }]);
  const { pathname, search } = new URL(recordings[0].url);
  const played = await (await app.server()).inject({ method: "GET", url: `${pathname}${search}` });
  expect([played.statusCode, played.headers["content-type"]]).toEqual([200, "audio/wav"]);
  expect(likeness([...played.rawPayload.subarray(58)].map(decodeMuLaw))).toBeGreaterThan(0.95);
});

const refuse: Script = (request, at) => {
  if (request.method === "INVITE") at.reply(request, "503 Service Unavailable");
};

// How each response is classified is in the agent's own table.
test.each([
  ["486 Busy Here", "busy", null],
  ["404 Not Found", "failed", "invalid_number"],
])("a trunk that answers %s ends a LIVE call as %s", async (first, status, code) => {
  script = (request, at) => {
    if (request.method === "INVITE") at.reply(request, first);
  };
  const { call, events } = await happen({ text: "Hello." });
  expect(call).toMatchObject({ status, sip_code: Number(first.slice(0, 3)), answered_at: null, duration: null });
  expect(call.error).toEqual(code === null ? null : { code, message: expect.any(String), provider_code: first.slice(0, 3) });
  expect(events).toEqual(["queued", "initiated", status]);
});

test.each([
  ["carries it", answers, { status: "completed" }],
  ["refuses it as well", refuse, { status: "failed", error: { code: "trunk_unreachable" } }],
])("a LIVE call that its first trunk refuses, while the second %s, names the second", async (_name, second: Script, end) => {
  const callIdOf = (message?: ReceivedMessage) => message?.lines("Call-ID")[0];
  script = (request, at) => (callIdOf(request) === callIdOf(at.all("INVITE")[0]) ? refuse : second)(request, at);
  const { call } = await happen({ actions: [{ verb: "hangup" }] });
  expect(call).toMatchObject({ ...end, provider: "sip:spare" });
});

test("a LIVE call is hung up through the API during the call", async () => {
  script = answers;
  const api = app.api(shop.key);
  const hangUps: Promise<{ status: number }>[] = [];
  const hangUp = async () => {
    const [last] = (await api.get("/v1/calls?limit=1")).body.data;
    return api.post(`/v1/calls/${last.id}/hangup`);
  };
  const { call } = await happen({ actions: [{ verb: "pause", length: 60 }] }, () => {
    if (peer.all("ACK").length > 0 && hangUps.length === 0) hangUps.push(hangUp());
  });
  expect(await Promise.all(hangUps)).toMatchObject([{ status: 200 }]);
  expect(call).toMatchObject({ status: "completed", hangup_by: "caller", error: null });
  expect(peer.all("BYE")).toHaveLength(1);
});
