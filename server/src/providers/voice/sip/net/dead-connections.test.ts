import { beforeEach, describe, expect, test } from "vitest";
import { openAgent, own, trunkOf } from "../testing/dialled.ts";
import { SimulatedWorld } from "../testing/simulated-world.ts";
import type { ByteStream } from "./surroundings.ts";

const place = { address: "10.0.0.2", port: 5_060 };

/** A connection as the trunk has it. */
interface Opened {
  stream: ByteStream;
  /** What arrived over it. */
  received: string[];
  isClosed: boolean;
}

let world: SimulatedWorld;
let connections: Opened[];
/** Connections that the trunk has forgotten: nothing tells us. */
let dead: Set<Opened>;

beforeEach(() => {
  world = new SimulatedWorld();
  connections = [];
  dead = new Set();
  world.serve(place, (stream) => {
    const opened: Opened = { stream, received: [], isClosed: false };
    connections.push(opened);
    stream.onClose(() => void (opened.isClosed = true));
    stream.onData((bytes) => {
      const text = bytes.toString("latin1");
      opened.received.push(text);
      if (!dead.has(opened) && !text.startsWith("ACK") && !text.startsWith("SIP")) stream.write(Buffer.from(answerTo(text)));
    });
  });
});

/** The trunk's callees only listen, so no audio is missed. */
function answerTo(request: string): string {
  const echoed = request.split("\r\n").filter((line) => /^(Via|From|Call-ID|CSeq):/i.test(line));
  const to = /^To: [^\r]*/m.exec(request)?.[0] ?? "";
  const body = request.startsWith("INVITE")
    ? `v=0\r\nc=IN IP4 ${place.address}\r\nm=audio 9000 RTP/AVP 0 101\r\na=rtpmap:101 telephone-event/8000\r\na=recvonly\r\n`
    : "";
  const lines = ["SIP/2.0 200 OK", ...echoed, to.includes("tag=") ? to : `${to};tag=p`, `Contact: <sip:p@${place.address};transport=tcp>`];
  return `${[...lines, "Content-Type: application/sdp", `Content-Length: ${body.length}`].join("\r\n")}\r\n\r\n${body}`;
}

const trunk = (more: Parameters<typeof trunkOf>[0] = {}) => trunkOf({ transport: "TCP", ...more });
const methods = (opened: Opened) => opened.received.map((text) => text.split(" ")[0]);
const [first, second] = [() => connections[0] as Opened, () => connections[1] as Opened];

describe("a connection that the trunk has lost without a word", () => {
  test("is replaced after a ping without a response, and closed once nothing more arrives over it", async () => {
    const agent = await openAgent(world, [trunk({ ping: true })]);
    await world.pass(31_000);
    expect([connections.length, agent.trunkFaults]).toEqual([1, []]);
    dead.add(first());
    await world.until(() => agent.trunkFaults.length === 2, 60_000);
    expect(agent.trunkFaults).toEqual([
      ["main", "it doesn't respond"],
      ["main", null],
    ]);
    const reports = agent.dial();
    await world.until(() => reports.answered.length > 0, 1_000);
    expect([connections.length, first().isClosed, methods(second()).includes("INVITE")]).toEqual([2, false, true]);
    await world.pass(200_000);
    expect([first().isClosed, second().isClosed, connections.length]).toEqual([true, false, 2]);
  });

  test.each([
    ["after 32 seconds", [trunk()], "failed"],
    ["as soon as another trunk gets the call", [trunk(), trunkOf({ name: "other", host: "10.0.0.3" })], "silent"],
  ])("is replaced after an INVITE without a response, %s", async (_when, trunks, what) => {
    const agent = await openAgent(world, trunks);
    const before = agent.dial({ ringMs: 60_000 });
    await world.until(() => before.answered.length > 0);
    dead.add(first());
    const lost = agent.dial({ ringMs: 60_000 });
    if (what === "failed") {
      await world.until(() => lost.ends.length > 0, 40_000);
      expect(lost.ends).toMatchObject([{ error: { code: "trunk_unreachable" } }]);
    } else await world.pass(9_000);
    const next = agent.dial();
    await world.until(() => next.answered.length > 0, 1_000);
    // The call in progress is hung up over the new connection.
    before.call.hangUp("caller");
    await world.pass(100);
    expect([connections.length, methods(second())]).toEqual([2, ["INVITE", "ACK", "BYE"]]);
  });

  test("keeps its calls while the trunk is only slow: what it sends over it still counts", async () => {
    const agent = await openAgent(world, [trunk({ ping: true })]);
    const reports = agent.dial();
    await world.until(() => reports.answered.length > 0);
    dead.add(first());
    await world.until(() => connections.length === 2, 120_000);
    const invite = first().received.find((text) => text.startsWith("INVITE")) ?? "";
    const fieldOf = (name: string) => new RegExp(`^${name}: ([^\\r]*)`, "m").exec(invite)?.[1];
    const request = (method: string, seq: number) => {
      const lines = [
        `${method} sip:tillpost@${own.address}:5060;transport=tcp SIP/2.0`,
        `Via: SIP/2.0/TCP ${place.address}:5060;branch=z9hG4bKpeer${seq}`,
        ...[`From: ${fieldOf("To")};tag=p`, `To: ${fieldOf("From")}`, `Call-ID: ${fieldOf("Call-ID")}`, `CSeq: ${seq} ${method}`],
        "Content-Length: 0",
      ];
      first().stream.write(Buffer.from(`${lines.join("\r\n")}\r\n\r\n`));
    };
    for (let seq = 1; seq < 4; seq += 1) {
      await world.pass(150_000);
      request("OPTIONS", seq);
    }
    await world.pass(10);
    expect(first().isClosed).toBe(false);
    request("BYE", 9);
    await world.until(() => reports.ends.length > 0, 1_000);
    expect(reports.ends).toMatchObject([{ status: "completed", hangup_by: "callee" }]);
  });
});
