import { expect, it } from "vitest";
import { newRounds } from "#messaging/sending/rounds.ts";
import { addSuppression } from "#messaging/suppression/add-suppression.ts";
import { createLeaseNames, listSetAsideJobs, releaseJobs, type Tenant } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { mailRoom, scriptedTransport, taken } from "#test/support/mail/mail.ts";
import { cancelEmail } from "../change/cancel-email.ts";
import { expireUnclaimed } from "../change/expire-unclaimed.ts";
import { recordBounce } from "../change/record-reports.ts";
import { rescheduleEmail } from "../change/reschedule-email.ts";
import { emailChannel } from "../channel/email-channel.ts";
import { emailQueue } from "../channel/tables.sql.ts";
import { findEmail } from "../read/find-email.ts";
import { listEmailAttempts } from "../read/list-email-attempts.ts";
import { createSimulator } from "../simulator/simulator.ts";
import type { SendOutcome } from "../transport.ts";
import { type ClaimedEmail, claimAlone, claimDue, leaseMs } from "./claim-due.ts";
import { createEmailSender } from "./create-email-sender.ts";
import { endSends } from "./end-sends.ts";
import { reviveEmails } from "./revive-emails.ts";

const { ctx, tenant, clock } = await testApp();
const room = mailRoom(ctx);
const release = () => releaseJobs(ctx, emailQueue, null);

/** What a worker holds that claims all it may have. */
async function claim(): Promise<ClaimedEmail[]> {
  const claiming = { livemode: true, room: 50, partitionMax: 50, lease: createLeaseNames().next(ctx), leaseMs };
  return ctx.transact(async (tx) => [
    ...(await claimAlone(tx, ctx, claiming)),
    ...(await claimDue(tx, ctx, { rounds: newRounds({ usual: 50, reserved: 0 }), claiming })),
  ]);
}

/** The worker that holds everything is gone, and its recipients are looked after. */
async function lose(): Promise<void> {
  clock.advance(leaseMs + 1_000);
  await reviveEmails(ctx);
}

/** A message that two workers died of. */
async function setAside(given: Parameters<typeof room.send>[1] = {}): Promise<{ shop: Tenant; id: string }> {
  clock.advance(600_000);
  const shop = await tenant({ livemode: true });
  const { email } = await room.send(shop, given);
  for (let death = 0; death < 2; death += 1) {
    expect(await claim()).toHaveLength(1);
    await lose();
  }
  expect(await listSetAsideJobs(ctx, emailQueue)).toHaveLength(1);
  return { shop, id: email.id };
}

it("shows its merchant a message that is set aside as delayed, reports it once, and says of both attempts that their workers were lost", async () => {
  const { shop, id } = await setAside();
  const { email, recipients } = await findEmail(ctx, shop, id);
  expect(email).toMatchObject({ status: "delivery_delayed", delay_told: true });
  expect(recipients).toMatchObject([{ status: "delivery_delayed", state: "set_aside", attempts: 2, deaths: 2, bounce: null }]);
  expect(recipients[0]?.diagnostic).toContain("on hold");
  expect(await room.eventsOf(shop, id)).toEqual(["queued", "delivery_delayed"]);
  expect((await listEmailAttempts(ctx, shop, { id })).map(({ result }) => result)).toEqual(["worker_lost", "worker_lost"]);
  await expect(rescheduleEmail(ctx, shop, { id, scheduled_at: new Date(ctx.now().getTime() + 60_000) })).rejects.toMatchObject({
    code: "email_state_conflict",
  });
  await room.settle();
  expect(room.transport.emails).toEqual([]);
  await cancelEmail(ctx, shop, { id });
});

it("sends it once it is released, with a clean record and one end", async () => {
  const { shop, id } = await setAside();
  expect(await release()).toBe(1);
  await room.settle();
  expect(await room.eventsOf(shop, id)).toEqual(["queued", "delivery_delayed", "delivered"]);
  expect((await findEmail(ctx, shop, id)).recipients).toMatchObject([{ state: "done", deaths: 0, attempts: 3 }]);
  expect(room.transport.emails.filter(({ email_id }) => email_id === id)).toHaveLength(1);
});

it("lets its merchant cancel it, which ends it once and leaves nothing to release", async () => {
  const { shop, id } = await setAside();
  await cancelEmail(ctx, shop, { id });
  expect(await release()).toBe(0);
  await room.settle();
  expect(await room.eventsOf(shop, id)).toEqual(["queued", "delivery_delayed", "canceled"]);
  expect(room.transport.emails.filter(({ email_id }) => email_id === id)).toEqual([]);
});

