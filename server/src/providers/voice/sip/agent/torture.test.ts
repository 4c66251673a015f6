import { describe, expect, test } from "vitest";
import { answeredCall } from "../testing/answered-call.ts";
import { openAgent, own } from "../testing/dialled.ts";
import torture from "../testing/rfc4475.json" with { type: "json" };
import { type ReceivedMessage, ScriptedPeer } from "../testing/scripted-peer.ts";
import { SimulatedWorld } from "../testing/simulated-world.ts";

const place = { address: "10.0.0.2", port: 5_060 };
const messages = Object.values(torture).map((text) => Buffer.from(text, "base64"));

/** Every message as it is, and with a few bytes changed, the same ones in every run. */
function* attacks(): Generator<Buffer> {
  let state = 11;
  const next = (count: number) => (state = (state * 48_271) % 2_147_483_647) % count;
  for (const message of messages) {
    yield message;
    for (let round = 0; round < 20; round += 1) {
      const damaged = Buffer.from(message);
      for (let bytes = 0; bytes < 4; bytes += 1) damaged[next(damaged.length)] = next(256);
      yield damaged;
    }
  }
}

test("torture messages, whole and damaged, neither disturb a call nor stop the agent", async () => {
  const world = new SimulatedWorld();
  const peer = new ScriptedPeer(world, place, (message, at) => {
    if (message.method === "INVITE") at.accept(message);
    if (message.method === "BYE") at.reply(message, "200 OK");
  });
  const agent = await openAgent(world);
  const reports = agent.dial();
  await world.until(() => reports.answered.length > 0);
  for (const message of attacks()) peer.send(message, own);
  await world.pass(5_000);
  expect(reports.ends).toEqual([]);
  reports.call.hangUp("caller");
  await world.until(() => reports.ends.length > 0);
  await world.pass(60_000);
  expect(reports.ends).toMatchObject([{ status: "completed", hangup_by: "caller" }]);
});

test.each(["constructor", "__proto__"])("a header named %s is one like any other", async (name) => {
  const world = new SimulatedWorld();
  const peer = new ScriptedPeer(world, place, (message, at) => {
    if (message.method === "INVITE") at.accept(message, [`${name}: x`]);
  });
  const reports = (await openAgent(world)).dial();
  await world.until(() => reports.answered.length > 0);
  peer.request("OPTIONS", { seq: 1, headers: [`${name}: x`] });
  await world.pass(10);
  expect(peer.received.at(-1)?.first).toBe("SIP/2.0 200 OK");
  expect(reports.ends).toEqual([]);
});

describe("a port that nothing can be sent to", () => {
  test.each([
    ["RTCP on port 0", (sdp: string) => `${sdp}a=rtcp:0\r\n`],
    ["RTCP above all ports", (sdp: string) => `${sdp}a=rtcp:99999\r\n`],
    ["audio on the last port, which leaves none for RTCP", (sdp: string) => sdp.replace(/m=audio \d+/, "m=audio 65535")],
  ])("as an answer has it, %s, stops no call", async (_what, change) => {
    const { world, reports } = await answeredCall((message, at) => {
      if (message.method === "INVITE") at.reply(message, "200 OK", { body: change(at.sdp) });
      if (message.method === "BYE") at.reply(message, "200 OK");
    });
    await world.pass(11_000);
    expect(reports.ends).toEqual([]);
    reports.call.hangUp("caller");
    await world.pass(1_000);
    expect(reports.ends).toMatchObject([{ status: "completed", hangup_by: "caller" }]);
  });

  test.each([0, 65_535])("as the source of a call's first audio, %i, stops no call", async (port) => {
    const { world, peer, reports } = await answeredCall();
    peer.speak(Buffer.alloc(160, 0xff), { from: world.socket({ address: place.address, port }, () => undefined) });
    await world.pass(11_000);
    expect(reports.ends).toEqual([]);
  });

  test("as the source of a request is not responded to, and calls continue", async () => {
    const { world, peer, reports } = await answeredCall();
    const forged = world.socket({ address: "10.6.6.6", port: 0 }, () => undefined);
    const lines = [
      ...["OPTIONS sip:x@10.0.0.1 SIP/2.0", "Via: SIP/2.0/UDP 10.6.6.6;branch=z9hG4bKzero;rport", "From: <sip:s@s>;tag=1"],
      ...["To: <sip:x@y>", "Call-ID: zero", "CSeq: 1 OPTIONS", "Content-Length: 0"],
    ];
    forged.send(Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), own);
    await world.pass(100);
    peer.request("OPTIONS", { seq: 1 });
    await world.pass(100);
    expect([reports.ends, peer.received.at(-1)?.first]).toEqual([[], "SIP/2.0 200 OK"]);
  });
});

