import { expect, it } from "vitest";
import { findSuppressed } from "#messaging/index.ts";
import { insertSuppression } from "#messaging/suppression/sql.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { composeHere, drainMs, mailRoom, newEmail, scriptedTransport, taken } from "#test/support/mail/mail.ts";
import { createEmailBatch } from "../accept/create-email-batch.ts";
import { emailChannel } from "../channel/email-channel.ts";
import { findEmail } from "../read/find-email.ts";
import { createSimulator } from "../simulator/simulator.ts";
import type { SendOutcome } from "../transport.ts";
import { createEmailSender } from "./create-email-sender.ts";
import { reviveEmails } from "./revive-emails.ts";

const { ctx, tenant, clock } = await testApp();
const minute = 60_000;

const deferred: SendOutcome = {
  provider: "script",
  result: "deferred",
  smtp_code: 451,
  diagnostic: "451 later",
  bounce: { type: "transient", subtype: "general" },
};
const unknownUser: SendOutcome = {
  provider: "script",
  result: "refused",
  smtp_code: 550,
  enhanced_code: "5.1.1",
  diagnostic: "550 5.1.1 no such user",
  suppress: true,
  bounce: { type: "permanent", subtype: "no_email" },
};

const simulated: [part: string, status: string, events: string[]][] = [
  ["delivered", "delivered", ["queued", "delivered"]],
  ["anything+label", "delivered", ["queued", "delivered"]],
  ["bounced+label", "bounced", ["queued", "bounced"]],
  ["mailbox-full", "bounced", ["queued", "bounced"]],
  ["blocked", "bounced", ["queued", "bounced"]],
  ["delayed", "delivered", ["queued", "delivery_delayed", "delivered"]],
  ["expired", "failed", ["queued", "failed"]],
  ["failed", "failed", ["queued", "failed"]],
  ["suppressed", "suppressed", ["queued", "suppressed"]],
  ["complained", "complained", ["queued", "delivered", "complained"]],
  ["late-bounce", "bounced", ["queued", "delivered", "bounced"]],
  ["opened", "delivered", ["queued", "delivered", "opened"]],
  ["clicked", "delivered", ["queued", "delivered", "clicked"]],
  ["stuck", "sent", ["queued", "sent"]],
];
it("returns to the sender if no bounces are accepted, and to its own address if they are", async () => {
  const shop = await tenant({ livemode: true });
  const room = mailRoom(ctx);
  await room.send(shop, { from: "Corner Books <Orders@Tillpost.example>" });
  await room.settle();
  const own = mailRoom({ ...ctx, mail: { ...ctx.mail, bounceDomain: "bounce.tillpost.example" } });
  await own.send(shop, {});
  await own.settle();
  expect(room.transport.emails.map((one) => one.return_path)).toEqual(["orders@tillpost.example"]);
  expect(own.transport.emails.map((one) => one.return_path)).toEqual([expect.stringMatching(/^b\+dlv_.*@bounce\.tillpost\.example$/)]);
});

it("sends every email with a Feedback-ID of its batch, project and kind", async () => {
  const shop = await tenant({ livemode: true });
  const room = mailRoom(ctx);
  const { email } = await room.send(shop);
  const batch = await createEmailBatch(ctx, shop, { tier: "pro", strict: true, items: [newEmail({ category: "marketing" }), newEmail()] });
  await room.settle();
  const ids = room.transport.emails.map(({ raw }) => /^Feedback-ID:(.*(?:\r\n[ \t].*)*)/im.exec(raw.toString())?.[1]?.replace(/\s/g, ""));
  const of = (category: string) => `${shop.project_id}:${category}:tillpost`;
  const wanted = [of(email.category), `${batch.id}:${of("marketing")}`, `${batch.id}:${of(email.category)}`];
  expect(ids.toSorted()).toEqual(wanted.toSorted());
});

