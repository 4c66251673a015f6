import { describe, expect, test } from "vitest";
import { approveNumber, type NumberInput, rejectNumber, requestNumber } from "#numbers/index.ts";
import type { Tenant } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { callRoom } from "#test/support/messages/calls.ts";
import { liveShop, scriptedCarrier, smsRoom } from "#test/support/messages/sms.ts";
import { verificationRoom } from "#test/support/messages/verifications.ts";
import type { VerificationRow } from "../shapes.ts";

const carrier = scriptedCarrier();
const app = await testApp({ sms: { routes: [carrier] }, calls: { hasRoute: () => true } });
const { ctx, clock } = app;
const [room, texts, calls] = [verificationRoom(ctx), smsRoom(ctx, [carrier]), callRoom(app)];

let taken = 0;
/** An American number that no other test has. */
const newNumber = () => `+1415555${String((taken += 1)).padStart(4, "0")}`;
async function approve(shop: Tenant, value: string, more: Partial<NumberInput> = {}) {
  const { id } = await approveNumber(ctx, { id: (await requestNumber(ctx, shop, { value, ...more })).id });
  clock.advance(1);
  return { id, value };
}

/** Callers of a verification's calls. */
async function callersOf(row: VerificationRow): Promise<string[]> {
  const placed = (await room.find(row)).sends.filter(({ channel }) => channel === "call");
  const rows = await Promise.all(placed.map(({ message_id: id }) => calls.find({ ...row, id } as never)));
  return rows.map(({ from_number }) => from_number);
}

const to = "+14155552671";
const noNumber = {
  code: "sender_not_allowed",
  extras: { param: "from", details: [{ reason: "no_call_number", values: { value: "US" } }] },
};

describe("a LIVE call without a number in its request", () => {
  test("comes from a number of the callee's country, else from another one; the one approved first", async () => {
    const shop = await liveShop(app);
    await approve(shop, newNumber(), { channels: ["sms"] });
    await approve(shop, newNumber(), { countries: ["GB"] });
    const british = await approve(shop, "+442079460020");
    const call = async () => callersOf(await room.start(shop, { to, channels: ["call"] }));
    expect(await call()).toEqual([british.value]);
    const american = await approve(shop, newNumber(), { channels: ["call"] });
    await approve(shop, newNumber());
    expect(await call()).toEqual([american.value]);
  });

  test.each(["CORNER", "46871"])("as a fallback for an SMS from %s, too", async (from) => {
    const shop = await liveShop(app);
    await approve(shop, from);
    const { value } = await approve(shop, newNumber());
    carrier.answer = () => ({
      provider: "carrier",
      sent: [],
      result: "refused",
      code: "carrier_rejected",
      message: "No.",
      provider_code: "11",
    });
    const row = await room.start(shop, { to, from, channels: ["sms", "call"] });
    await texts.settle();
    clock.advance(2_000);
    await room.processDue();
    expect(carrier.taken.at(-1)?.from.value).toBe(from);
    expect(await room.find(row)).toMatchObject({ status: "pending", channel: "call", error: null });
    expect(await callersOf(row)).toEqual([value]);
  });

  test("is refused if the project has none for that country, before anything is sent", async () => {
    const [shop, stranger] = [await liveShop(app), await liveShop(app)];
    await approve(stranger, newNumber());
    await approve(shop, newNumber(), { channels: ["sms"] });
    await approve(shop, newNumber(), { countries: ["GB"] });
    await approve(shop, "CORNER");
    for (const from of [null, "CORNER"])
      for (const channels of [["call" as const], ["sms" as const, "call" as const]])
        await expect(room.start(shop, { to, from, channels })).rejects.toMatchObject(noNumber);
  });

  test("that lost its number in the meantime says so, and the verification remains", async () => {
    const shop = await liveShop(app);
    await approve(shop, "CORNER");
    const { id } = await approve(shop, newNumber());
    const row = await room.start(shop, { to: "+14155552672", from: "CORNER", channels: ["sms", "call"], fallback_after: 30 });
    await rejectNumber(ctx, { id, reason: "Ported" });
    clock.advance(30_000);
    await room.processDue();
    const error = { code: "sender_not_allowed", message: expect.stringContaining("Request one with POST /v1/numbers.") };
    expect(await room.find(row)).toMatchObject({ status: "pending", channel: "sms", error });
  });
});

test("a number in the request is used as it is, or refused if it isn't approved for calls", async () => {
  const shop = await liveShop(app);
  const [usual, other, forSms] = [await approve(shop, newNumber()), await approve(shop, newNumber()), newNumber()];
  await approve(shop, forSms, { channels: ["sms"] });
  const start = (from: string) => room.start(shop, { to: "+14155552673", from, channels: ["call"] });
  expect(await callersOf(await start(other.value))).toEqual([other.value]);
  expect(await callersOf(await start(usual.value))).toEqual([usual.value]);
  await expect(start(forSms)).rejects.toMatchObject({
    code: "sender_not_allowed",
    extras: { details: [{ reason: "sender_not_allowed" }] },
  });
  await expect(start("?!")).rejects.toMatchObject({ code: "parameter_invalid" });
});

test("in TEST, a call for a name comes from the simulator's number", async () => {
  const row = await room.start(await app.tenant(), { from: "CORNER", channels: ["call"] });
  expect(await callersOf(row)).toEqual(["+15005550006"]);
});
