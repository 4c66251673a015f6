import { describe, expect, test } from "vitest";
import { type CallReports, openAgent, trunkOf } from "../testing/dialled.ts";
import { type ReceivedMessage, type Script, ScriptedPeer } from "../testing/scripted-peer.ts";
import { SimulatedWorld } from "../testing/simulated-world.ts";

const place = { address: "10.0.0.2", port: 5_060 };

async function call(script: Script, more: Parameters<Awaited<ReturnType<typeof openAgent>>["dial"]>[0] = {}, trunk = trunkOf()) {
  const world = new SimulatedWorld();
  const peer = new ScriptedPeer(world, place, script);
  const agent = await openAgent(world, [trunk]);
  return { world, peer, agent, reports: agent.dial(more) };
}

const ended = (reports: CallReports) => () => reports.ends.length > 0;
const answers =
  (...firsts: string[]): Script =>
  (message, peer) => {
    if (message.method === "INVITE") for (const first of firsts) peer.reply(message, first);
    if (message.method === "BYE" || message.method === "CANCEL") peer.reply(message, "200 OK");
  };

describe("a final response is one outcome", () => {
  test.each([
    ["486 Busy Here", "", "busy", null],
    ["600 Busy Everywhere", "", "busy", null],
    ["408 Request Timeout", "", "no_answer", null],
    ["480 Temporarily Unavailable", "", "no_answer", null],
    ["480 Temporarily Unavailable", "Q.850;cause=17", "busy", null],
    ["487 Request Terminated", "", "no_answer", null],
    ["404 Not Found", "", "failed", "invalid_number"],
    ["410 Gone", "", "failed", "invalid_number"],
    ["484 Address Incomplete", "", "failed", "invalid_number"],
    ["604 Does Not Exist Anywhere", "", "failed", "invalid_number"],
    ["401 Unauthorized", "", "failed", "trunk_auth"],
    ["403 Forbidden", "", "failed", "trunk_auth"],
    ["407 Proxy Authentication Required", "", "failed", "trunk_auth"],
    ["500 Server Internal Error", "", "failed", "trunk_unreachable"],
    ["503 Service Unavailable", "", "failed", "trunk_unreachable"],
    ["503 Service Unavailable", 'Q.850;cause=17;text="User busy"', "busy", null],
    ["500 Server Internal Error", "Q.850;cause=1", "failed", "invalid_number"],
    ["603 Decline", "", "failed", "rejected"],
    ["488 Not Acceptable Here", "", "failed", "media_rejected"],
    ["302 Moved Temporarily", "", "failed", "carrier_rejected"],
    ["418 I'm a teapot", "", "failed", "carrier_rejected"],
  ])("%s (%s): %s %s", async (first, reason, status, code) => {
    const { world, peer, reports } = await call((message, at) => {
      if (message.method === "INVITE") at.reply(message, first, { headers: reason === "" ? [] : [`Reason: ${reason}`] });
    });
    await world.until(ended(reports));
    await world.pass(60_000);
    expect(reports.ends).toEqual([expect.objectContaining({ status, sip_code: Number(first.slice(0, 3)) })]);
    expect(reports.ends[0]?.error?.code ?? null).toBe(code);
    expect(peer.all("ACK").length).toBeGreaterThan(0);
  });
});

test("a call that is answered and hung up by us is completed, its BYE sent once if it gets a response", async () => {
  const { world, peer, reports } = await call((message, at) => {
    if (message.method === "INVITE") at.accept(message);
    if (message.method === "BYE") at.reply(message, "200 OK");
  });
  await world.until(() => reports.answered.length > 0);
  reports.call.hangUp("caller");
  await world.pass(60_000);
  expect(reports.ends).toMatchObject([{ status: "completed", hangup_by: "caller", error: null }]);
  expect([peer.all("ACK").length, peer.all("BYE").length]).toEqual([1, 1]);
});

test("a call that the callee hangs up is completed, with what the network reported about it", async () => {
  const { world, peer, reports } = await call((message, at) => {
    if (message.method === "INVITE") at.accept(message);
  });
  await world.until(() => reports.answered.length > 0);
  peer.request("BYE", { seq: 1, headers: ['Reason: Q.850;cause=16;text="Normal"'] });
  await world.until(ended(reports));
  expect(reports.ends).toMatchObject([{ status: "completed", hangup_by: "callee", reason: "Q.850 cause 16; Normal" }]);
  await world.pass(10);
  expect(peer.received.filter(({ first }) => first === "SIP/2.0 200 OK")).toHaveLength(1);
});

