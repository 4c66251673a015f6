import { describe, expect, test } from "vitest";
import { atNow } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { callRoom } from "#test/support/messages/calls.ts";
import { prepareCall, writeSecretCall } from "../accept/create-call.ts";
import { clearCallTexts, releaseCalls } from "../change/maintain-calls.ts";

const app = await testApp();
const room = callRoom(app);
const shop = await app.tenant();

/** Places a call and lets it happen. */
async function happen(given: Parameters<typeof room.place>[1]) {
  const placed = await room.place(shop, given);
  await room.settle();
  return { call: await room.find(placed), events: await room.eventsOf(placed), data: await room.data(placed) };
}

const outcomes: [to: string, status: string, events: string, more: object][] = [
  [
    "+15005552000",
    "completed",
    "initiated ringing in_progress completed",
    { sip_code: 200, hangup_by: "caller", error: null, answered_by: "unknown" },
  ],
  [
    "+15005552001",
    "busy",
    "initiated ringing busy",
    { sip_code: 486, hangup_by: "callee", error: null, duration: null, answered_by: null },
  ],
  ["+15005552002", "no_answer", "initiated ringing no_answer", { sip_code: 480, error: null, duration: null }],
  ["+15005552003", "failed", "initiated failed", { sip_code: 503, error: { code: "trunk_unreachable" }, ring_duration: null }],
  ["+15005552004", "failed", "initiated ringing failed", { sip_code: 603, error: { code: "rejected" } }],
  [
    "+15005552005",
    "completed",
    "initiated ringing in_progress completed",
    { sip_code: 200, hangup_by: "callee", duration: 2, error: null },
  ],
  ["+15005559999", "completed", "initiated ringing in_progress completed", { hangup_by: "caller", digits: "" }],
];
test.each(outcomes)("%s ends %s, with each event once and in order", async (to, status, expected, more) => {
  const { call, events, data } = await happen({ to });
  expect(call).toMatchObject({ status, state: "done", lease: null, provider: "simulator", ...more });
  expect(events).toEqual(`queued ${expected}`.split(" "));
  expect(data.map(({ sequence }) => sequence)).toEqual(data.map((_one, index) => index + 1));
  expect(data.map(({ previous_status }) => previous_status)).toEqual([null, ...events.slice(0, -1)]);
  expect(data.at(-1)).toMatchObject({
    call: { id: call.id, status, to, sip_code: call.sip_code, duration: call.duration },
    project_id: shop.project_id,
  });
  expect(JSON.stringify(data)).not.toContain("Hello.");
});

test("keys are gathered by name, reported as they arrive, and stored in the order in which they were pressed", async () => {
  const pin = { verb: "gather", name: "pin", num_digits: 4, actions: [{ verb: "say", text: "Your PIN, please." }] };
  const { call, events, data } = await happen({ to: "+15005552000", actions: [pin, { verb: "say", text: "Thank you." }] });
  expect(call).toMatchObject({ status: "completed", gathered: { pin: "1234" }, digits: "1234#", duration: 1 });
  expect(events).toEqual(["queued", "initiated", "ringing", "in_progress", "gathered", "completed"]);
  expect(data[4]).toMatchObject({
    gathered: { name: "pin", digits: "1234", attempts: 1 },
    previous_status: "in_progress",
    call: { status: "in_progress" },
  });
});

test("the steps of a call are reported once it has ended, in order and with their time, and deleted with its text", async () => {
  const pin = { verb: "gather", name: "pin", num_digits: 4, actions: [{ verb: "say", text: "Your PIN, please." }] };
  const { call } = await happen({ to: "+15005552000", actions: [pin, { verb: "say", text: "Thank you." }] });
  const steps = call.said?.steps ?? [];
  const nothing = { text: null, url: null, name: null, digits: null };
  expect(steps.map(({ at: _at, ...step }) => step)).toEqual([
    { ...nothing, verb: "say", text: "Your PIN, please." },
    { ...nothing, verb: "gather", name: "pin", digits: "1234" },
    { ...nothing, verb: "say", text: "Thank you." },
  ]);
  const times = steps.map(({ at }) => Date.parse(at));
  expect(times).toEqual(times.toSorted((left, right) => left - right));
  expect(times[0]).toBeGreaterThanOrEqual(call.answered_at?.getTime() ?? Number.POSITIVE_INFINITY);
  expect((await happen({ to: "+15005552001" })).call.said).not.toHaveProperty("steps");
});

test("a call whose texts contain secrets stores none of them, not even in its steps", async () => {
  const actions = [
    { verb: "say", text: "Your code is 4 2 4 2." },
    { verb: "pause", length: 5 },
  ];
  const input = { from: "+15005550006", to: "+15005552000", actions };
  const prepared = await prepareCall(room.ctx, shop, { tier: "pro", call: input });
  const placed = await room.ctx.transact(async (tx) => writeSecretCall(tx, await atNow(room.ctx, tx), { tenant: shop, prepared }));
  await room.settle();
  const call = await room.find(placed);
  expect(call).toMatchObject({ status: "completed", said: null, sealed_said: null, digits: "", gathered: {} });
  const all = JSON.stringify([call, await room.data(placed)]);
  // The callee pressed keys, which may have been the code.
  for (const secret of ["4 2 4 2", "1234"]) expect(all).not.toContain(secret);
});

test("a callee who presses nothing is asked as often as requested, and the call ends", async () => {
  const { call } = await happen({ actions: [{ verb: "gather", name: "pin", timeout: 3, max_attempts: 3 }] });
  expect(call).toMatchObject({ status: "completed", gathered: { pin: "" }, duration: 9 });
});

test("a time limit ends a call at any step", async () => {
  const { call } = await happen({ time_limit: 10, actions: [{ verb: "pause", length: 60 }] });
  expect(call).toMatchObject({ status: "completed", hangup_by: "limit", duration: 10 });
});

test("a scheduled call waits for its time, and is then placed", async () => {
  const at = new Date(app.clock.now().getTime() + 3_600_000);
  const placed = await room.place(shop, { scheduled_at: at.toISOString() });
  await room.settle();
  expect(await room.find(placed)).toMatchObject({ status: "scheduled", state: "waiting", expires_at: new Date(at.getTime() + 3_600_000) });
  expect(await releaseCalls(room.ctx)).toBe(0);
  app.clock.set(at);
  expect(await releaseCalls(room.ctx)).toBe(1);
  await room.settle();
  expect(await room.eventsOf(placed)).toEqual(["scheduled", "queued", "initiated", "ringing", "in_progress", "completed"]);
});

describe("a call's texts and keys", () => {
  test("are deleted thirty days later, but the call isn't", async () => {
    const { call } = await happen({ to: "+15005552000", actions: [{ verb: "gather", name: "pin", num_digits: 4 }] });
    expect(call).toMatchObject({ gathered: { pin: "1234" }, digits: "1234" });
    const waiting = await room.place(shop, { scheduled_at: new Date(app.clock.now().getTime() + 29 * 86_400_000).toISOString() });
    while ((await clearCallTexts(room.ctx)) > 0);
    expect((await room.find(call)).said).not.toBeNull();
    app.clock.advance(30 * 86_400_000 + 1_000);
    while ((await clearCallTexts(room.ctx)) > 0);
    expect(await room.find(call)).toMatchObject({ said: null, gathered: {}, digits: "", status: "completed" });
    expect(await room.find(waiting)).toMatchObject({ status: "scheduled", said: { text: "Hello." } });
  });
});
