import { expect, test } from "vitest";
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