test("a call ends at its limit", async () => {
  const { world, reports } = await call(
    (message, at) => {
      if (message.method === "INVITE") at.accept(message);
      if (message.method === "BYE") at.reply(message, "200 OK");
    },
    { limitMs: 20_000 },
  );
  await world.until(ended(reports));
  expect(reports.ends).toMatchObject([{ status: "completed", hangup_by: "limit" }]);
});

test("a callee who lets it ring is canceled and didn't answer", async () => {
  const { world, peer, reports } = await call(
    (message, at) => {
      if (message.method === "INVITE") at.reply(message, "180 Ringing");
      if (message.method !== "CANCEL") return;
      at.reply(message, "200 OK");
      at.reply(at.invite as ReceivedMessage, "487 Request Terminated");
    },
    { ringMs: 10_000 },
  );
  await world.until(ended(reports));
  await world.pass(60_000);
  expect(reports).toMatchObject({ rang: 1, ends: [{ status: "no_answer", sip_code: 487, hangup_by: null }] });
  expect([peer.all("CANCEL").length, peer.all("ACK").length]).toEqual([1, 1]);
});

test("a call that the caller cancels while it rings is canceled, also if the peer never confirms it", async () => {
  const { world, reports } = await call((message, at) => {
    if (message.method === "INVITE") at.reply(message, "180 Ringing");
  });
  await world.until(() => reports.rang > 0);
  reports.call.hangUp("caller");
  reports.call.hangUp("caller");
  await world.until(ended(reports));
  await world.pass(60_000);
  expect(reports.ends).toMatchObject([{ status: "canceled", hangup_by: "caller" }]);
});

test("a call canceled before the peer responded is canceled once it does", async () => {
  const { world, peer, reports } = await call((message, at) => {
    if (message.method === "INVITE") at.world.after(2_000, () => at.reply(message, "100 Trying"));
    if (message.method === "CANCEL") at.reply(at.invite as ReceivedMessage, "487 Request Terminated");
  });
  await world.until(() => peer.all("INVITE").length > 0);
  reports.call.hangUp("caller");
  await world.pass(1_500);
  expect(peer.all("CANCEL")).toHaveLength(0);
  await world.until(ended(reports));
  expect(reports.ends).toMatchObject([{ status: "canceled", sip_code: 487 }]);
});

test("a call that rang out leaves nothing behind, also if the peer never confirms it", async () => {
  const script: Script = (message, at) => (message.method === "INVITE" ? at.reply(message, "180 Ringing") : undefined);
  const { world, agent, reports } = await call(script, { ringMs: 10_000 });
  await world.until(ended(reports));
  await world.pass(60_000);
  const { transactions } = agent.agent as unknown as { transactions: { clients: Map<string, unknown> } };
  expect([reports.ends.length, transactions.clients.size]).toEqual([1, 0]);
});

test("a call canceled before any response isn't requested again", async () => {
  const { world, peer, reports } = await call(() => undefined);
  await world.pass(1_000);
  reports.call.hangUp("caller");
  const before = peer.all("INVITE").length;
  await world.until(ended(reports));
  await world.pass(60_000);
  expect([before > 0, peer.all("INVITE").length]).toEqual([true, before]);
  expect(reports.ends).toMatchObject([{ status: "canceled", hangup_by: "caller" }]);
});

test("an answer that crosses the CANCEL is acknowledged and hung up immediately, and isn't reported", async () => {
  const { world, peer, reports } = await call((message, at) => {
    if (message.method === "INVITE") at.reply(message, "180 Ringing");
    if (message.method === "CANCEL") {
      at.reply(message, "481 Call Does Not Exist");
      at.accept(at.invite as ReceivedMessage);
      at.accept(at.invite as ReceivedMessage);
    }
    if (message.method === "BYE") at.reply(message, "200 OK");
  });
  await world.until(() => reports.rang > 0);
  reports.call.hangUp("caller");
  await world.until(ended(reports));
  await world.pass(60_000);
  expect(reports).toMatchObject({ answered: [], ends: [{ status: "canceled" }] });
  expect(peer.all("ACK").length).toBe(2);
  expect(peer.all("BYE")).toHaveLength(1);
  expect(peer.rtp).toHaveLength(0);
});

test("a trunk that never responds is unreachable, not an unanswered call", async () => {
  for (const ringMs of [30_000, 60_000]) {
    const { world, reports } = await call(() => undefined, { ringMs });
    await world.until(ended(reports));
    expect(reports.ends).toMatchObject([{ status: "failed", sip_code: null, error: { code: "trunk_unreachable" } }]);
  }
});

