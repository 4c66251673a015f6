import { describe, expect, test } from "vitest";
import { openAgent, trunkOf } from "../testing/dialled.ts";
import { type ReceivedMessage, type Script, ScriptedPeer } from "../testing/scripted-peer.ts";
import { SimulatedWorld } from "../testing/simulated-world.ts";

const one = { address: "10.0.0.2", port: 5_060 };
const two = { address: "10.0.0.3", port: 5_060 };
const accept: Script = (message, peer) => {
  if (message.method === "INVITE") peer.accept(message);
  if (message.method === "BYE" || message.method === "OPTIONS") peer.reply(message, "200 OK");
};

describe("registration", () => {
  const registrar =
    (granted: string, onRegister: (message: ReceivedMessage, at: ScriptedPeer) => boolean = () => true): Script =>
    (message, at) => {
      if (message.method !== "REGISTER") return accept(message, at);
      if (onRegister(message, at)) at.reply(message, "200 OK", { headers: [`Expires: ${granted}`] });
    };
  const trunk = trunkOf({ user: "u", password: "p", register: true });

  test("is refreshed before it lapses, and removed at the end", async () => {
    const world = new SimulatedWorld();
    const peer = new ScriptedPeer(world, one, registrar("60"));
    const agent = await openAgent(world, [trunk]);
    await world.pass(100_000);
    expect(peer.all("REGISTER")).toHaveLength(3);
    const closing = agent.agent.close();
    await world.pass(4_000);
    await closing;
    expect(peer.all("REGISTER").at(-1)?.lines("Expires")).toEqual(["0"]);
  });

  const foreign = "<sip:u@10.9.9.9:5060>;expires=3600";
  test.each([
    ["our own entry among others", [`Contact: ${foreign}, <sip:u@10.0.0.1:5060>;expires=60`, "Expires: 1800"], 45_000],
    ["the whole response if our entry has none", [`Contact: ${foreign}`, "Contact: <sip:u@10.0.0.1>", "Expires: 80"], 60_000],
    ["the entry that lapses first if none is ours", [`Contact: ${foreign}, <sip:u@203.0.113.9:33000>;expires=60`, "Expires: 1800"], 45_000],
    ["our request if the response has none", [`Contact: ${foreign}`], 225_000],
  ])("is refreshed at the time of %s", async (_what, headers, refreshMs) => {
    const world = new SimulatedWorld();
    const peer = new ScriptedPeer(world, one, (message, at) => at.reply(message, "200 OK", { headers }));
    await openAgent(world, [trunk]);
    await world.pass(refreshMs - 1_000);
    expect(peer.all("REGISTER")).toHaveLength(1);
    await world.pass(2_000);
    expect(peer.all("REGISTER")).toHaveLength(2);
  });

  test("behind address translation, our own entry counts among others that lapse sooner", async () => {
    const world = new SimulatedWorld();
    const others = ["<sip:u@10.9.9.9:5060>;expires=20", "<sip:u@203.0.113.9:5060>;expires=40"];
    const peer = new ScriptedPeer(world, one, (message, at) => {
      const seen = message.lines("Via").map((via) => via.replace(";rport", ";received=203.0.113.9;rport=33000"));
      const headers = [`Contact: ${others.join(", ")}`, "Contact: <sip:u@203.0.113.9:33000>;expires=240"];
      at.reply({ ...message, lines: (name) => (name === "Via" ? seen : message.lines(name)) }, "200 OK", { headers });
    });
    const { trunkFaults } = await openAgent(world, [trunk]);
    await world.pass(179_000);
    expect(peer.all("REGISTER")).toHaveLength(1);
    await world.pass(2_000);
    expect([peer.all("REGISTER").length, trunkFaults]).toEqual([2, []]);
  });

  test("requests at least the registrar's minimum time", async () => {
    const world = new SimulatedWorld();
    const peer = new ScriptedPeer(world, one, (message, at) => {
      const isShort = Number(message.lines("Expires")[0]) < 900;
      at.reply(message, isShort ? "423 Interval Too Brief" : "200 OK", { headers: isShort ? ["Min-Expires: 900"] : [] });
    });
    const agent = await openAgent(world, [trunk]);
    await world.until(() => agent.trunkFaults.length > 0 || peer.all("REGISTER").length > 1);
    expect(peer.all("REGISTER").at(-1)?.lines("Expires")).toEqual(["900"]);
  });

  const withTwoAddresses = () => {
    const world = new SimulatedWorld();
    world.srvRecords = [
      { name: "a.example", port: 5_060, priority: 10, weight: 0 },
      { name: "b.example", port: 5_060, priority: 20, weight: 0 },
    ];
    world.hosts = new Map([
      ["a.example", [one.address]],
      ["b.example", [two.address]],
    ]);
    return world;
  };

  const unusable: [string, Script][] = [
    ["is silent", () => undefined],
    ["has an error", (message, at) => at.reply(message, "503 Service Unavailable")],
  ];
  test.each(unusable)("goes to the next address of a trunk whose first one %s", async (_what, script) => {
    const world = withTwoAddresses();
    const first = new ScriptedPeer(world, one, script);
    const second = new ScriptedPeer(world, two, registrar("300"));
    const agent = await openAgent(world, [{ ...trunk, host: "sip.example", port: null }]);
    const line = agent.reserve();
    await world.until(() => line.isGranted === true, 20_000);
    expect([first.all("REGISTER").length > 0, second.all("REGISTER").length]).toEqual([true, 1]);
    expect([agent.trunkCalls.get("main"), agent.trunkFaults]).toEqual([1, []]);
  });

  test("at the second address is refreshed there, and removed there at the end, however silent the first one is", async () => {
    const world = withTwoAddresses();
    const first = new ScriptedPeer(world, one, () => undefined);
    const second = new ScriptedPeer(world, two, registrar("60"));
    const agent = await openAgent(world, [{ ...trunk, host: "sip.example", port: null }]);
    await world.until(() => second.all("REGISTER").length > 0, 20_000);
    const asked = first.all("REGISTER").length;
    await world.pass(100_000);
    expect([second.all("REGISTER").length, first.all("REGISTER").length, agent.trunkFaults]).toEqual([3, asked, []]);
    const closing = agent.agent.close();
    await world.pass(4_000);
    await closing;
    expect(second.all("REGISTER").at(-1)?.lines("Expires")).toEqual(["0"]);
    expect(first.all("REGISTER")).toHaveLength(asked);
  });

  test("that lapses while its refresh has no response leaves the trunk without calls at once", async () => {
    const world = new SimulatedWorld();
    let isSilent = false;
    const usual = registrar("60");
    new ScriptedPeer(world, one, (message, at) => (isSilent ? undefined : usual(message, at)));
    const agent = await openAgent(world, [trunk]);
    await world.pass(1_000);
    isSilent = true;
    await world.pass(58_000);
    expect(agent.trunkFaults).toEqual([]);
    await world.pass(2_000);
    expect(agent.trunkFaults).toEqual([["main", "its registration has lapsed"]]);
  });

  test("lasts as long as it was granted, though a refresh fails: until then the trunk takes calls", async () => {
    const world = new SimulatedWorld();
    let isDown = false;
    const usual = registrar("60");
    const peer = new ScriptedPeer(world, one, (message, at) => {
      if (isDown && message.method === "REGISTER") at.reply(message, "503 Service Unavailable");
      else usual(message, at);
    });
    const agent = await openAgent(world, [trunk]);
    await world.pass(1_000);
    isDown = true;
    await world.pass(50_000);
    expect([peer.all("REGISTER").length, agent.trunkFaults]).toEqual([2, []]);
    const reports = agent.dial();
    await world.until(() => reports.answered.length > 0, 1_000);
    await world.pass(15_000);
    expect(agent.trunkFaults).toEqual([["main", "it returned 503 Service Unavailable"]]);
    isDown = false;
    await world.pass(30_000);
    expect(agent.trunkFaults.at(-1)).toEqual(["main", null]);
  });

  test("a trunk that refuses it takes no calls, and is tried again", async () => {
    const world = new SimulatedWorld();
    const peer = new ScriptedPeer(world, one, (message, at) => at.reply(message, "403 Forbidden"));
    const agent = await openAgent(world, [trunk]);
    await world.until(() => agent.trunkFaults.length > 0);
    expect(agent.trunkFaults).toEqual([["main", "it returned 403 Forbidden"]]);
    expect(agent.dial().ends).toMatchObject([{ error: { code: "trunk_unreachable" } }]);
    await world.pass(40_000);
    expect(peer.all("REGISTER")).toHaveLength(2);
  });

  test("refused at length is explained to operators on one short line, and not at all to the call's merchant", async () => {
    const world = new SimulatedWorld();
    new ScriptedPeer(world, one, (message, at) =>
      at.reply(message, `403 Unpaid\u0000\u001b[31m ${"x".repeat(187)}😀${"y".repeat(10_000)}`),
    );
    const agent = await openAgent(world, [trunk]);
    await world.until(() => agent.trunkFaults.length > 0);
    expect(agent.trunkFaults).toEqual([["main", `it returned 403 Unpaid [31m ${"x".repeat(187)}\ufffd`]]);
    expect(agent.dial().ends).toMatchObject([{ error: { message: "The trunk main can't take calls right now." } }]);
  });
});
