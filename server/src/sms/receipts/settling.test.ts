import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { accepted, idOf, liveShop, openSms, scriptedCarrier, smsRoom } from "#test/support/messages/sms.ts";
import { takeReceipt } from "./take-receipt.ts";

const carrier = scriptedCarrier();
const app = await testApp({ sms: openSms([carrier]) });
const { ctx, clock } = app;
const room = smsRoom(ctx, [carrier]);
const shop = await liveShop(app);

test("a message in doubt whose decision is due before its expiry still ends when it expires", async () => {
  const cut = { provider: "carrier", result: "unknown", message: "The response was lost." } as const;
  carrier.answer = (sms) => ({ ...cut, sent: accepted(sms).sent.slice(0, 1) });
  const { id } = await room.send(shop, { body: "a".repeat(400) });
  await room.settle();
  await takeReceipt(ctx, {
    provider: "carrier",
    provider_message_id: idOf(id),
    state: "delivered",
    code: null,
    provider_code: null,
    occurred_at: null,
  });
  // As earlier versions left it: they delivered it by the first part, after an hour.
  await runStatement(ctx.db, "update sms set settle_at = app_now() + interval '1 hour' where id = ?", id);
  clock.advance(3_600_000);
  await room.settle();
  const { expires_at, ...row } = await room.find(shop, id);
  const error = { code: "outcome_unknown" };
  expect(row).toMatchObject({ status: "sent", settle_at: expires_at, error });
  clock.advance(expires_at.getTime() - ctx.now().getTime());
  await room.settle();
  expect(await room.find(shop, id)).toMatchObject({ status: "undelivered", error });
});
