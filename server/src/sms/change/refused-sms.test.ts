import { expect, test } from "vitest";
import { countPutOff, type Tenant } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { refuseRows } from "#test/support/database/refuse-rows.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { idOf, liveShop, openSms, scriptedCarrier, smsRoom } from "#test/support/messages/sms.ts";
import { insertEarly } from "../receipts/sql.ts";
import { retryEarlyReceipts, settleSent } from "../receipts/take-receipt.ts";
import { reviveSms } from "../sending/revive-sms.ts";
import type { SmsReceipt } from "../transport.ts";
import { expireSms } from "./expire-sms.ts";
import { releaseScheduled } from "./release-scheduled.ts";

const carrier = scriptedCarrier();
const app = await testApp({ sms: openSms([carrier]) });
const { ctx, clock } = app;
const room = smsRoom(ctx, [carrier]);

/** One message of each of three merchants. */
async function three(given: Parameters<typeof room.send>[1] = {}): Promise<{ shop: Tenant; id: string }[]> {
  const made: { shop: Tenant; id: string }[] = [];
  for (let n = 0; n < 3; n += 1) {
    const shop = await liveShop(app);
    made.push({ shop, id: (await room.send(shop, given)).id });
  }
  return made;
}
const statusesOf = (made: readonly { shop: Tenant; id: string }[]) =>
  Promise.all(made.map(async ({ shop, id }) => (await room.find(shop, id)).status));
const refuseFirst = (made: readonly { id: string }[]) => refuseRows(app, "sms", { ids: made.slice(0, 1).map(({ id }) => id) });

test("a scheduled message that can't be released keeps no other one waiting", async () => {
  const made = await three({ scheduled_at: new Date(ctx.now().getTime() + 600_000).toISOString() });
  const allow = await refuseFirst(made);
  clock.advance(600_000);
  expect(await releaseScheduled(ctx)).toBe(2);
  expect(await statusesOf(made)).toEqual(["scheduled", "queued", "queued"]);
  expect(countPutOff(ctx.db, "release_sms")).toBe(1);
  await allow();
  await room.settle();
});

test("a message that can't be ended keeps no other one from expiring", async () => {
  const made = await three({ validity_period: 60 });
  const allow = await refuseFirst(made);
  clock.advance(60_000);
  expect(await expireSms(ctx)).toBe(2);
  expect(await statusesOf(made)).toEqual(["queued", "failed", "failed"]);
  await allow();
  await room.settle();
});

test("a message whose outcome can't be settled keeps no other one unsettled", async () => {
  carrier.answer = () => ({ provider: "carrier", sent: [], result: "unknown", message: "The connection was lost." });
  const made = await three({ validity_period: 600 });
  await room.settle();
  const allow = await refuseFirst(made);
  clock.advance(600_000);
  while ((await settleSent(ctx)) > 0);
  expect(await statusesOf(made)).toEqual(["sent", "undelivered", "undelivered"]);
  expect(countPutOff(ctx.db, "settle_sms")).toBe(1);
  await allow();
});

test("an early report that can't be applied keeps no other one from being applied", async () => {
  carrier.answer = scriptedCarrier().answer;
  const made = await three();
  await room.settle();
  const reports = made.map(({ id }): SmsReceipt => {
    return { provider: "carrier", provider_message_id: idOf(id), state: "delivered", code: null, provider_code: null, occurred_at: null };
  });
  await ctx.transact((tx) => insertEarly(tx, reports));
  const allow = await refuseFirst(made);
  clock.advance(3_000);
  expect(await retryEarlyReceipts(ctx)).toBe(2);
  expect(await statusesOf(made)).toEqual(["sent", "delivered", "delivered"]);
  await allow();
});

test.each([
  ["that hadn't started to leave", false, ["leased", "due", "due"]],
  ["that had started to leave", true, ["leased", "done", "done"]],
])("a lost worker's message %s keeps none of the others leased if it can't be released", async (_what, hasStarted, states) => {
  const made = await three();
  const lost = "state = 'leased', lease = 'dlv_lost 1', lease_until = app_now() - interval '1 second'";
  for (const { id } of made)
    await runStatement(ctx.db, `update sms set status = 'sending', ${lost}, begun = ? where id = ?`, hasStarted, id);
  const allow = await refuseFirst(made);
  await reviveSms(ctx);
  expect(await Promise.all(made.map(async ({ shop, id }) => (await room.find(shop, id)).state))).toEqual(states);
  await allow();
});
