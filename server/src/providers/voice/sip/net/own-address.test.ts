import { tmpdir } from "node:os";
import { beforeEach, expect, test } from "vitest";
import { UserAgent } from "../agent/user-agent.ts";
import { dialWith, trunkOf } from "../testing/dialled.ts";
import { type Script, ScriptedPeer } from "../testing/scripted-peer.ts";
import { SimulatedWorld } from "../testing/simulated-world.ts";

const place = { address: "10.0.0.2", port: 5_060 };

let world: SimulatedWorld;
/** This machine's address; null: there is no route. */
let address: string | null;
let agent: UserAgent;

beforeEach(async () => {
  world = new SimulatedWorld();
  address = "10.0.0.1";
  const localAddressTo = async () => {
    if (address === null) throw new Error("ENETUNREACH");
    return address;
  };
  const listen = [{ transport: "UDP" as const, address: "0.0.0.0", port: 5_060, tls: null }];
  agent = new UserAgent(
    { ...world.surroundings(), localAddressTo },
    { trunks: [trunkOf()], listen, publicAddress: null, rtpPorts: [20_000, 20_999], recordings: tmpdir() },
    () => undefined,
  );
  await agent.open();
});

test("the own address is looked up again after a failure and after a minute, and the last one counts while there is no route", async () => {
  const peer = new ScriptedPeer(world, place, (message, at) => {
    if (message.method === "INVITE") at.reply(message, "486 Busy Here");
  });
  const call = async () => {
    const reports = dialWith(agent);
    await world.until(() => reports.ends.length > 0);
    await world.pass(61_000);
    const contact = peer.all("INVITE").at(-1)?.lines("Contact")[0] ?? "";
    return [reports.ends[0]?.status, /@([\d.]+)/.exec(contact)?.[1]];
  };
  address = null;
  expect(await call()).toEqual(["failed", undefined]);
  address = "10.0.0.1";
  expect(await call()).toEqual(["busy", "10.0.0.1"]);
  address = "10.0.0.9";
  expect(await call()).toEqual(["busy", "10.0.0.9"]);
  address = null;
  expect(await call()).toEqual(["busy", "10.0.0.9"]);
});

test("an answer that can't be acknowledged yet, because there is no route to its proxy, is acknowledged when it is repeated", async () => {
  const acks: string[] = [];
  world.socket({ address: "10.0.0.7", port: 5_060 }, (bytes) => void acks.push(bytes.toString("latin1").split(" ")[0] ?? ""));
  const accept: Script = (message, at) => at.accept(message, ["Record-Route: <sip:10.0.0.7;lr>"]);
  new ScriptedPeer(world, place, (message, at) => {
    if (message.method !== "INVITE") return;
    address = null;
    accept(message, at);
    world.after(500, () => {
      address = "10.0.0.1";
      accept(message, at);
    });
  });
  const reports = dialWith(agent);
  await world.until(() => reports.answered.length > 0);
  await world.pass(400);
  expect(acks).toEqual([]);
  await world.pass(600);
  expect([acks, reports.ends]).toEqual([["ACK"], []]);
});
