import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type CallReports, openAgent, trunkOf } from "../testing/dialled.ts";
import { type ReceivedMessage, type Script, ScriptedPeer } from "../testing/scripted-peer.ts";
import { SimulatedWorld } from "../testing/simulated-world.ts";

const one = { address: "10.0.0.2", port: 5_060 };
const two = { address: "10.0.0.3", port: 5_060 };
const ended = (reports: CallReports) => () => reports.ends.length > 0;
const accept: Script = (message, peer) => {
  if (message.method === "INVITE") peer.accept(message);
  if (message.method === "BYE" || message.method === "OPTIONS") peer.reply(message, "200 OK");
};
const refuse =
  (first: string, headers: string[] = []): Script =>
  (message, peer) => {
    if (message.method === "INVITE") peer.reply(message, first, { headers });
  };

/** Digest as RFC 7616 words it, apart from the code under test. */
function isRight(message: ReceivedMessage, { password, algorithm }: { password: string; algorithm: string }): boolean {
  const value = message.lines("Authorization")[0] ?? message.lines("Proxy-Authorization")[0] ?? "";
  const part = (name: string) => new RegExp(`\\b${name}="?([^",]*)`).exec(value)?.[1] ?? "";
  const hash = (text: string) =>
    createHash(algorithm === "MD5" ? "md5" : "sha256")
      .update(text)
      .digest("hex");
  const secret = hash(`${part("username")}:${part("realm")}:${password}`);
  const what = hash(`${message.method}:${part("uri")}`);
  return part("response") === hash([secret, part("nonce"), part("nc"), part("cnonce"), "auth", what].join(":"));
}

const challenge = (name: string, { nonce, algorithm, more = "" }: { nonce: string; algorithm: string; more?: string }) =>
  `${name}: Digest realm="trunk", nonce="${nonce}", qop="auth", algorithm=${algorithm}${more}`;

describe("digest", () => {
  test.each([
    ["401 Unauthorized", "WWW-Authenticate", "MD5"],
    ["401 Unauthorized", "WWW-Authenticate", "SHA-256"],
    ["407 Proxy Authentication Required", "Proxy-Authenticate", "MD5"],
    ["407 Proxy Authentication Required", "Proxy-Authenticate", "SHA-256"],
  ])("%s with %s %s: the right password calls, and its nonce is used again with the next count", async (first, name, algorithm) => {
    const world = new SimulatedWorld();
    const counts: string[] = [];
    const peer = new ScriptedPeer(world, one, (message, at) => {
      if (message.method === "ACK") return;
      if (!isRight(message, { password: "pw1", algorithm }))
        return at.reply(message, first, { headers: [challenge(name, { nonce: "n1", algorithm })] });
      counts.push(/nc=(\w+)/.exec(message.text)?.[1] ?? "");
      if (message.method === "INVITE") at.accept(message);
      else at.reply(message, "200 OK");
    });
    const agent = await openAgent(world, [trunkOf({ user: "u", password: "pw1" })]);
    const reports = agent.dial();
    await world.until(() => reports.answered.length > 0);
    reports.call.hangUp("caller");
    await world.pass(1_000);
    expect(reports.ends).toMatchObject([{ status: "completed" }]);
    expect(counts).toEqual(["00000001", "00000002"]);
    expect(new Set(peer.all("INVITE").map((message) => message.lines("CSeq")[0])).size).toBe(2);
    expect(peer.received.every(({ text }) => !text.includes("pw1"))).toBe(true);
  });

  test.each([
    ["the wrong password", { user: "u", password: "no" }],
    ["no user", {}],
  ])("with %s the call fails as trunk_auth, without retrying indefinitely", async (_what, account) => {
    const world = new SimulatedWorld();
    const peer = new ScriptedPeer(world, one, (message, at) => {
      const more = { headers: [challenge("Proxy-Authenticate", { nonce: `n${at.received.length}`, algorithm: "MD5" })] };
      if (message.method === "INVITE") at.reply(message, "407 Proxy Authentication Required", more);
    });
    const reports = (await openAgent(world, [trunkOf(account)])).dial();
    await world.until(ended(reports));
    expect(reports.ends).toMatchObject([{ status: "failed", sip_code: 407, error: { code: "trunk_auth" } }]);
    expect(peer.all("INVITE").length).toBeLessThanOrEqual(2);
  });

  test("a stale nonce is replaced, but not indefinitely", async () => {
    const world = new SimulatedWorld();
    let isFair = true;
    const peer = new ScriptedPeer(world, one, (message, at) => {
      if (message.method !== "INVITE") return;
      const isThird = at.all("INVITE").length === 3;
      if (isFair && isThird && isRight(message, { password: "pw1", algorithm: "MD5" })) return at.accept(message);
      at.reply(message, "401 Unauthorized", {
        headers: [challenge("WWW-Authenticate", { nonce: `n${at.received.length}`, algorithm: "MD5", more: ", stale=true" })],
      });
    });
    const agent = await openAgent(world, [trunkOf({ user: "u", password: "pw1" })]);
    const reports = agent.dial();
    await world.until(() => reports.answered.length > 0);
    isFair = false;
    const before = peer.all("INVITE").length;
    const other = agent.dial();
    await world.until(ended(other));
    expect(other.ends).toMatchObject([{ error: { code: "trunk_auth" } }]);
    expect(peer.all("INVITE").length - before).toBeLessThan(6);
  });
});

