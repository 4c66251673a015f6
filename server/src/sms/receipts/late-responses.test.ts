import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { liveShop, openSms, scriptedCarrier, smsRoom } from "#test/support/messages/sms.ts";
import { createSmsIntake } from "../intake/create-sms-intake.ts";
import type { OutgoingSms } from "../transport.ts";
import { takeReceipt } from "./take-receipt.ts";
import { takeRefusal } from "./take-refusal.ts";

const carrier = scriptedCarrier();
const app = await testApp({ sms: openSms([carrier]) });
const { ctx } = app;
const room = smsRoom(ctx, [carrier]);
const shop = await liveShop(app);

const report = { provider: "carrier", provider_message_id: "L1", code: null, provider_code: null, occurred_at: null } as const;
const messageOf = ({ project_id, livemode, sms_id }: OutgoingSms, place: number) => ({ project_id, livemode, id: sms_id, place });

test("a late response that arrives before the doubt is stored is kept for it, with a receipt that came before", async () => {
  carrier.answer = async (sms) => {
    expect(await takeReceipt(ctx, { ...report, state: "delivered" })).toBe("unmatched");
    expect(await takeReceipt(ctx, { ...report, state: "accepted", message: messageOf(sms, 0) })).toBe("unmatched");
    return { provider: "carrier", sent: [], result: "unknown", message: "The response was lost." };
  };
  const { id } = await room.send(shop);
  await room.settle();
  expect(await room.find(shop, id)).toMatchObject({ status: "delivered", error: null, segments_sent: 1 });
  expect(await room.eventsOf(shop, id)).toEqual(["queued", "sent", "delivered"]);
});

test("a late refusal that arrives before the doubt is stored is kept for it", async () => {
  carrier.answer = async (sms) => {
    const refusal = { provider: "carrier", part: messageOf(sms, 0), code: "carrier_rejected", message: "No.", provider_code: "0x0000000B" };
    await takeRefusal(ctx, refusal);
    return { provider: "carrier", sent: [], result: "unknown", message: "The response was lost." };
  };
  const { id } = await room.send(shop);
  await room.settle();
  expect(await room.find(shop, id)).toMatchObject({
    status: "undelivered",
    error: { code: "carrier_rejected", provider_code: "0x0000000B" },
    segments_sent: 0,
  });
  expect(await room.eventsOf(shop, id)).toEqual(["queued", "sent", "undelivered"]);
});

test("a late refusal of a message that isn't in doubt says nothing, and isn't kept", async () => {
  carrier.answer = () => ({ provider: "carrier", sent: [{ index: 0, provider_message_id: "L9" }], result: "accepted" });
  const { id } = await room.send(shop);
  await room.settle();
  const before = await room.find(shop, id);
  const part = { project_id: shop.project_id, livemode: true, id, place: 0 };
  await takeRefusal(ctx, { provider: "carrier", part, code: "carrier_rejected", message: "No.", provider_code: null });
  expect(await room.find(shop, id)).toEqual(before);
  expect(await runStatement(ctx.db, "select id from sms_early_receipts where sms_id = ?", id)).toEqual([]);
});

test("a report counts whatever a carrier wrote in it", async () => {
  carrier.answer = () => ({ provider: "carrier", sent: [{ index: 0, provider_message_id: "L3" }], result: "accepted" });
  const { id } = await room.send(shop);
  await room.settle();
  const odd = { ...report, provider_message_id: "L3", code: "expired", provider_code: "a\u0000\ud83d" };
  expect(await createSmsIntake(ctx).receipt({ ...odd, state: "undelivered" })).toBe("stored");
  expect(await room.find(shop, id)).toMatchObject({ status: "undelivered", error: { code: "expired", provider_code: "a\ufffd\ufffd" } });
});

test("a late response to another part than the one in doubt says nothing", async () => {
  carrier.answer = () => ({ provider: "carrier", sent: [], result: "unknown", message: "The response was lost." });
  const { id } = await room.send(shop, { body: "a".repeat(400) });
  await room.settle();
  const before = await room.find(shop, id);
  const [sms] = carrier.taken.filter(({ sms_id }) => sms_id === id);
  const late = { ...report, provider_message_id: "L2", state: "accepted" as const, message: messageOf(sms as OutgoingSms, 1) };
  expect(await takeReceipt(ctx, late)).toBe("unmatched");
  expect(await room.find(shop, id)).toEqual(before);
});
