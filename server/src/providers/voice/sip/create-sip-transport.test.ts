import { createSocket, type Socket } from "node:dgram";
import { readFile, unlink } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { CallEnd, CallLeg, CallTransport } from "#calls/index.ts";
import type { Command } from "./agent/messages.ts";
import type { EngineUser } from "./agent/start-thread.ts";
import { createSipTransport, type SipTransportOptions } from "./create-sip-transport.ts";
import { trunkOf } from "./testing/dialled.ts";
import { correlation, decodeMuLaw } from "./testing/scripted-peer.ts";

const call = {
  project_id: "prj_1",
  livemode: true,
  call_id: "call_1",
  from: "+15550100",
  to: "+15551230000",
  country: "US",
  ringMs: 60_000,
  limitMs: 600_000,
  record: "mono" as const,
};
const now = () => new Date("2026-11-20T00:00:00Z");
const [us, de, fr] = [
  { to: "+15551230000", country: "US" },
  { to: "+4915112345678", country: "DE" },
  { to: "+33612345678", country: "FR" },
];

interface CallReports {
  providers: string[];
  rang: Date[];
  leg: CallLeg | null;
  digits: string;
  ends: CallEnd[];
}

function dial(transport: CallTransport): CallReports & { hangUp(): void } {
  const reports: CallReports = { providers: [], rang: [], leg: null, digits: "", ends: [] };
  const dialled = transport.dial(call, {
    carriedBy: (provider) => void reports.providers.push(provider),
    ringing: (at) => void reports.rang.push(at),
    answered: (_at, leg) => void (reports.leg = leg),
    digit: (digit) => void (reports.digits += digit),
    ended: (end) => void reports.ends.push(end),
  });
  return Object.assign(reports, { hangUp: () => dialled.hangUp("caller") });
}

describe("over real sockets, from a separate thread", () => {
  let signalling: Socket;
  let media: Socket;
  let transport: CallTransport;
  const samples: number[] = [];
  const open = (socket: Socket) => new Promise<number>((resolve) => socket.bind(0, "127.0.0.1", () => resolve(socket.address().port)));

  // One thread for all, because each takes long to start.
  beforeAll(async () => {
    [signalling, media] = [createSocket("udp4"), createSocket("udp4")];
    const [port, mediaPort] = [await open(signalling), await open(media)];
    // Says back what it hears, digits too.
    media.on("message", (bytes, from) => {
      if (((bytes[1] ?? 0) & 0x7f) === 0) samples.push(...[...bytes.subarray(12)].map(decodeMuLaw));
      media.send(bytes, from.port, from.address);
    });
    signalling.on("message", (bytes, from) => {
      const text = bytes.toString("latin1");
      const echo = text.split("\r\n").filter((line) => /^(Via|From|Call-ID|CSeq):/i.test(line));
      const to = /^To: .*$/m.exec(text)?.[0] ?? "";
      const reply = (first: string, body = "") => {
        const lines = [
          `SIP/2.0 ${first}`,
          ...echo,
          to.includes("tag=") ? to : `${to};tag=p`,
          `Contact: <sip:p@127.0.0.1:${port}>`,
          "Content-Type: application/sdp",
          `Content-Length: ${body.length}`,
        ];
        signalling.send(`${lines.join("\r\n")}\r\n\r\n${body}`, from.port, from.address);
      };
      if (text.startsWith("INVITE")) {
        reply("180 Ringing");
        reply("200 OK", `v=0\r\nc=IN IP4 127.0.0.1\r\nm=audio ${mediaPort} RTP/AVP 0 101\r\na=rtpmap:101 telephone-event/8000\r\n`);
      } else if (!text.startsWith("ACK")) reply("200 OK");
    });
    transport = createSipTransport({
      trunks: [trunkOf({ host: "127.0.0.1", port })],
      listen: [{ transport: "UDP", address: "127.0.0.1", port: 0, tls: null }],
      publicAddress: null,
      rtpPorts: [23_000, 23_999],
      now,
    });
  });

  beforeEach(() => void (samples.length = 0));
  afterAll(async () => {
    await transport.close();
    signalling.close();
    media.close();
  });

  test("a call plays our speech, hears theirs, sends and gathers digits, is recorded, and ends once", async () => {
    const reports = dial(transport);
    await expect.poll(() => reports.leg !== null).toBe(true);
    const leg = reports.leg as CallLeg;
    const echoed: Buffer[] = [];
    const stop = leg.onAudio((pcm) => void echoed.push(pcm));
    const speech = Int16Array.from({ length: 4_000 }, (_, at) =>
      Math.round(9_000 * Math.sin((2 * Math.PI * (300 + at / 20) * at) / 8_000)),
    );
    const pcm = Buffer.from(speech.buffer);
    expect(await leg.play(pcm, new AbortController().signal)).toBe("played");
    await leg.sendDigits("1#", new AbortController().signal);
    await expect.poll(() => reports.digits).toBe("1#");
    stop();
    expect(correlation([...speech], samples, 8_000)).toBeGreaterThan(0.95);
    expect(new Set(echoed.map((one) => one.length))).toEqual(new Set([320]));
    leg.hangUp();
    const recording = (await leg.recording()) as { wav: string; channels: number; durationMs: number } | null;
    expect(reports.ends).toMatchObject([{ status: "completed", hangup_by: "caller" }]);
    const wav = await readFile(String(recording?.wav));
    await unlink(String(recording?.wav));
    expect([recording?.channels, wav.length - 58]).toEqual([1, ((recording?.durationMs ?? 0) / 1_000) * 8_000]);
    expect(reports.rang).toEqual([expect.any(Date)]);
  });

  test("speech that arrives in pieces is requested as needed, and stops at a signal", async () => {
    const reports = dial(transport);
    await expect.poll(() => reports.leg !== null).toBe(true);
    let pieces = 0;
    let isReturned = false;
    const endless = (async function* () {
      try {
        for (; pieces < 1_000; pieces += 1) yield Buffer.alloc(16_000);
      } finally {
        isReturned = true;
      }
    })();
    const abort = new AbortController();
    const playing = reports.leg?.play(endless, abort.signal);
    await expect.poll(() => pieces).toBeGreaterThan(1);
    abort.abort();
    expect(await playing).toBe("stopped");
    await expect.poll(() => isReturned).toBe(true);
    expect(pieces).toBeLessThan(100);
    expect(await reports.leg?.play(Buffer.alloc(100), abort.signal)).toBe("stopped");
    reports.hangUp();
    const recording = await reports.leg?.recording();
    if (recording) await unlink(String(recording.wav));
  });

  test("closing hangs up what is in progress", async () => {
    const reports = dial(transport);
    await expect.poll(() => reports.leg !== null).toBe(true);
    await transport.close();
    expect(reports.ends).toMatchObject([{ status: "completed" }]);
    const late = dial(transport);
    expect(late.ends).toMatchObject([{ status: "failed", error: { code: "transport_lost" } }]);
  });
});