describe("failover", () => {
  const trunks = [trunkOf({ name: "first" }), trunkOf({ name: "second", host: two.address })];

  test.each([
    ["503", refuse("503 Service Unavailable")],
    ["500", refuse("500 Server Internal Error")],
    ["403", refuse("403 Forbidden")],
    ["silence", () => undefined],
  ])("if the first trunk answers %s, the second carries the call", async (_what, script: Script) => {
    const world = new SimulatedWorld();
    new ScriptedPeer(world, one, script);
    new ScriptedPeer(world, two, accept);
    const reports = (await openAgent(world, trunks)).dial();
    await world.until(() => reports.answered.length > 0);
    expect([reports.ends, reports.trunks]).toEqual([[], ["first", "second"]]);
  });

  test.each(["486 Busy Here", "404 Not Found", "480 Temporarily Unavailable", "603 Decline"])(
    "%s is the callee's answer, whatever other trunks there are",
    async (first) => {
      const world = new SimulatedWorld();
      new ScriptedPeer(world, one, refuse(first));
      const second = new ScriptedPeer(world, two, accept);
      const reports = (await openAgent(world, trunks)).dial();
      await world.until(ended(reports));
      expect([second.received.length, reports.trunks]).toEqual([0, ["first"]]);
    },
  );

  test("after it rang no other trunk rings as well", async () => {
    const world = new SimulatedWorld();
    new ScriptedPeer(world, one, (message, at) => {
      if (message.method === "INVITE") for (const first of ["180 Ringing", "503 Service Unavailable"]) at.reply(message, first);
    });
    const second = new ScriptedPeer(world, two, accept);
    const reports = (await openAgent(world, trunks)).dial();
    await world.until(ended(reports));
    expect([reports.ends.length, second.received.length]).toEqual([1, 0]);
  });

  test("a trunk that answers late, when another has the call, is hung up", async () => {
    const world = new SimulatedWorld();
    const late = new ScriptedPeer(world, one, (message, at) => {
      if (message.method === "INVITE" && at.all("INVITE").length === 1) world.after(12_000, () => at.accept(message));
      if (message.method === "BYE") at.reply(message, "200 OK");
    });
    new ScriptedPeer(world, two, accept);
    const reports = (await openAgent(world, trunks)).dial();
    await world.until(() => reports.answered.length > 0);
    await world.pass(20_000);
    expect([late.all("ACK").length, late.all("BYE").length, reports.answered.length, reports.ends.length]).toEqual([1, 1, 1, 0]);
  });

  test("a silent trunk isn't asked again once another has the call", async () => {
    const world = new SimulatedWorld();
    const silent = new ScriptedPeer(world, one, () => undefined);
    new ScriptedPeer(world, two, accept);
    const reports = (await openAgent(world, trunks)).dial();
    await world.until(() => reports.answered.length > 0);
    const before = silent.all("INVITE").length;
    await world.pass(25_000);
    expect([silent.all("INVITE").length, reports.ends]).toEqual([before, []]);
  });

  test("when every trunk refuses, the call fails once", async () => {
    const world = new SimulatedWorld();
    for (const at of [one, two]) new ScriptedPeer(world, at, refuse("503 Service Unavailable"));
    const reports = (await openAgent(world, trunks)).dial();
    await world.until(ended(reports));
    await world.pass(60_000);
    expect(reports.ends).toMatchObject([{ status: "failed", sip_code: 503, error: { code: "trunk_unreachable" } }]);
    expect(reports.trunks).toEqual(["first", "second"]);
  });

  test.each([
    ["a silent trunk", () => undefined, 1],
    ["its turn on the next trunk", refuse("500 Server Internal Error"), 4],
  ])("a phone rings for the whole timeout, however long the call waited for %s", async (_what, script: Script, calls) => {
    const world = new SimulatedWorld();
    new ScriptedPeer(world, one, script);
    new ScriptedPeer(world, two, (message, at) => {
      if (message.method === "INVITE") {
        at.reply(message, "180 Ringing");
        world.after(4_000, () => at.accept(message));
      } else accept(message, at);
    });
    const agent = await openAgent(world, [trunkOf({ name: "first" }), trunkOf({ name: "second", host: two.address, cps: 1 })]);
    const all = Array.from({ length: calls }, () => agent.dial({ ringMs: 5_000 }));
    await world.pass(15_000);
    expect(all.map(({ rang, answered, ends }) => [rang, answered.length, ends])).toEqual(all.map(() => [1, 1, []]));
  });

  test("a phone that isn't answered within the timeout is hung up then, measured from its own request", async () => {
    const world = new SimulatedWorld();
    new ScriptedPeer(world, one, () => undefined);
    const times: number[] = [];
    new ScriptedPeer(world, two, (message, at) => {
      times.push(world.now());
      if (message.method === "INVITE") at.reply(message, "180 Ringing");
      if (message.method === "CANCEL") for (const to of [message, at.invite]) if (to !== null) at.reply(to, "200 OK");
    });
    const reports = (await openAgent(world, trunks)).dial({ ringMs: 10_000 });
    await world.until(ended(reports));
    expect(reports.ends).toMatchObject([{ status: "no_answer" }]);
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBe(10_000);
  });

  test("addresses of one name are tried by the priority of their SRV records", async () => {
    const world = new SimulatedWorld();
    world.srvRecords = [
      { name: "b.example", port: 5_060, priority: 20, weight: 0 },
      { name: "a.example", port: 5_060, priority: 10, weight: 5 },
    ];
    world.hosts = new Map([
      ["a.example", [one.address]],
      ["b.example", [two.address]],
    ]);
    const first = new ScriptedPeer(world, one, refuse("503 Service Unavailable"));
    new ScriptedPeer(world, two, accept);
    const reports = (await openAgent(world, [trunkOf({ host: "sip.example", port: null })])).dial();
    await world.until(() => reports.answered.length > 0);
    expect(first.all("INVITE").length).toBeGreaterThan(0);
  });

  test("a name that leads nowhere is an unreachable trunk", async () => {
    const world = new SimulatedWorld();
    const reports = (await openAgent(world, [trunkOf({ host: "nowhere.example" })])).dial();
    await world.until(ended(reports));
    expect(reports.ends).toMatchObject([{ error: { code: "trunk_unreachable" } }]);
  });
});