/** Answers to an INVITE that no honest peer gives. */
const broken: [string, (message: ReceivedMessage, peer: ScriptedPeer) => void][] = [
  ["no Via", (message, at) => at.send(`SIP/2.0 200 OK\r\nCSeq: ${message.lines("CSeq")[0]}\r\n\r\n`, message.from)],
  [
    "a second Via above ours",
    (message, at) => at.send(asAnswer(message, "200 OK").replace("Via:", "Via: SIP/2.0/UDP evil;branch=z9hG4bKevil\r\nVia:"), message.from),
  ],
  [
    "a second Via in one line",
    (message, at) => at.send(asAnswer(message, "200 OK").replace("Via:", "Via: SIP/2.0/UDP evil;branch=z9hG4bKevil,"), message.from),
  ],
  [
    "a second Via below ours",
    (message, at) =>
      at.send(asAnswer(message, "200 OK").replace("From:", "Via: SIP/2.0/UDP evil;branch=z9hG4bKevil\r\nFrom:"), message.from),
  ],
  [
    "another branch",
    (message, at) => at.send(asAnswer(message, "486 Busy Here").replace(/branch=\w+/, "branch=z9hG4bKother"), message.from),
  ],
  ["another method", (message, at) => at.send(asAnswer(message, "486 Busy Here").replace(/(CSeq: \d+) \w+/, "$1 BYE"), message.from)],
  ["a status beyond all", (message, at) => at.send(asAnswer(message, "4294967301 Wrong"), message.from)],
  [
    "a number beyond all",
    (message, at) => at.send(asAnswer(message, "486 Busy Here").replace(/CSeq: \d+/, "CSeq: 9292394834772304023312"), message.from),
  ],
  [
    "less body than it says",
    (message, at) => at.send(asAnswer(message, "200 OK").replace("Content-Length: 0", "Content-Length: 900"), message.from),
  ],
  ["nothing but noise", (message, at) => at.send(Buffer.alloc(500, 0xfe), message.from)],
];

test.each(broken)("an answer with %s is ignored, and the real one that follows is the outcome", async (_what, answer) => {
  const world = new SimulatedWorld();
  const peer = new ScriptedPeer(world, place, (message, at) => {
    if (message.method !== "INVITE") return;
    answer(message, at);
    world.after(100, () => at.reply(message, "486 Busy Here"));
  });
  const reports = (await openAgent(world)).dial();
  await world.until(() => reports.ends.length > 0);
  await world.pass(60_000);
  expect(reports.ends).toMatchObject([{ status: "busy" }]);
  expect(peer.all("BYE")).toHaveLength(0);
});

function asAnswer(message: ReceivedMessage, first: string): string {
  const echoed = ["Via", "From", "Call-ID", "CSeq"].map((name) => `${name}: ${message.lines(name)[0]}`);
  return [`SIP/2.0 ${first}`, ...echoed, `To: ${message.lines("To")[0]};tag=x`, "Content-Length: 0", "", ""].join("\r\n");
}
