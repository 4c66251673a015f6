import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { idOf, liveShop, openSms, scriptedCarrier, smsRoom } from "#test/support/messages/sms.ts";
import { takeReceipt } from "./take-receipt.ts";

const carrier = scriptedCarrier();
const app = await testApp({ sms: openSms([carrier]) });
const { ctx, clock } = app;
const room = smsRoom(ctx, [carrier]);
const shop = await liveShop(app);

const minute = 60_000;
const minutesAgo = (minutes: number) => new Date(ctx.now().getTime() - minutes * minute);

/** A message that was sent twenty minutes ago. */
async function sent(body = "Your order is on its way."): Promise<string> {
  const { id } = await room.send(shop, { body });
  await room.settle();
  clock.advance(20 * minute);
  return id;
}

const report = (id: string, occurred_at: Date | null, index = 0) =>
  takeReceipt(ctx, {
    provider: "carrier",
    provider_message_id: idOf(id, index),
    state: "delivered",
    code: null,
    provider_code: null,
    occurred_at,
  });
const deliveredAt = async (id: string) => (await room.find(shop, id)).delivered_at;

test("a message was delivered when its carrier says it was", async () => {
  const id = await sent();
  await report(id, minutesAgo(10));
  expect(await deliveredAt(id)).toEqual(minutesAgo(10));
});

test.each<[string, number | null, number]>([
  ["before it was sent counts as when it was sent", 480, 20],
  ["in the future counts as when its report arrived", -480, 0],
  ["that isn't given counts as when its report arrived", null, 0],
])("a time of delivery %s", async (_what, minutes, counted) => {
  const id = await sent();
  await report(id, minutes === null ? null : minutesAgo(minutes));
  expect(await deliveredAt(id)).toEqual(minutesAgo(counted));
});

test("a message of several parts was delivered with its last part, whichever was reported last", async () => {
  const id = await sent("a".repeat(400));
  for (const [index, minutes] of [12, 3, 7].entries()) await report(id, minutesAgo(minutes), index);
  expect(await deliveredAt(id)).toEqual(minutesAgo(3));
});

test("the hour without a further report begins when one arrives, and the message was delivered when that one says", async () => {
  const id = await sent("a".repeat(400));
  const at = minutesAgo(15);
  await report(id, at);
  clock.advance(59 * minute);
  await room.settle();
  expect((await room.find(shop, id)).status).toBe("sent");
  clock.advance(2 * minute);
  await room.settle();
  expect([(await room.find(shop, id)).status, await deliveredAt(id)]).toEqual(["delivered", at]);
});
