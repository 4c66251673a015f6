import { expect, test } from "vitest";
import { openAgent, type Reservation, trunkOf } from "../testing/dialled.ts";
import { type Script, ScriptedPeer } from "../testing/scripted-peer.ts";
import { SimulatedWorld } from "../testing/simulated-world.ts";
import { countFree } from "../trunk/count-free.ts";

const one = { address: "10.0.0.2", port: 5_060 };
const two = { address: "10.0.0.3", port: 5_060 };
const accept: Script = (message, peer) => {
  if (message.method === "INVITE") peer.accept(message);
  if (message.method === "BYE") peer.reply(message, "200 OK");
};
const granted = (lines: readonly Reservation[]) => lines.map(({ isGranted }) => isGranted);

test("calls get their line at the trunk's pace, and one whose turn is more than two seconds away gets none", async () => {
  const world = new SimulatedWorld();
  const startTimes: number[] = [];
  const peer = new ScriptedPeer(world, one, (message, at) => {
    if (message.method === "INVITE") startTimes.push(world.now());
    accept(message, at);
  });
  const agent = await openAgent(world, [trunkOf({ cps: 2 })]);
  const lines = Array.from({ length: 7 }, () => agent.reserve());
  await world.pass(0);
  expect(granted(lines)).toEqual([true, null, null, null, null, false, false]);
  const dialled = new Set<Reservation>();
  for (let step = 0; step < 25; step += 1) {
    for (const line of lines.filter((each) => each.isGranted === true && !dialled.has(each))) {
      dialled.add(line);
      line.dial();
    }
    await world.pass(100);
  }
  expect([granted(lines).filter(Boolean).length, peer.all("INVITE").length]).toEqual([5, 5]);
  expect(startTimes.map((at) => Math.round((at - (startTimes[0] ?? 0)) / 100) * 100)).toEqual([0, 500, 1_000, 1_500, 2_000]);
});

test("a trunk's channels are never exceeded, and a line that is given back or whose call has ended is free again", async () => {
  const world = new SimulatedWorld();
  new ScriptedPeer(world, one, accept);
  const agent = await openAgent(world, [trunkOf({ channels: 2 })]);
  const lines = [agent.reserve(), agent.reserve(), agent.reserve()];
  await world.pass(100);
  expect([granted(lines), agent.trunkCalls.get("main")]).toEqual([[true, true, false], 2]);
  const reports = lines[0]?.dial();
  await world.until(() => reports?.answered.length === 1);
  lines[1]?.release();
  lines[1]?.release();
  expect(agent.trunkCalls.get("main")).toBe(1);
  reports?.call.hangUp("caller");
  expect(agent.trunkCalls.get("main")).toBe(0);
});

test("a call takes the first usable trunk with a free channel, and the others if that one refuses", async () => {
  const world = new SimulatedWorld();
  new ScriptedPeer(world, one, accept);
  const second = new ScriptedPeer(world, two, (message, at) => {
    if (message.method === "INVITE") at.reply(message, "503 Service Unavailable");
  });
  const agent = await openAgent(world, [trunkOf({ name: "first", channels: 1 }), trunkOf({ name: "second", host: two.address })]);
  const [held, other] = [agent.reserve(), agent.reserve()];
  await world.pass(100);
  expect([granted([held, other]), agent.trunkCalls.get("first"), agent.trunkCalls.get("second")]).toEqual([[true, true], 1, 1]);
  held.release();
  const reports = other.dial();
  await world.until(() => reports.answered.length > 0);
  expect(second.all("INVITE")).toHaveLength(1);
});

test("calls that one trunk refused take their turns on the next, which never carries more than its channels", async () => {
  const world = new SimulatedWorld();
  const startTimes: number[] = [];
  new ScriptedPeer(world, one, (message, at) => {
    if (message.method === "INVITE") at.reply(message, "500 Server Internal Error");
  });
  new ScriptedPeer(world, two, (message, at) => {
    if (message.method === "INVITE") startTimes.push(world.now());
    accept(message, at);
  });
  const agent = await openAgent(world, [trunkOf({ name: "first" }), trunkOf({ name: "second", host: two.address, channels: 2, cps: 1 })]);
  const lines = [1, 2, 3].map(() => agent.reserve());
  await world.pass(100);
  const reports = lines.map((line) => line.dial());
  await world.pass(5_000);
  expect(startTimes.map((at) => Math.round((at - (startTimes[0] ?? 0)) / 100) * 100)).toEqual([0, 1_000]);
  expect(reports.map(({ ends }) => ends[0]?.error?.code)).toEqual([undefined, undefined, "trunk_unreachable"]);
});

test("a call that no trunk can take doesn't wait: dialing says why", async () => {
  const world = new SimulatedWorld();
  const agent = await openAgent(world, [trunkOf({ countries: ["DE"], ping: true })]);
  await world.until(() => agent.trunkFaults.length > 0);
  const lines = [agent.reserve(), agent.reserve({ to: "+4915112345678", country: "DE" })];
  await world.pass(100);
  expect(granted(lines)).toEqual([true, true]);
  const ends = lines.map((line) => line.dial().ends[0]?.error?.code);
  expect(ends).toEqual(["no_route", "trunk_unreachable"]);
});

test("as many calls count as free as channels and pace allow, each on the first trunk that takes it", () => {
  const state = { fault: null, calls: 0, nextTurn: 0 };
  const take = (trunks: Parameters<typeof countFree>[0], countries: string[]) => {
    const takeFree = countFree(trunks, 10_000);
    return countries.map((country) => takeFree({ to: country === "DE" ? "+4915112345678" : "+14155552671", country }));
  };
  const [us, any] = [
    { countries: ["US"], channels: 3, cps: 100 },
    { countries: null, channels: 30, cps: 1 },
  ];
  const full = { config: us, state: { ...state, calls: 2 } };
  // One channel and three turns are left: now, in one second and in two.
  expect(take([full, { config: any, state }], ["US", "US", "DE", "US", "DE"])).toEqual([true, true, true, true, false]);
  expect(take([{ config: any, state: { ...state, nextTurn: 11_500 } }], ["US", "US"])).toEqual([true, false]);
  expect(take([{ config: any, state: { ...state, nextTurn: 12_001 } }], ["US"])).toEqual([false]);
  expect(take([{ config: any, state: undefined }], ["US"])).toEqual([true]);
  // Where none is usable, dialing says why.
  const down = { config: any, state: { ...state, fault: "it doesn't respond" } };
  expect(take([down, full], ["US", "US", "DE"])).toEqual([true, false, true]);
  // A trunk for a prefix isn't counted for the other numbers of its country.
  const jamaica = { config: { countries: ["1876"], channels: 30, cps: 100 }, state };
  expect(take([jamaica, full], ["US", "US"])).toEqual([true, false]);
});
