import { expect, it } from "vitest";
import { createEmailBatch } from "#email/index.ts";
import { setMerchantSending } from "#identity/index.ts";
import { ownMerchantId } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { mailRoom, newEmail } from "#test/support/mail/mail.ts";
import { expireUnclaimed } from "./expire-unclaimed.ts";

const { ctx, tenant, clock } = await testApp();
const suspend = (merchant_id: string) => setMerchantSending(ctx, { merchant_id, reason: "Complaints" });
const resume = (merchant_id: string) => setMerchantSending(ctx, { merchant_id, reason: null });

it("refuses a suspended merchant's LIVE messages, single and in batches, but not TEST or other merchants' messages", async () => {
  const [shop, other, room] = [await tenant({ livemode: true }), await tenant({ livemode: true }), mailRoom(ctx)];
  const test = await tenant({ merchant_id: shop.merchant_id });
  await suspend(shop.merchant_id);
  await expect(room.send(shop)).rejects.toMatchObject({ status: 403, code: "sending_suspended" });
  await expect(room.send(shop, { text: "x".repeat(70_000) })).rejects.toMatchObject({ code: "sending_suspended" });
  const batch = createEmailBatch(ctx, shop, { tier: "pro", items: [newEmail(), newEmail()], strict: false });
  await expect(batch).rejects.toMatchObject({ status: 403, code: "sending_suspended" });
  const [refused, taken] = await Promise.allSettled([
    room.send(shop),
    room.send(other),
    room.send(test, { to: "delivered@simulator.tillpost.test" }),
  ]);
  expect([refused?.status, taken?.status]).toEqual(["rejected", "fulfilled"]);
  const tried = await room.send(test, { to: "delivered@simulator.tillpost.test" });
  await room.settle();
  expect(await room.status(test, tried.email.id)).toBe("delivered");
  await resume(shop.merchant_id);
  await room.send(shop);
  await room.settle();
  expect(room.transport.emails.map(({ project_id }) => project_id).sort()).toEqual([shop.project_id, other.project_id].sort());
});

it("no one can suspend system emails", async () => {
  await expect(suspend(ownMerchantId)).rejects.toMatchObject({ code: "resource_missing" });
});

it("holds a suspended merchant's queued and scheduled LIVE emails, and sends them once the suspension is lifted", async () => {
  const [shop, other, room] = [await tenant({ livemode: true }), await tenant({ livemode: true }), mailRoom(ctx)];
  const queued = await room.send(shop);
  const later = await room.send(shop, { scheduled_at: new Date(ctx.now().getTime() + 60_000).toISOString() });
  await suspend(shop.merchant_id);
  const otherEmail = await room.send(other);
  clock.advance(120_000);
  await room.settle();
  expect(await room.status(other, otherEmail.email.id)).toBe("delivered");
  expect(await Promise.all([queued, later].map(({ email }) => room.status(shop, email.id)))).toEqual(["queued", "queued"]);
  await resume(shop.merchant_id);
  await room.settle();
  expect(await Promise.all([queued, later].map(({ email }) => room.status(shop, email.id)))).toEqual(["delivered", "delivered"]);
  expect(room.transport.emails.filter(({ project_id }) => project_id === shop.project_id).map(({ attempt }) => attempt)).toEqual([1, 1]);
});

it("expires what waits through a suspension at its time, and never sends it afterwards", async () => {
  const [shop, room] = [await tenant({ livemode: true }), mailRoom(ctx)];
  const { email } = await room.send(shop, { expires_in: 600 });
  await suspend(shop.merchant_id);
  expect(await expireUnclaimed(ctx)).toBe(0);
  clock.advance(601_000);
  expect(await expireUnclaimed(ctx)).toBe(1);
  expect(await room.eventsOf(shop, email.id)).toEqual(["queued", "failed"]);
  await resume(shop.merchant_id);
  await room.settle();
  expect(room.transport.emails).toEqual([]);
});
