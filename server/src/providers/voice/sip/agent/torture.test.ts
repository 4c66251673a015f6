import { expect, test } from "vitest";
import { openAgent, own } from "../testing/dialled.ts";
import torture from "../testing/rfc4475.json" with { type: "json" };
import { type Heard, ScriptedPeer } from "../testing/scripted-peer.ts";
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
  const peer = new ScriptedPeer(world, place, (heard, at) => {
    if (heard.method === "INVITE") at.accept(heard);
    if (heard.method === "BYE") at.reply(heard, "200 OK");
  });
  const desk = await openAgent(world);
  const told = desk.dial();
  await world.until(() => told.answered.length > 0);
  for (const message of attacks()) peer.send(message, own);
  await world.pass(5_000);
  expect(told.ends).toEqual([]);
  told.call.hangUp("caller");
  await world.until(() => told.ends.length > 0);
  await world.pass(60_000);
  expect(told.ends).toMatchObject([{ status: "completed", hangup_by: "caller" }]);
});

/** Answers to an INVITE that no honest peer gives. */
const broken: [string, (heard: Heard, peer: ScriptedPeer) => void][] = [
  ["no Via", (heard, at) => at.send(`SIP/2.0 200 OK\r\nCSeq: ${heard.lines("CSeq")[0]}\r\n\r\n`, heard.from)],
  [
    "a second Via above ours",
    (heard, at) => at.send(asAnswer(heard, "200 OK").replace("Via:", "Via: SIP/2.0/UDP evil;branch=z9hG4bKevil\r\nVia:"), heard.from),
  ],
  ["a second Via in one line", (heard, at) => at.send(asAnswer(heard, "200 OK").replace("Via:", "Via: SIP/2.0/UDP evil;branch=z9hG4bKevil,"), heard.from)],
  [
    "a second Via below ours",
    (heard, at) => at.send(asAnswer(heard, "200 OK").replace("From:", "Via: SIP/2.0/UDP evil;branch=z9hG4bKevil\r\nFrom:"), heard.from),
  ],
  ["another branch", (heard, at) => at.send(asAnswer(heard, "486 Busy Here").replace(/branch=\w+/, "branch=z9hG4bKother"), heard.from)],
  ["another method", (heard, at) => at.send(asAnswer(heard, "486 Busy Here").replace(/(CSeq: \d+) \w+/, "$1 BYE"), heard.from)],
  ["a status beyond all", (heard, at) => at.send(asAnswer(heard, "4294967301 Wrong"), heard.from)],
  ["a number beyond all", (heard, at) => at.send(asAnswer(heard, "486 Busy Here").replace(/CSeq: \d+/, "CSeq: 9292394834772304023312"), heard.from)],
  ["less body than it says", (heard, at) => at.send(asAnswer(heard, "200 OK").replace("Content-Length: 0", "Content-Length: 900"), heard.from)],
  ["nothing but noise", (heard, at) => at.send(Buffer.alloc(500, 0xfe), heard.from)],
];

test.each(broken)("an answer with %s is ignored, and the real one that follows is the outcome", async (_what, answer) => {
  const world = new SimulatedWorld();
  const peer = new ScriptedPeer(world, place, (heard, at) => {
    if (heard.method !== "INVITE") return;
    answer(heard, at);
    world.after(100, () => at.reply(heard, "486 Busy Here"));
  });
  const told = (await openAgent(world)).dial();
  await world.until(() => told.ends.length > 0);
  await world.pass(60_000);
  expect(told.ends).toMatchObject([{ status: "busy" }]);
  expect(peer.all("BYE")).toHaveLength(0);
});

function asAnswer(heard: Heard, first: string): string {
  const echoed = ["Via", "From", "Call-ID", "CSeq"].map((name) => `${name}: ${heard.lines(name)[0]}`);
  return [`SIP/2.0 ${first}`, ...echoed, `To: ${heard.lines("To")[0]};tag=x`, "Content-Length: 0", "", ""].join("\r\n");
}