it("expires it at its time, once, whether it is released afterwards or before", async () => {
  const first = await setAside({ expires_in: 3_600 });
  expect(await expireUnclaimed(ctx)).toBe(0);
  clock.advance(3_600_000);
  expect(await expireUnclaimed(ctx)).toBe(1);
  expect(await release()).toBe(0);
  const second = await setAside({ expires_in: 3_600 });
  clock.advance(3_600_000);
  expect(await release()).toBe(1);
  await room.settle();
  expect(await expireUnclaimed(ctx)).toBe(0);
  for (const { shop, id } of [first, second]) {
    expect(await room.eventsOf(shop, id)).toEqual(["queued", "delivery_delayed", "failed"]);
    expect(room.transport.emails.filter(({ email_id }) => email_id === id)).toEqual([]);
  }
});

it("doesn't send it after its release to an address that was suppressed in the meantime", async () => {
  const { shop, id } = await setAside({ to: "gone@lovelace.dev" });
  await ctx.transact((tx) =>
    addSuppression(tx, ctx, { tenant: shop, channel: emailChannel, address: "gone@lovelace.dev", reason: "unsubscribe" }),
  );
  expect(await release()).toBe(1);
  await room.settle();
  expect(await room.eventsOf(shop, id)).toEqual(["queued", "delivery_delayed", "suppressed"]);
  expect(room.transport.emails.filter(({ email_id }) => email_id === id)).toEqual([]);
});

it("accepts a delivery report for it, which ends it", async () => {
  const { shop, id } = await setAside();
  const { recipients } = await findEmail(ctx, shop, id);
  expect(await recordBounce(ctx, { recipient_id: recipients[0]?.id as string, kind: "delivered" })).toBe("applied");
  expect(await release()).toBe(0);
  expect(await room.eventsOf(shop, id)).toEqual(["queued", "delivery_delayed", "delivered"]);
});

it("sets aside the other recipients of a message that ran alone with the one that killed a third worker", async () => {
  clock.advance(600_000);
  const shop = await tenant({ livemode: true });
  const { email } = await room.send(shop, { to: ["first@a.dev", "second@b.dev", "third@c.dev"] });
  const [one] = await claim();
  const ended = { key: email, recipient: (one as ClaimedEmail).recipient, lease: (one as ClaimedEmail).recipient.lease, outcome: taken };
  await ctx.transact((tx) => endSends(tx, ctx, [ended]));
  await lose();
  expect(await claim()).toHaveLength(2);
  await lose();
  expect(await listSetAsideJobs(ctx, emailQueue)).toEqual([]);
  expect(await claim()).toHaveLength(1);
  await lose();
  expect(await listSetAsideJobs(ctx, emailQueue)).toMatchObject([{ deaths: 2 }, { deaths: 3 }]);
  expect(await room.eventsOf(shop, email.id)).toEqual(["queued", "delivery_delayed"]);
  expect(await release()).toBe(2);
  await room.settle();
  expect(await room.eventsOf(shop, email.id)).toEqual(["queued", "delivery_delayed", "delivered"]);
  expect((await findEmail(ctx, shop, email.id)).recipients.map(({ attempts }) => attempts).sort()).toEqual([1, 3, 4]);
});

it("handles one at a time of those that run alone, in addition to all others", async () => {
  clock.advance(600_000);
  const shop = await tenant({ livemode: true });
  const { email } = await room.send(shop, { to: ["suspect-1@a.dev", "suspect-2@b.dev"] });
  for (let death = 0; death < 2; death += 1) {
    expect(await claim()).toHaveLength(2);
    await lose();
  }
  const otherEmail = await room.send(shop);
  const [transport, answers]: [ReturnType<typeof scriptedTransport>, (() => void)[]] = [scriptedTransport(), []];
  transport.answer = ({ to }) =>
    to.startsWith("suspect") ? new Promise<SendOutcome>((resolve) => answers.push(() => resolve(taken))) : taken;
  const sender = createEmailSender({
    transports: { live: transport, test: createSimulator() },
    aloneAfterMs: 0,
    compose: async () => Buffer.from("composed"),
  });
  const suspects = () => transport.emails.filter(({ email_id }) => email_id === email.id).length;
  await sender.run(ctx);
  await expect.poll(() => transport.emails.length).toBe(2);
  for (let again = 0; again < 3; again += 1) await sender.run(ctx);
  expect(suspects()).toBe(1);
  answers[0]?.();
  await expect.poll(() => sender.run(ctx).then(suspects)).toBe(2);
  answers[1]?.();
  await sender.finish(ctx);
  expect(await Promise.all([email, otherEmail.email].map(({ id }) => room.status(shop, id)))).toEqual(["delivered", "delivered"]);
});