it("simulates each kind of recipient", async () => {
  const [shop, room] = [await tenant(), mailRoom(ctx)];
  const made = await Promise.all(simulated.map(([part]) => room.send(shop, { to: `${part}@simulator.tillpost.test` })));
  for (let step = 0; step < 5; step += 1) {
    await room.settle();
    clock.advance(1_500);
  }
  for (const [index, [part, status, events]] of simulated.entries()) {
    const id = made[index]?.email.id ?? "";
    const seen = [await room.status(shop, id), await room.eventsOf(shop, id), (await room.data(shop, id)).map((one) => one["sequence"])];
    expect(seen, part).toEqual([status, events, events.map((_name, index) => index + 1)]);
  }
  expect(room.transport.emails).toEqual([]);
});

it.each([
  ["bounced", ["queued", "bounced"]],
  ["late-bounce", ["queued", "delivered", "bounced"]],
  ["complained", ["queued", "delivered", "complained"]],
])("never suppresses the simulated recipient %s, which does the same each time", async (part, events) => {
  const [shop, room] = [await tenant(), mailRoom(ctx)];
  const { project_id, livemode } = shop;
  const address = `${part}@simulator.tillpost.test`;
  const at = { source_id: null, expires_at: null, created_at: ctx.now(), updated_at: ctx.now() };
  // As a version before this one stored it.
  await ctx.transact((tx) =>
    insertSuppression(tx, { project_id, livemode, id: ctx.id("sup"), channel: "email", address, reason: "bounce", ...at }),
  );
  for (let time = 0; time < 2; time += 1) {
    const { email } = await room.send(shop, { to: address });
    await room.settle();
    clock.advance(1_500);
    await room.settle();
    expect(await room.eventsOf(shop, email.id)).toEqual(events);
  }
});

it("suppresses the address of an unknown mailbox, and never that of a blocked sender", async () => {
  const [shop, room] = [await tenant({ livemode: true }), mailRoom(ctx)];
  room.transport.answer = ({ to }) =>
    to.startsWith("gone") ? unknownUser : { ...unknownUser, suppress: false, bounce: { type: "permanent", subtype: "blocked" } };
  const gone = await room.send(shop, { to: "gone@here.dev" });
  const blocked = await room.send(shop, { to: "blocked@here.dev" });
  await room.settle();
  expect(await room.status(shop, gone.email.id)).toBe("bounced");
  expect(await room.status(shop, blocked.email.id)).toBe("bounced");
  const found = await findSuppressed(ctx.db, shop, { channel: emailChannel, addresses: ["gone@here.dev", "blocked@here.dev"] });
  expect([...found.keys()]).toEqual(["gone@here.dev"]);
  const again = await room.send(shop, { to: "Gone@here.dev" });
  expect(again.email.status).toBe("suppressed");
});

it("tries again by the schedule with the same Message-ID, reports a delay once, and stops at its end", async () => {
  const [shop, room] = [await tenant({ livemode: true }), mailRoom(ctx)];
  room.transport.answer = () => deferred;
  const { email } = await room.send(shop);
  const waits: number[] = [];
  for (let at = ctx.now(); waits.length < 100; ) {
    await room.settle();
    const { recipients } = await findEmail(ctx, shop, email.id);
    if (recipients[0]?.state === "done") break;
    const next = recipients[0]?.due_at as Date;
    waits.push((next.getTime() - at.getTime()) / minute);
    at = next;
    clock.set(next);
  }
  const planned = [5, 7, 8, 25, 75, 120, ...Array<number>(9).fill(240)];
  expect(waits.length).toBeGreaterThanOrEqual(planned.length);
  planned.forEach((wait, index) => {
    expect(waits[index]).toBeGreaterThanOrEqual(wait * 0.9);
    expect(waits[index]).toBeLessThanOrEqual(wait * 1.1);
  });
  const total = waits.reduce((sum, wait) => sum + wait, 0);
  expect(total).toBeLessThan(48 * 60);
  expect(total).toBeGreaterThan(43 * 60);
  expect(new Set(room.transport.emails.map((outgoing) => outgoing.message_id)).size).toBe(1);
  expect(await room.eventsOf(shop, email.id)).toEqual(["queued", "delivery_delayed", "failed"]);
  const found = await findEmail(ctx, shop, email.id);
  expect(found.email).toMatchObject({ status: "failed", error: { code: "expired" } });
});

