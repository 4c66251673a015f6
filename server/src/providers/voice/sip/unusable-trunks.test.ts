import { expect, test } from "vitest";
import { type CallLine, type CallTransport, joinTransports } from "#calls/index.ts";
import { CallController } from "./agent/call-controller.ts";
import type { StartEngine } from "./agent/start-thread.ts";
import { createSipTransport } from "./create-sip-transport.ts";
import { callOf, own, trunkOf } from "./testing/dialled.ts";
import { SimulatedWorld } from "./testing/simulated-world.ts";

const call = { project_id: "prj_1", livemode: true, ...callOf({}) };
const http: CallTransport = {
  ...{ name: "http", channels: 2, isOpen: true, takes: () => true },
  dial: () => ({ hangUp: () => undefined }),
  close: async () => undefined,
};

/** Runs the calling thread's work in a simulated world. */
function startIn(world: SimulatedWorld): StartEngine {
  return (options, user) => {
    const controller = new CallController(world.surroundings(), options, (report) => user.report(report));
    void controller.open();
    return { now: () => world.now(), post: (command) => controller.run(command), end: async () => undefined };
  };
}

test.each([
  ["doesn't respond to pings", trunkOf({ ping: true })],
  ["isn't registered yet, and won't be", trunkOf({ register: true, user: "u", password: "p" })],
  ["only serves other numbers of the country", trunkOf({ countries: ["1876"] })],
])("a call whose trunk %s is placed by the other transport, and the trunk's line is marked", async (_what, trunk) => {
  const world = new SimulatedWorld();
  const listen = [{ transport: "UDP" as const, ...own, tls: null }];
  const now = () => new Date("2026-11-20T00:00:00Z");
  const sip = createSipTransport({ trunks: [trunk], listen, publicAddress: null, rtpPorts: [20_000, 20_999], now, start: startIn(world) });
  await world.pass(20_000);
  const lines: (CallLine | null)[] = [];
  const { signal } = new AbortController();
  for (const reserving of [joinTransports([sip, http]).reserve?.(call, signal), sip.reserve(call, signal)])
    void reserving?.then((line) => void lines.push(line));
  await world.until(() => lines.length === 2, 60_000);
  expect(new Set(lines.map((line) => `${line?.name} ${line?.isUnusable ?? false}`))).toEqual(new Set(["http false", "sip true"]));
});
