import { expect, it } from "vitest";
import { findEmail, rescheduleEmail } from "#email/index.ts";
import { insertUsage } from "#messaging/quota/sql.ts";
import type { Ctx, Tenant } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { mailRoom, newEmail } from "#test/support/mail/mail.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { createEmail } from "../accept/create-email.ts";
import { clearBodies } from "../change/clear-bodies.ts";
import { emailChannel } from "../channel/email-channel.ts";
import { listTaken } from "../sending/attempts.sql.ts";
import { insertLooseFiles } from "./sql.ts";
import { sweepMailFiles } from "./sweep-mail-files.ts";

const { ctx, tenant, clock } = await testApp();
const day = 86_400_000;
const attachments = [{ filename: "a.txt", content: Buffer.from("hello").toString("base64") }];

/** A process whose files are seen, and that can be lost after it has stored them. */
function witness(lostAfterStoring = false): { ctx: Ctx; keys: string[] } {
  const keys: string[] = [];
  const files = {
    ...ctx.files,
    async put(key: string, bytes: Uint8Array) {
      await ctx.files.put(key, bytes);
      keys.push(key);
      if (lostAfterStoring) await new Promise(() => {});
    },
  };
  return { ctx: { ...ctx, files }, keys };
}

async function sweepAll(by: Ctx = ctx): Promise<number> {
  let count = 0;
  for (let some = 1; some > 0; count += some) some = await sweepMailFiles(by);
  return count;
}

const attemptsOf = (own: Tenant, id: string) =>
  ctx.transact((tx) => listTaken(tx, [{ project_id: own.project_id, livemode: own.livemode, id }]));

it("removes what a process stored before it was lost without writing its message, an hour later and no sooner", async () => {
  const own = await tenant();
  const lost = witness(true);
  void createEmail(lost.ctx, own, { tier: "pro", email: newEmail({ attachments }) });
  await eventually("the file is stored", () => lost.keys.length === 1);
  const key = lost.keys[0] as string;
  clock.advance(59 * 60_000);
  await sweepAll();
  expect(await ctx.files.get(key)).not.toBeNull();
  clock.advance(2 * 60_000);
  expect(await sweepAll()).toBe(1);
  expect(await ctx.files.get(key)).toBeNull();
});

it("retains what an accepted message owns, and removes immediately what a refused one uploaded", async () => {
  const own = await tenant();
  const [accepted, refused] = [witness(), witness()];
  await createEmail(accepted.ctx, own, { tier: "free", email: newEmail({ attachments }) });
  await createEmail(accepted.ctx, own, { tier: "free", email: newEmail({ attachments, text: "x".repeat(100_000) }) });
  const now = ctx.now().toISOString().slice(0, 10);
  const limit = emailChannel.quota.daily.free;
  await ctx.transact((tx) => insertUsage(tx, own, { channel: "email", day: now, wanted: limit - 2, limit }));
  await expect(createEmail(refused.ctx, own, { tier: "free", email: newEmail({ attachments }) })).rejects.toMatchObject({
    code: "quota_exceeded",
  });
  expect(await ctx.files.get(refused.keys[0] as string)).toBeNull();
  clock.advance(2 * day);
  expect(await sweepAll()).toBe(0);
  for (const key of accepted.keys) expect((await ctx.files.get(key))?.toString()).toBe("hello");
});

it("removes attachments of deleted texts, also if the store refused the first time", async () => {
  const [own, seen] = [await tenant(), witness()];
  await createEmail(seen.ctx, own, { tier: "pro", email: newEmail({ attachments }) });
  clock.advance(31 * day);
  const broken = { ...ctx, files: { ...ctx.files, remove: async () => Promise.reject(new Error("the store is away")) } };
  await expect(clearBodies(broken)).rejects.toThrow("away");
  expect(await clearBodies(ctx)).toBe(0);
  expect(await ctx.files.get(seen.keys[0] as string)).not.toBeNull();
  await sweepAll();
  expect(await ctx.files.get(seen.keys[0] as string)).toBeNull();
});

it("removes files that belong to no message, also if the store doesn't remove one of them", async () => {
  const keys = ["mail/1", "mail/2", "mail/3"];
  for (const key of keys) await ctx.files.put(key, Buffer.from("x"));
  await insertLooseFiles(ctx.db, keys, 0);
  const remove = async (key: string) => (key === "mail/1" ? Promise.reject(new Error("not this one")) : ctx.files.remove(key));
  expect(await sweepMailFiles({ ...ctx, files: { ...ctx.files, remove } })).toBe(2);
  expect(await Promise.all(keys.map(async (key) => (await ctx.files.get(key)) !== null))).toEqual([true, false, false]);
  expect(await sweepAll()).toBe(1);
});

it("retains texts and attempts for thirty days from the scheduled time of a message, however often it was moved", async () => {
  const [own, room] = [await tenant({ livemode: true }), mailRoom(ctx)];
  const { email } = await room.send(own, { scheduled_at: new Date(ctx.now().getTime() + 29 * day) });
  clock.advance(28 * day);
  await rescheduleEmail(ctx, own, { id: email.id, scheduled_at: new Date(ctx.now().getTime() + 20 * day) });
  clock.advance(20 * day);
  while ((await clearBodies(ctx)) > 0);
  await room.settle();
  expect(await room.eventsOf(own, email.id)).toEqual(["scheduled", "queued", "delivered"]);
  clock.advance(29 * day);
  while ((await clearBodies(ctx)) > 0);
  expect((await findEmail(ctx, own, email.id)).body).not.toBeNull();
  expect(await attemptsOf(own, email.id)).toHaveLength(1);
  clock.advance(2 * day);
  while ((await clearBodies(ctx)) > 0);
  const found = await findEmail(ctx, own, email.id);
  expect(found).toMatchObject({ body: null, email: { status: "delivered" }, recipients: [{ attempts: 1, status: "delivered" }] });
  expect(await attemptsOf(own, email.id)).toEqual([]);
});
