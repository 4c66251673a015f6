import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { guardSurroundings } from "../net/guard-surroundings.ts";
import { usual } from "../testing/answered-call.ts";
import { callOf, own, trunkOf } from "../testing/dialled.ts";
import { type Script, ScriptedPeer } from "../testing/scripted-peer.ts";
import { SimulatedWorld } from "../testing/simulated-world.ts";
import { CallController } from "./call-controller.ts";
import type { Report } from "./messages.ts";

const place = { address: "10.0.0.2", port: 5_060 };

/** The calling thread's work, where reporting `failing` throws. */
async function openController(script: Script, failing: Report["type"]) {
  const world = new SimulatedWorld();
  const peer = new ScriptedPeer(world, place, script);
  const reports: Report[] = [];
  const listen = [{ transport: "UDP" as const, ...own, tls: null }];
  const controller = new CallController(
    world.surroundings(),
    { trunks: [trunkOf()], listen, publicAddress: null, rtpPorts: [20_000, 20_999], recordings: tmpdir() },
    (report) => {
      if (report.type === failing) throw new Error(`no ${failing}`);
      reports.push(report);
    },
  );
  await controller.open();
  const all = (type: Report["type"]) => reports.filter((report) => report.type === type);
  const dial = (id: number) => controller.run({ do: "dial", id, call: callOf({ call_id: `call_${id}` }) });
  return { world, peer, controller, all, dial };
}

test("an error in a call's audio ends that call only, and is reported", async () => {
  const { world, peer, controller, all, dial } = await openController(usual, "heard");
  for (const id of [1, 2]) dial(id);
  await world.until(() => all("answered").length === 2);
  controller.run({ do: "hear", id: 1, isOn: true });
  // It goes to the first call.
  peer.speak(Buffer.alloc(160, 0xff));
  await world.pass(1_000);
  expect(all("ended")).toMatchObject([{ id: 1, end: { status: "completed", hangup_by: "transport" } }]);
  expect(all("error")).toMatchObject([{ message: expect.stringContaining("no heard") }]);
  peer.rtp.length = 0;
  await world.pass(200);
  expect(peer.rtp.length).toBeGreaterThan(5);
  expect(all("ended")).toHaveLength(1);
});

test("an error in the handling of a message drops that message, and is reported at most once in ten seconds", async () => {
  const { world, all, dial } = await openController((message, at) => {
    if (message.method === "INVITE") at.reply(message, "180 Ringing");
    usual(message, at);
  }, "ringing");
  for (const id of [1, 2]) dial(id);
  await world.until(() => all("answered").length === 2);
  expect(all("error")).toHaveLength(1);
  await world.pass(10_000);
  dial(3);
  await world.until(() => all("answered").length === 3);
  expect([all("error").length, all("ended")]).toEqual([2, []]);
});

test("an error in what an answer starts is reported, and its call can be hung up", async () => {
  const { world, controller, all, dial } = await openController(usual, "answered");
  dial(1);
  await world.until(() => all("error").length > 0);
  controller.run({ do: "hangUp", id: 1, by: "caller" });
  await world.until(() => all("ended").length > 0);
  expect(all("ended")).toMatchObject([{ id: 1, end: { status: "completed", hangup_by: "caller" } }]);
});

test("an error in what handles a packet, a connection or a timer is passed on, and the next one is handled", async () => {
  const world = new SimulatedWorld();
  const errors: unknown[] = [];
  const handled: string[] = [];
  const around = guardSurroundings(world.surroundings(), (error) => void errors.push(error));
  const handle = (bytes: Buffer) => {
    if (bytes.toString() === "bad") throw new Error("bad");
    handled.push(bytes.toString());
  };
  (await around.openUdp(own)).onMessage(handle);
  const socket = world.socket(place, () => undefined);
  await around.listen({ ...own, tls: null }, (stream) => stream.onData(handle));
  const stream = await world.surroundings().connect({ ...own, servername: null });
  for (const text of ["bad", "good"]) {
    socket.send(Buffer.from(text), own);
    stream.write(Buffer.from(text));
    around.after(1, () => handle(Buffer.from(text)));
  }
  await world.pass(10);
  expect([handled, errors.length]).toEqual([["good", "good", "good"], 3]);
});
