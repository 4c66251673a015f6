import { beforeEach, describe, expect, test } from "vitest";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { callRoom, completed, type HandTransport, handTransport } from "#test/support/messages/calls.ts";
import { hangUpCall } from "../change/hang-up-call.ts";
import { expireCalls } from "../change/maintain-calls.ts";
import { rescheduleCall } from "../change/reschedule-call.ts";
import { joinTransports } from "../routing/join-transports.ts";
import type { CallRow } from "../shapes.ts";
import { silentSpeech } from "../simulator/create-simulator.ts";
import type { CallLine } from "../transport.ts";
import type { Caller } from "./create-caller.ts";
import { reviveCalls } from "./revive-calls.ts";

const app = await testApp();
const room = callRoom(app);
const { ctx } = room;
const quietMs = 600_000;

/** A transport whose lines a test grants. */
interface LineTransport extends HandTransport {
  /** How many lines it counts as free. */
  free: number;
  /** Calls that wait for a line. */
  asked: { to: string; decide(isGranted: boolean): void }[];
  /** How many lines were given back undialed. */
  released: number;
}

function lineTransport(): LineTransport {
  const transport: LineTransport = {
    ...handTransport(ctx),
    free: 100,
    asked: [],
    released: 0,
    countFree() {
      let { free } = transport;
      return () => free-- > 0;
    },
    async reserve(call, signal) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      transport.asked.push({ to: call.to, decide: resolve });
      signal.addEventListener("abort", () => resolve(false));
      const release = () => void (transport.released += 1);
      const line: CallLine = { name: "hand", release, dial: (one, handlers) => transport.dial(one, handlers) };
      return (await promise) ? line : null;
    },
  };
  return transport;
}

let shop: TestTenant;
let lines: LineTransport;
let caller: Caller;
beforeEach(async () => {
  app.clock.advance(quietMs);
  await expireCalls(ctx);
  shop = await app.tenant();
  lines = lineTransport();
  caller = room.process({ routes: { test: { transport: lines, speech: silentSpeech } } });
});

async function run(by = caller): Promise<void> {
  await by.run(ctx);
  await room.quiet();
}
const decide = async (isGranted: boolean) => {
  lines.asked.at(-1)?.decide(isGranted);
  await room.quiet();
};
const stateOf = async (call: CallRow) => {
  const { status, state, attempts, provider } = await room.find(call);
  return [status, state, attempts, provider];
};

describe("a call that no line is free for", () => {
  test("returns to the queue as if it had never left it, while others behind it are placed, and is placed later, once", async () => {
    const call = await room.place(shop, { expires_in: 3_600 });
    await run();
    const behind = await room.place(shop, { to: "+15005559998", expires_in: 3_600 });
    await decide(false);
    await run();
    expect(await stateOf(call)).toEqual(["queued", "due", 0, null]);
    await decide(true);
    expect([await stateOf(behind), lines.dialed.map((one) => one.call.call_id)]).toEqual([["initiated", "leased", 1, "hand"], [behind.id]]);
    // It isn't asked about again and again.
    for (let round = 0; round < 3; round += 1) await run();
    expect(lines.asked.map(({ to }) => to)).toEqual([call.to_number, behind.to_number]);
    app.clock.advance(2_000);
    await run();
    await decide(true);
    expect(await stateOf(call)).toEqual(["initiated", "leased", 1, "hand"]);
    for (const { handlers } of lines.dialed) handlers.ended(completed, ctx.now());
    await room.quiet();
    await run();
    app.clock.advance(60_000);
    await run();
    expect([lines.asked.length, lines.dialed.length, await room.eventsOf(call)]).toEqual([3, 2, ["queued", "initiated", "failed"]]);
  });

  test("can still be rescheduled, and expires if there never is one", async () => {
    const [first, second] = [await room.place(shop, { expires_in: 60 }), await room.place(shop, { expires_in: 60 })];
    lines.free = 2;
    await run();
    for (const { decide } of lines.asked) decide(false);
    await room.quiet();
    await run();
    const later = new Date(ctx.now().getTime() + 3_600_000);
    expect(await rescheduleCall(ctx, shop, { id: second.id, scheduled_at: later })).toMatchObject({ status: "scheduled" });
    app.clock.advance(60_000);
    await expireCalls(ctx);
    expect(await room.find(first)).toMatchObject({ status: "failed", error: { code: "expired" }, started_at: null, provider: null });
    expect(await room.find(second)).toMatchObject({ status: "scheduled" });
    await hangUpCall(ctx, shop, { id: second.id });
  });
});