describe("the calling thread", () => {
  const engines: { commands: Command[]; user: EngineUser }[] = [];
  const optionsOf = (more: Partial<SipTransportOptions> = {}): SipTransportOptions => ({
    trunks: [trunkOf({ countries: ["US"], channels: 3 }), trunkOf({ name: "other", countries: ["49"], channels: 4 })],
    listen: [],
    publicAddress: null,
    rtpPorts: [20_000, 20_999],
    now,
    start: (_options, user) => {
      const engine = { commands: [] as Command[], user };
      engines.push(engine);
      return { now: () => 5_000, post: (command) => void engine.commands.push(command), end: async () => undefined };
    },
    ...more,
  });
  const newest = () => engines.at(-1) as (typeof engines)[number];

  test("that is lost ends its calls once each, and another takes the next ones", async () => {
    const faults: string[] = [];
    const transport = createSipTransport(optionsOf({ onFault: (message) => void faults.push(message), restartMs: 10 }));
    const first = newest();
    const reports = dial(transport);
    first.user.report({ type: "answered", id: 1, at: 4_000 });
    const playing = reports.leg?.play(Buffer.alloc(320), new AbortController().signal);
    first.user.lost("out of memory");
    first.user.lost("it ended with code 1");
    first.user.report({
      type: "ended",
      id: 1,
      end: { status: "busy", sip_code: 486, reason: null, hangup_by: null, error: null },
      at: 5_000,
    });
    expect([await playing, await reports.leg?.recording()]).toEqual(["stopped", null]);
    expect(reports.ends).toMatchObject([{ status: "failed", error: { code: "transport_lost" } }]);
    expect(faults).toEqual(["The calling thread was lost: out of memory"]);
    await expect.poll(() => newest() !== first).toBe(true);
    dial(transport);
    expect(newest().commands).toMatchObject([{ do: "dial" }]);
  });

  test("reports when something happened, even if the report is late", () => {
    const transport = createSipTransport(optionsOf());
    const reports = dial(transport);
    newest().user.report({ type: "ringing", id: 1, at: 3_500 });
    expect(reports.rang).toEqual([new Date("2026-11-19T23:59:58.500Z")]);
  });

  test("reports which trunk has a call, also after it has moved to another", () => {
    const reports = dial(createSipTransport(optionsOf()));
    for (const trunk of ["main", "other"]) newest().user.report({ type: "carriedBy", id: 1, trunk });
    expect(reports.providers).toEqual(["sip:main", "sip:other"]);
  });

  test("shows each trunk's state, and none as usable while nothing listens", async () => {
    const lines: [string, string | null][] = [];
    const transport = createSipTransport(optionsOf({ onTrunk: (name, fault) => void lines.push([name, fault]) }));
    const fault = "SIP is not listening";
    expect(transport.isOpen).toBe(false);
    expect(transport.trunks()).toEqual([
      { name: "main", channels: 3, calls: 0, started: 0, failed: 0, fault },
      { name: "other", channels: 4, calls: 0, started: 0, failed: 0, fault },
    ]);
    const report = (state: { name: string; fault: string | null; calls: number }) =>
      newest().user.report({ type: "trunk", state: { started: 0, failed: 0, nextTurn: 0, ...state } });
    newest().user.report({ type: "open" });
    expect(transport.isOpen).toBe(true);
    report({ name: "main", fault: null, calls: 1 });
    report({ name: "other", fault: "it doesn't respond", calls: 0 });
    report({ name: "other", fault: "it doesn't respond", calls: 1 });
    expect(transport.trunks()).toMatchObject([
      { calls: 1, fault: null },
      { calls: 1, fault: "it doesn't respond" },
    ]);
    report({ name: "other", fault: null, calls: 1 });
    expect(lines).toEqual([
      ["other", "it doesn't respond"],
      ["other", null],
    ]);
    newest().user.lost("out of memory");
    expect(transport.isOpen).toBe(false);
    expect(transport.trunks()).toMatchObject([
      { calls: 0, fault },
      { calls: 0, fault },
    ]);
  });

  test("a line is requested before a call is dialed, and what isn't needed is given back", async () => {
    const transport = createSipTransport(optionsOf());
    const { user, commands } = newest();
    const reserve = (signal = new AbortController().signal) => transport.reserve(call, signal);
    expect(await reserve()).toBeNull();
    user.report({ type: "open" });
    const [first, second, third] = [reserve(), reserve(), reserve()];
    for (const [id, isGranted] of [
      [1, true],
      [2, false],
      [3, true],
    ] as const)
      user.report({ type: "reserved", id, isGranted, trunk: isGranted ? "main" : null });
    expect(await second).toBeNull();
    expect((await first)?.name).toBe("sip:main");
    (await third)?.release();
    (await first)?.dial(call, { carriedBy() {}, ringing() {}, answered() {}, digit() {}, ended() {} });
    const abort = new AbortController();
    const fourth = reserve(abort.signal);
    abort.abort();
    expect(await fourth).toBeNull();
    // Its grant arrives too late.
    user.report({ type: "reserved", id: 4, isGranted: true, trunk: "main" });
    const did = commands.map((command) => `${command.do} ${"id" in command ? command.id : ""}`);
    expect(did).toEqual(["reserve 1", "reserve 2", "reserve 3", "release 3", "dial 1", "reserve 4", "release 4"]);
  });

  test("that is lost leaves calls without a line, and one with a line ends as lost", async () => {
    const transport = createSipTransport(optionsOf());
    const { user, commands } = newest();
    user.report({ type: "open" });
    const [held, waiting] = [1, 2].map(() => transport.reserve(call, new AbortController().signal));
    user.report({ type: "reserved", id: 1, isGranted: true, trunk: "main" });
    const line = await held;
    user.lost("out of memory");
    const ends: CallEnd[] = [];
    line?.dial(call, { carriedBy() {}, ringing() {}, answered() {}, digit() {}, ended: (end) => void ends.push(end) });
    expect([await waiting, ends, commands.length]).toMatchObject([null, [{ error: { code: "transport_lost" } }], 2]);
  });

  test("as many calls count as free as its trunks report", () => {
    const transport = createSipTransport(optionsOf());
    newest().user.report({ type: "trunk", state: { name: "main", fault: null, calls: 2, nextTurn: 0, started: 2, failed: 0 } });
    const takeFree = transport.countFree();
    expect([us, us, de].map(takeFree)).toEqual([true, false, true]);
  });

  test("the transport has the channels of its trunks and reaches what one of them reaches", () => {
    const transport = createSipTransport(optionsOf());
    expect([transport.channels, transport.takes(us), transport.takes(de), transport.takes(fr)]).toEqual([7, true, true, false]);
    expect(createSipTransport(optionsOf({ trunks: [trunkOf({ countries: null })] })).takes(fr)).toBe(true);
  });
});