describe("a trunk's state", () => {
  test("one that doesn't answer pings takes no calls until it does again", async () => {
    const world = new SimulatedWorld();
    let isThere = false;
    const peer = new ScriptedPeer(world, one, (message, at) => {
      if (isThere) accept(message, at);
    });
    const agent = await openAgent(world, [trunkOf({ ping: true })]);
    await world.until(() => agent.trunkFaults.length > 0);
    const reports = agent.dial();
    expect(reports.ends).toMatchObject([{ status: "failed", error: { code: "trunk_unreachable" } }]);
    expect([peer.all("INVITE"), reports.trunks]).toEqual([[], []]);
    isThere = true;
    await world.until(() => agent.trunkFaults.length > 1);
    expect(agent.trunkFaults).toEqual([
      ["main", "it doesn't respond"],
      ["main", null],
    ]);
    const other = agent.dial();
    await world.until(() => other.answered.length > 0);
  });

  test.each([
    ["20", 25_000],
    ["999999", 310_000],
  ])("a 503 with Retry-After %s pauses the trunk, at most five minutes", async (seconds, passed) => {
    const world = new SimulatedWorld();
    const peer = new ScriptedPeer(world, one, refuse("503 Service Unavailable", [`Retry-After: ${seconds}`]));
    const agent = await openAgent(world);
    for (const times of [1, 1]) {
      const reports = agent.dial();
      await world.until(ended(reports));
      expect(new Set(peer.all("INVITE").map((message) => message.lines("Call-ID")[0])).size).toBe(times);
    }
    expect(agent.trunkFaults).toEqual([["main", "it asked for a pause"]]);
    await world.pass(passed);
    expect(agent.trunkFaults.at(-1)).toEqual(["main", null]);
    const reports = agent.dial();
    await world.until(ended(reports));
    expect(new Set(peer.all("INVITE").map((message) => message.lines("Call-ID")[0])).size).toBe(2);
  });

  test.each([
    ["a country it takes", ["US"], true],
    ["a calling code it takes", ["1555"], true],
    ["another country", ["DE", "49"], false],
  ])("%s determines the call", async (_what, countries, isTaken) => {
    const world = new SimulatedWorld();
    new ScriptedPeer(world, one, accept);
    const reports = (await openAgent(world, [trunkOf({ countries })])).dial();
    await world.pass(1_000);
    expect([reports.answered.length, reports.ends[0]?.error?.code]).toEqual(isTaken ? [1, undefined] : [0, "no_route"]);
  });
});