it("ends what expires while it waits, a full mailbox as bounced", async () => {
  const [shop, room] = [await tenant({ livemode: true }), mailRoom(ctx)];
  room.transport.answer = ({ to }) => ({
    ...deferred,
    bounce: { type: "transient", subtype: to.startsWith("full") ? "mailbox_full" : "general" },
  });
  const slow = await room.send(shop, { to: "slow@here.dev", expires_in: 600 });
  const full = await room.send(shop, { to: "full@here.dev", expires_in: 600 });
  await room.settle();
  expect(await room.status(shop, slow.email.id)).toBe("delivery_delayed");
  clock.advance(11 * minute);
  await room.settle();
  expect(await room.eventsOf(shop, slow.email.id)).toEqual(["queued", "delivery_delayed", "failed"]);
  expect(await room.eventsOf(shop, full.email.id)).toEqual(["queued", "delivery_delayed", "bounced"]);
});

it("counts an unknown outcome as an attempt and sends again with the same Message-ID", async () => {
  const [shop, room] = [await tenant({ livemode: true }), mailRoom(ctx)];
  room.transport.answer = ({ attempt }) => (attempt === 1 ? { provider: "script", result: "unknown" } : taken);
  const { email } = await room.send(shop);
  await room.settle();
  expect(await room.status(shop, email.id)).toBe("delivery_delayed");
  clock.advance(6 * minute);
  await room.settle();
  expect(room.transport.emails.map(({ attempt, message_id }) => [attempt, message_id])).toEqual([
    [1, email.message_id],
    [2, email.message_id],
  ]);
  expect(await room.eventsOf(shop, email.id)).toEqual(["queued", "delivery_delayed", "delivered"]);
});

it("summarizes several recipients, and reports one end", async () => {
  const [shop, room] = [await tenant({ livemode: true }), mailRoom(ctx)];
  room.transport.answer = ({ to }) => (to.startsWith("gone") ? unknownUser : to.startsWith("slow") ? deferred : taken);
  const { email } = await room.send(shop, { to: ["ok@a.dev", "gone@b.dev"], cc: "slow@c.dev", bcc: ["ok2@a.dev"] });
  await room.settle();
  expect(await room.status(shop, email.id)).toBe("delivery_delayed");
  room.transport.answer = () => taken;
  clock.advance(6 * minute);
  await room.settle();
  expect(await room.eventsOf(shop, email.id)).toEqual(["queued", "delivery_delayed", "delivered"]);
  const { recipients } = await findEmail(ctx, shop, email.id);
  expect(recipients.map(({ type, status }) => `${type} ${status}`)).toEqual([
    "to delivered",
    "to bounced",
    "cc delivered",
    "bcc delivered",
  ]);
  expect(room.transport.emails.every(({ raw }) => !raw.toString().includes("ok2@a.dev"))).toBe(true);
});

it("reports the end of a message that was delivered to the others even if the last one bounced", async () => {
  const [shop, room] = [await tenant({ livemode: true }), mailRoom(ctx)];
  room.transport.answer = ({ to }) => (to.startsWith("gone") ? deferred : taken);
  const { email } = await room.send(shop, { to: ["ok@a.dev", "gone@b.dev"] });
  await room.settle();
  room.transport.answer = () => unknownUser;
  clock.advance(6 * minute);
  await room.settle();
  const last = (await room.data(shop, email.id)).at(-1) as Record<string, unknown>;
  expect(last).toMatchObject({ email: { status: "delivered", recipients: [{ status: "delivered" }, { status: "bounced" }] } });
  expect(last).not.toHaveProperty("bounce");
  expect(last).not.toHaveProperty("recipient");
});

