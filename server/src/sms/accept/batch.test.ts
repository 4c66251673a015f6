import { expect, test } from "vitest";
import { addSuppression } from "#messaging/index.ts";
import { assignNumber } from "#numbers/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { liveShop, scriptedCarrier } from "#test/support/messages/sms.ts";
import { optOutOf, smsChannel } from "../channel/sms-channel.ts";
import { createSmsBatch } from "../index.ts";

let texts: string[] = [];
const app = await testApp({ sms: { routes: [scriptedCarrier()] }, probe: (text) => void texts.push(text) });
const { ctx } = app;
const shop = await liveShop(app);
const [ours, otherSender, stranger] = ["+14155550190", "+14155550191", "+14155550192"];
for (const value of [ours, otherSender]) await assignNumber(ctx, { project_id: shop.project_id, value });

const recipient = (n: number) => `+1415555${String(2_000 + n)}`;

test("a LIVE batch of a hundred is judged item by item, and reads what its items share once", async () => {
  const stopped = optOutOf({ sender: ours, recipient: recipient(7) });
  await ctx.transact((tx) =>
    addSuppression(tx, ctx, { tenant: shop, channel: smsChannel, address: stopped, reason: "unsubscribe", source_id: null }),
  );
  const items = Array.from({ length: 100 }, (_none, n) => ({ body: `Hello ${n}`, to: recipient(n), from: ours }));
  Object.assign(items[20] as object, { from: stranger });
  Object.assign(items[21] as object, { from: null });
  Object.assign(items[22] as object, { from: otherSender, to: recipient(7) });
  Object.assign(items[23] as object, { to: "+4915112345678" });
  texts = [];
  const made = await createSmsBatch(ctx, shop, { tier: "pro", items, strict: false });
  expect(made.errors.map(({ index, code }) => [index, code])).toEqual([
    [7, "recipient_opted_out"],
    [20, "sender_not_allowed"],
    [23, "country_not_allowed"],
  ]);
  expect(made.accepted).toBe(97);
  const of = (table: string) => texts.filter((text) => text.includes(`from ${table} `)).length;
  // Each of the three senders with the first country, one of them with the second, and the default sender.
  expect(of("numbers")).toBe(5);
  // They get there in a few turns.
  expect(of("suppressions s")).toBeLessThanOrEqual(4);
});