describe("a hang-up of a call that waits for its line", () => {
  test("ends the wait, and nothing is dialed", async () => {
    const call = await room.place(shop);
    await run();
    await hangUpCall(ctx, shop, { id: call.id });
    await caller.watch(ctx);
    await room.quiet();
    await run();
    expect(await room.find(call)).toMatchObject({ status: "canceled", hangup_by: "caller", started_at: null });
    expect([lines.dialed, await room.eventsOf(call)]).toEqual([[], ["queued", "canceled"]]);
  });

  test("isn't forgotten if the line is granted or refused at the same moment", async () => {
    for (const isGranted of [true, false]) {
      const call = await room.place(shop);
      await run();
      await hangUpCall(ctx, shop, { id: call.id });
      await decide(isGranted);
      await run();
      expect([isGranted, (await room.find(call)).status]).toEqual([isGranted, "canceled"]);
    }
    expect([lines.dialed, lines.released]).toEqual([[], 1]);
  });

  test("isn't forgotten if the process is lost", async () => {
    const call = await room.place(shop);
    await run();
    await hangUpCall(ctx, shop, { id: call.id });
    app.clock.advance(46_000);
    await reviveCalls(ctx);
    expect(await room.find(call)).toMatchObject({ status: "canceled", hangup_by: "caller" });
    await decide(true);
    expect([lines.dialed, lines.released]).toEqual([[], 1]);
  });
});

test("a process that stops releases calls that wait for their line, and another one places them", async () => {
  const call = await room.place(shop);
  await run();
  await caller.finish(ctx);
  expect(await stateOf(call)).toEqual(["queued", "due", 0, null]);
  await decide(true);
  expect(lines.dialed).toEqual([]);
  const hand = handTransport(ctx);
  await run(room.process({ routes: { test: { transport: hand, speech: silentSpeech } } }));
  expect(hand.dialed.map((one) => one.call.call_id)).toEqual([call.id]);
});

test("if fewer lines are free than calls wait, nothing else is claimed, and projects take turns", async () => {
  const other = await app.tenant();
  const calls: CallRow[] = [];
  for (let one = 0; one < 4; one += 1) calls.push(await room.place(shop));
  calls.push(await room.place(other), await room.place(other));
  const projects: string[] = [];
  lines.free = 1;
  for (let turn = 0; turn < 4; turn += 1) {
    // One round at the end of a pass over all partitions may find none.
    for (let round = 0; round < 2 && lines.asked.length === turn; round += 1) await run();
    const leased = (await Promise.all(calls.map(room.find))).filter(({ state, status }) => state === "leased" && status === "queued");
    expect(leased).toHaveLength(1);
    projects.push(leased[0]?.project_id ?? "");
    await decide(true);
  }
  expect(projects.filter((project) => project === other.project_id)).toHaveLength(2);
  lines.free = 0;
  for (let round = 0; round < 3; round += 1) await run();
  expect(lines.asked).toHaveLength(4);
});

test("calls that wait for a full transport keep no call waiting that another transport has a line for", async () => {
  const serving = (prefix: string, channels: number): HandTransport => {
    const transport = handTransport(ctx, channels);
    transport.takes = ({ to }) => to.startsWith(prefix);
    transport.countFree = () => {
      let free = channels - transport.dialed.length;
      return () => free-- > 0;
    };
    return transport;
  };
  const [full, other] = [serving("+1415555", 1), serving("+1212555", 2)];
  // More than one look behind the first ones finds.
  for (let n = 0; n < 130; n += 1) await room.place(shop, { to: `+1415555${2_000 + n}`, expires_in: 3_600 });
  const last = [
    await room.place(shop, { to: "+12125552671", expires_in: 3_600 }),
    await room.place(shop, { to: "+12125552672", expires_in: 3_600 }),
  ];
  const both = room.process({ routes: { test: { transport: joinTransports([full, other]), speech: silentSpeech } } });
  for (let round = 0; round < 4; round += 1) await run(both);
  expect(full.dialed).toHaveLength(1);
  expect(other.dialed.map(({ call }) => call.call_id).sort()).toEqual(last.map(({ id }) => id).sort());
});
