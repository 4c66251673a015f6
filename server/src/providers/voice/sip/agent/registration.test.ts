import { describe, expect, test } from "vitest";
import { openAgent, trunkOf } from "../testing/dialled.ts";
import { type ReceivedMessage, type Script, ScriptedPeer } from "../testing/scripted-peer.ts";
import { SimulatedWorld } from "../testing/simulated-world.ts";

const one = { address: "10.0.0.2", port: 5_060 };
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
});