it("sends again what a lost worker had claimed, and ignores its late ending", async () => {
  const [shop, room] = [await tenant({ livemode: true }), mailRoom(ctx)];
  const { email } = await room.send(shop);
  let release = () => {};
  const stuck = scriptedTransport();
  stuck.answer = () => new Promise((resolve) => (release = () => resolve(unknownUser)));
  const lost = createEmailSender({ transports: { live: stuck, test: createSimulator() }, compose: composeHere, drainMs });
  await lost.run(ctx);
  await expect.poll(() => stuck.emails.length).toBe(1);
  await room.settle();
  expect(room.transport.emails).toEqual([]);
  clock.advance(46_000);
  expect(await reviveEmails(ctx)).toBe(1);
  await room.settle();
  release();
  await lost.finish(ctx);
  expect(room.transport.emails.map(({ message_id }) => message_id)).toEqual([email.message_id]);
  expect(await room.eventsOf(shop, email.id)).toEqual(["queued", "delivered"]);
});

it("extends its lease through a send that takes longer than one, and stops a send whose lease is lost", async () => {
  const [shop, room] = [await tenant({ livemode: true }), mailRoom(ctx)];
  const { email } = await room.send(shop);
  let release = () => {};
  let signal: AbortSignal | undefined;
  const slow = scriptedTransport();
  slow.answer = (_outgoing, given) =>
    new Promise((resolve) => {
      signal = given;
      release = () => resolve(taken);
    });
  const sender = createEmailSender({ transports: { live: slow, test: createSimulator() }, compose: composeHere, drainMs });
  await sender.run(ctx);
  await expect.poll(() => slow.emails.length).toBe(1);
  for (let second = 0; second < 90; second += 10) {
    clock.advance(10_000);
    await sender.run(ctx);
    expect(await reviveEmails(ctx)).toBe(0);
  }
  expect(signal?.aborted).toBe(false);
  clock.advance(60_000);
  expect(await reviveEmails(ctx)).toBe(1);
  slow.answer = () => taken;
  await sender.run(ctx);
  expect(signal?.aborted).toBe(true);
  release();
  await sender.finish(ctx);
  await room.settle();
  expect(await room.eventsOf(shop, email.id)).toEqual(["queued", "delivered"]);
});

it("gives every project and domain its turn next to a long queue", async () => {
  const [busy, calm] = [await tenant({ livemode: true }), await tenant({ livemode: true })];
  const room = mailRoom(ctx, scriptedTransport(4));
  for (let count = 0; count < 20; count += 1) await room.send(busy, { to: `r${count}@one.dev` });
  await room.send(busy, { to: "x@two.dev" });
  await room.send(calm, { to: "y@one.dev" });
  const sender = createEmailSender({ transports: { live: room.transport, test: createSimulator() }, compose: composeHere, drainMs });
  await sender.run(ctx);
  await sender.finish(ctx);
  const first = room.transport.emails.slice(0, 4).map(({ project_id, to }) => `${project_id} ${to.split("@")[1]}`);
  expect(new Set(first)).toEqual(new Set([`${busy.project_id} one.dev`, `${busy.project_id} two.dev`, `${calm.project_id} one.dev`]));
  await room.settle();
  expect(room.transport.emails.length).toBe(22);
});

it("doesn't send again what a lost worker had recorded as accepted", async () => {
  const [shop, room] = [await tenant({ livemode: true }), mailRoom(ctx)];
  const { email } = await room.send(shop);
  const first = scriptedTransport();
  first.answer = () => ({ ...taken, provider: "first" });
  const lost = createEmailSender({ transports: { live: first, test: createSimulator() }, compose: composeHere, drainMs });
  const hinted = new Promise<void>((resolve) => lost.listen(ctx, resolve));
  await lost.run(ctx);
  await hinted;
  clock.advance(46_000);
  await room.settle();
  expect(room.transport.emails).toEqual([]);
  expect(await room.eventsOf(shop, email.id)).toEqual(["queued", "delivered"]);
  expect((await findEmail(ctx, shop, email.id)).email.provider).toBe("first");
});