test.each([
  ["no description", ""],
  ["no codec of ours", "v=0\r\nc=IN IP4 10.0.0.2\r\nm=audio 9 RTP/AVP 18\r\n"],
])("an answer with %s is hung up and failed", async (_what, body) => {
  const { world, peer, reports } = await call((message, at) => {
    if (message.method === "INVITE") at.reply(message, "200 OK", { body });
    if (message.method === "BYE") at.reply(message, "200 OK");
  });
  await world.until(ended(reports));
  await world.pass(10_000);
  expect(reports).toMatchObject({ answered: [], ends: [{ status: "failed", error: { code: "media_rejected" } }] });
  expect([peer.all("ACK").length, peer.all("BYE").length]).toEqual([1, 1]);
});

test("each branch of a forked call is acknowledged, and only the first is kept", async () => {
  const { world, peer, reports } = await call((message, at) => {
    if (message.method === "INVITE") for (const tag of ["one", "two"]) at.reply(message, "200 OK", { body: at.sdp, tag });
    if (message.method === "BYE") at.reply(message, "200 OK");
  });
  await world.until(() => reports.answered.length > 0);
  await world.pass(1_000);
  expect(peer.all("BYE").map((bye) => bye.lines("To")[0]?.endsWith("tag=two"))).toEqual([true]);
  expect([reports.ends.length, peer.all("ACK").length]).toEqual([0, 2]);
});

describe("lost packets", () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])("with a third of all datagrams lost a call still connects and ends (%i)", async (seed) => {
    const { world, reports, peer } = await call((message, at) => {
      // A peer repeats its answer until it is acknowledged.
      const repeat = () => {
        if (at.all("ACK").length > 0) return;
        at.accept(message);
        at.world.after(500, repeat);
      };
      if (message.method === "INVITE" && at.all("INVITE").length === 1) {
        at.reply(message, "180 Ringing");
        repeat();
      }
      if (message.method === "BYE") at.reply(message, "200 OK");
    });
    let state = seed;
    world.delivery = ({ to, from }) => {
      if (to.port > 10_000 || from.port > 10_000) return 0;
      state = (state * 48_271) % 2_147_483_647;
      return state % 10 < 3 ? "lost" : state % 40;
    };
    await world.until(() => reports.answered.length > 0);
    reports.call.hangUp("caller");
    await world.until(ended(reports));
    await world.pass(60_000);
    expect(reports.ends).toMatchObject([{ status: "completed", hangup_by: "caller" }]);
    expect(peer.all("BYE").length).toBeGreaterThan(0);
  });

  test("an answer whose ACK is lost is acknowledged again each time it arrives", async () => {
    const { world, peer, reports } = await call((message, at) => {
      if (message.method === "INVITE") at.accept(message);
    });
    await world.until(() => reports.answered.length > 0);
    for (let times = 0; times < 3; times += 1) peer.accept(peer.invite as ReceivedMessage);
    await world.pass(100);
    expect(peer.all("ACK")).toHaveLength(4);
    expect(reports.answered).toHaveLength(1);
  });

  test("an INVITE is sent again at the pace of the RFC, and abandoned after 32 seconds", async () => {
    const { world, peer, reports } = await call(() => undefined, { ringMs: 120_000 });
    const begin = world.now();
    await world.until(ended(reports));
    expect(peer.all("INVITE")).toHaveLength(7);
    expect(Math.round((world.now() - begin) / 100)).toBe(320);
  });
});

test.each([
  ["rings and is busy", answers("100 Trying", "180 Ringing", "180 Ringing", "486 Busy Here"), 1],
  [
    "sends early media",
    ((message, at) => {
      if (message.method === "INVITE") {
        at.reply(message, "183 Session Progress", { body: at.sdp });
        at.world.after(1_000, () => at.reply(message, "480 Temporarily Unavailable"));
      }
    }) as Script,
    1,
  ],
])("a peer that %s is reported as ringing once", async (_what, script, rang) => {
  const { world, reports } = await call(script);
  await world.until(ended(reports));
  expect(reports.rang).toBe(rang);
});

test("early media with an answer without a separate description is a call", async () => {
  const { world, peer, reports } = await call((message, at) => {
    if (message.method !== "INVITE") return;
    at.reply(message, "183 Session Progress", { body: at.sdp });
    at.world.after(1_000, () => at.reply(message, "200 OK"));
  });
  await world.until(() => reports.answered.length > 0);
  await world.pass(200);
  expect(peer.rtp.length).toBeGreaterThan(5);
});

test.each([
  ["no number", { to: "hello" }],
  ["an address of its own", { to: "+1555@evil.example" }],
  ["a header in the caller", { from: "+1555\r\nEvil: 1" }],
])("a call to %s is refused without a packet", async (_what, more) => {
  const { peer, reports } = await call(() => undefined, more);
  expect(reports.ends).toMatchObject([{ status: "failed", error: { code: "invalid_number" } }]);
  expect(peer.received).toHaveLength(0);
});
