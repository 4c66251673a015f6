import { expect, it } from "vitest";
import { createEmailBatch, emailChannel } from "#email/index.ts";
import { findBatch, listUsage } from "#messaging/index.ts";
import type { Tenant } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { mailRoom, newEmail } from "#test/support/mail/mail.ts";
import { deleteOldUsage } from "../quota/delete-old-usage.ts";
import { clearBatchDetails } from "./clear-batch-details.ts";

const { ctx, tenant, clock } = await testApp();
const dayMs = 86_400_000;
const send = (shop: Tenant) =>
  createEmailBatch(ctx, shop, { tier: "pro", items: [newEmail(), { ...newEmail(), to: "nobody" }], strict: false });

it("deletes after 30 days what a batch's request said of each message, in every project and environment, and retains batch and messages", async () => {
  const shops = [await tenant(), await tenant({ livemode: true })] as const;
  const old = [await send(shops[0]), await send(shops[1])];
  clock.advance(30 * dayMs - 1_000);
  const young = await send(shops[0]);
  expect(await clearBatchDetails(ctx)).toBe(0);
  clock.advance(2_000);
  expect([await clearBatchDetails(ctx), await clearBatchDetails(ctx)]).toEqual([2, 0]);
  for (const [place, shop] of shops.entries()) {
    const { batch, data, counts } = await findBatch(ctx, shop, old[place]?.id ?? "");
    expect(batch).toMatchObject({ total: 2, accepted: 1, errors: [] });
    expect([data, counts]).toEqual([[], { queued: 1 }]);
  }
  expect((await findBatch(ctx, shops[0], young.id)).batch.errors).toMatchObject([{ index: 1, code: "recipient_invalid" }]);
});

it("deletes a day's count after 400 days, long after quota and usage page used it, a portion at a time", async () => {
  const [shop, room] = [await tenant(), mailRoom(ctx)];
  await room.send(shop);
  const days = () => runStatement(ctx.db, "select count(*) as days from usage_counters where project_id = ?", shop.project_id);
  clock.advance(400 * dayMs);
  await room.send(shop);
  await deleteOldUsage(ctx);
  expect(await days()).toEqual([{ days: 2 }]);
  clock.advance(dayMs);
  const filler =
    "insert into usage_counters (project_id, livemode, channel, day, used) select ?, true, 'sms', ?::date - n, 1 from generate_series(401, 1_000) n";
  await runStatement(ctx.db, filler, shop.project_id, ctx.now().toISOString());
  await deleteOldUsage(ctx);
  expect((await days())[0]).toEqual({ days: 102 });
  await deleteOldUsage(ctx);
  expect(await days()).toEqual([{ days: 1 }]);
  expect((await listUsage(ctx, shop, { channel: emailChannel, tier: "pro" })).days.at(-2)).toMatchObject({ used: 1 });
});
