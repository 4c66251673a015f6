import { expect, it } from "vitest";
import { emailChannel, findEmail, findEmailSource } from "#email/index.ts";
import { emit } from "#events/index.ts";
import { listMessageEvents } from "#messaging/index.ts";
import type { AppError } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { composeHere, drainMs, mailRoom, newEmail } from "#test/support/mail/mail.ts";
import { createEmail } from "../accept/create-email.ts";
import { createEmailSender } from "../sending/create-email-sender.ts";
import { createSimulator } from "../simulator/simulator.ts";
import { cancelEmail } from "./cancel-email.ts";
import { changeEmails } from "./change-emails.ts";
import { clearBodies } from "./clear-bodies.ts";
import { recordClick, recordOpen } from "./record-engagement.ts";
import { recordBounce, recordComplaint } from "./record-reports.ts";
import { rescheduleEmail } from "./reschedule-email.ts";

const { ctx, tenant, clock } = await testApp();
const minute = 60_000;
const inMinutes = (count: number) => new Date(ctx.now().getTime() + count * minute);

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "done",
    (error: AppError) => error.code,
  );
}

it("sends a scheduled message at its time, not before", async () => {
  const [shop, room] = [await tenant({ livemode: true }), mailRoom(ctx)];
  const { email } = await room.send(shop, { scheduled_at: inMinutes(10) });
  expect(email.status).toBe("scheduled");
  clock.advance(9 * minute);
  await room.settle();
  expect(room.transport.emails).toEqual([]);
  clock.advance(minute);
  await room.settle();
  expect(await room.eventsOf(shop, email.id)).toEqual(["scheduled", "queued", "delivered"]);
});

it("cancels what hasn't been sent, and nothing that has", async () => {
  const [shop, other, room] = [await tenant({ livemode: true }), await tenant({ livemode: true }), mailRoom(ctx)];
  const scheduled = (await room.send(shop, { scheduled_at: inMinutes(10) })).email;
  expect((await cancelEmail(ctx, shop, { id: scheduled.id })).email.status).toBe("canceled");
  const queued = (await room.send(shop)).email;
  await cancelEmail(ctx, shop, { id: queued.id });
  expect(await codeOf(cancelEmail(ctx, shop, { id: queued.id }))).toBe("email_state_conflict");
  expect(await codeOf(cancelEmail(ctx, other, { id: queued.id }))).toBe("resource_missing");
  clock.advance(20 * minute);
  await room.settle();
  expect(room.transport.emails).toEqual([]);
  expect(await room.eventsOf(shop, scheduled.id)).toEqual(["scheduled", "canceled"]);
  const sent = (await room.send(shop)).email;
  await room.settle();
  expect(await codeOf(cancelEmail(ctx, shop, { id: sent.id }))).toBe("email_state_conflict");
});

it("gives a message to either a worker or a cancellation, never both", async () => {
  const [shop, room] = [await tenant({ livemode: true }), mailRoom(ctx)];
  const made = await Promise.all(Array.from({ length: 30 }, () => room.send(shop)));
  const sender = createEmailSender({ transports: { live: room.transport, test: createSimulator() }, compose: composeHere, drainMs });
  const [codes] = await Promise.all([
    Promise.all(made.map(({ email }) => codeOf(cancelEmail(ctx, shop, { id: email.id })))),
    sender.run(ctx).then(() => sender.finish(ctx)),
  ]);
  await room.settle();
  const sent = new Set(room.transport.emails.map((outgoing) => outgoing.email_id));
  made.forEach(({ email }, index) => {
    expect(sent.has(email.id)).toBe(codes[index] !== "done");
  });
  expect(room.transport.emails).toHaveLength(sent.size);
});

it("reschedules what hasn't been tried, by version", async () => {
  const [shop, room] = [await tenant({ livemode: true }), mailRoom(ctx)];
  const { email } = await room.send(shop, { scheduled_at: inMinutes(10), expires_in: 3600 });
  const later = inMinutes(30);
  const moved = (await rescheduleEmail(ctx, shop, { id: email.id, scheduled_at: later.toISOString(), version: email.version })).email;
  expect(moved).toMatchObject({
    status: "scheduled",
    scheduled_at: later,
    expires_at: new Date(later.getTime() + 60 * minute),
    version: email.version + 1,
  });
  expect(await codeOf(rescheduleEmail(ctx, shop, { id: email.id, scheduled_at: later, version: email.version }))).toBe("version_conflict");
  expect(await codeOf(rescheduleEmail(ctx, shop, { id: email.id, scheduled_at: inMinutes(-1) }))).toBe("parameter_invalid");
  const past = rescheduleEmail(ctx, shop, { id: email.id, scheduled_at: inMinutes(-1) });
  await expect(past).rejects.toMatchObject({ extras: { param: "scheduled_at", reason: "not_in_future" } });
  expect(await codeOf(rescheduleEmail(ctx, shop, { id: "em_none", scheduled_at: later }))).toBe("resource_missing");
  clock.advance(11 * minute);
  await room.settle();
  expect(room.transport.emails).toEqual([]);
  clock.set(later);
  await room.settle();
  expect(await room.eventsOf(shop, email.id)).toEqual(["scheduled", "queued", "delivered"]);
  expect(await codeOf(rescheduleEmail(ctx, shop, { id: email.id, scheduled_at: inMinutes(5) }))).toBe("email_state_conflict");
});

it("refuses to reschedule a message that is delayed for one of its recipients, and leaves it as it was", async () => {
  const [shop, room] = [await tenant({ livemode: true }), mailRoom(ctx)];
  const held = () => ({ provider: "script", result: "held" as const, until: inMinutes(1), reason: "421 closed" });
  room.transport.answer = ({ to }) => ({ ...held(), isDelay: to === "a@closed.dev" });
  const { email } = await room.send(shop, { to: ["a@closed.dev", "b@busy.dev"] });
  await room.settle();
  const before = await findEmail(ctx, shop, email.id);
  expect(before.email.status).toBe("queued");
  expect(before.recipients).toMatchObject([
    { status: "delivery_delayed", attempts: 0 },
    { status: "queued", attempts: 0 },
  ]);
  expect(await codeOf(rescheduleEmail(ctx, shop, { id: email.id, scheduled_at: inMinutes(60) }))).toBe("email_state_conflict");
  expect(await findEmail(ctx, shop, email.id)).toEqual(before);
});

it("stores nothing of a change that a recipient's status doesn't allow", async () => {
  const [shop, room] = [await tenant({ livemode: true }), mailRoom(ctx)];
  const { email } = await room.send(shop, { to: ["a@x.dev", "b@x.dev"] });
  const before = await findEmail(ctx, shop, email.id);
  const change = ctx.transact((tx) =>
    changeEmails(tx, ctx, {
      keys: [{ ...shop, id: email.id }],
      change({ recipients: [first, second] }, changed) {
        if (first !== undefined) changed(first, { status: "canceled", state: "done" });
        if (second !== undefined) changed(second, { status: "sent", state: "done" });
        return {};
      },
    }),
  );
  await expect(change).rejects.toThrow("of 2 recipients, only 1 could change as decided");
  expect(await findEmail(ctx, shop, email.id)).toEqual(before);
});

it("reports opens and clicks, and counts those of people", async () => {
  const [shop, room] = [await tenant(), mailRoom(ctx)];
  const { email, recipients } = await room.send(shop);
  await room.settle();
  const seen = {
    tenant: shop,
    email_id: email.id,
    recipient_id: recipients[0]?.id ?? "",
    ip: "192.0.2.9",
    user_agent: "Mail",
    is_machine: false,
  };
  await recordOpen(ctx, { ...seen, is_machine: true });
  await recordOpen(ctx, seen);
  await recordClick(ctx, { ...seen, url: "https://shop.dev/a" });
  await recordOpen(ctx, { ...seen, recipient_id: "dlv_other" });
  const found = await findEmail(ctx, shop, email.id);
  expect(found.email).toMatchObject({ status: "delivered", last_event: "clicked", opens: 1, clicks: 1 });
  expect(await room.eventsOf(shop, email.id)).toEqual(["queued", "delivered", "opened", "opened", "clicked"]);
  expect((await room.data(shop, email.id)).at(-1)).toMatchObject({
    click: { url: "https://shop.dev/a", is_machine: false },
    previous_status: "delivered",
  });
});

it("reports no more opens after two hundred events, counts them, and still reports what follows", async () => {
  const [shop, room] = [await tenant(), mailRoom(ctx)];
  const { email, recipients } = await room.send(shop);
  await room.settle();
  const recipient_id = recipients[0]?.id ?? "";
  const seen = { tenant: shop, email_id: email.id, recipient_id, ip: null, user_agent: null, is_machine: false };
  for (let count = 0; count < 205; count += 1) await recordOpen(ctx, seen);
  await recordClick(ctx, { ...seen, url: "https://shop.dev/a", is_machine: true });
  expect((await findEmail(ctx, shop, email.id)).email).toMatchObject({ opens: 205, clicks: 0, sequence: 200 });
  await recordBounce(ctx, { recipient_id, kind: "failed" });
  const events = await room.eventsOf(shop, email.id);
  expect(events).toHaveLength(201);
  expect(events.slice(-2)).toEqual(["opened", "bounced"]);
});

it("reports a late bounce and a complaint of one among several, whose message remains delivered", async () => {
  const [shop, room] = [await tenant({ livemode: true }), mailRoom(ctx)];
  const { email, recipients } = await room.send(shop, { to: ["a@x.dev", "b@x.dev", "c@x.dev"] });
  await room.settle();
  await recordBounce(ctx, { recipient_id: recipients[0]?.id ?? "", kind: "failed" });
  await recordComplaint(ctx, { recipient_id: recipients[1]?.id ?? "" });
  const found = await findEmail(ctx, shop, email.id);
  expect(found.email.status).toBe("delivered");
  expect(found.recipients.map((row) => row.status)).toEqual(["bounced", "complained", "delivered"]);
  expect(await room.eventsOf(shop, email.id)).toEqual(["queued", "delivered", "bounced", "complained"]);
});

it("retains the texts thirty days, then only the message", async () => {
  const [shop, room] = [await tenant(), mailRoom(ctx)];
  const attachments = [{ filename: "a.txt", content: Buffer.from("hello").toString("base64") }];
  const { email } = await createEmail(ctx, shop, { tier: "pro", email: newEmail({ attachments, bcc: "secret@x.dev" }) });
  await room.settle();
  const { body } = await findEmail(ctx, shop, email.id);
  expect(body).toMatchObject({ html: "<p>It is on its way.</p>", attachments: [{ filename: "a.txt", size_bytes: 5 }] });
  const source = (await findEmailSource(ctx, shop, { id: email.id })).raw.toString();
  expect(source).toContain(`Message-ID: ${email.message_id}`);
  expect(source).toContain("aGVsbG8=");
  expect(source).not.toContain("secret@x.dev");
  clock.advance(29 * 24 * 60 * minute);
  expect(await clearBodies(ctx)).toBeGreaterThanOrEqual(0);
  expect((await findEmail(ctx, shop, email.id)).body).not.toBeNull();
  clock.advance(2 * 24 * 60 * minute);
  while ((await clearBodies(ctx)) > 0);
  expect(await findEmail(ctx, shop, email.id)).toMatchObject({ body: null, email: { status: "delivered" } });
  expect(await ctx.files.get(body?.attachments[0]?.file ?? "")).toBeNull();
  expect(await codeOf(findEmailSource(ctx, shop, { id: email.id }))).toBe("resource_missing");
});

it("lists a message's events in pages", async () => {
  const [shop, room] = [await tenant(), mailRoom(ctx)];
  const { email, recipients } = await room.send(shop);
  await room.settle();
  const seen = { tenant: shop, email_id: email.id, recipient_id: recipients[0]?.id ?? "", ip: null, user_agent: null, is_machine: false };
  for (let count = 0; count < 3; count += 1) await recordOpen(ctx, seen);
  const first = await listMessageEvents(ctx, shop, { channel: emailChannel, id: email.id, limit: 2 });
  expect(first).toMatchObject({ has_more: true, rows: [{ event: "email.opened" }, { event: "email.opened" }] });
  const second = await listMessageEvents(ctx, shop, {
    channel: emailChannel,
    id: email.id,
    limit: 5,
    starting_after: first.rows[1]?.id ?? "",
  });
  expect(second.rows.map((row) => row.event)).toEqual(["email.opened", "email.delivered", "email.queued"]);
  const back = await listMessageEvents(ctx, shop, {
    channel: emailChannel,
    id: email.id,
    limit: 1,
    ending_before: second.rows[0]?.id ?? "",
  });
  expect(back.rows[0]?.id).toBe(first.rows[1]?.id);
  expect(await codeOf(listMessageEvents(ctx, shop, { channel: emailChannel, id: email.id, limit: 1, starting_after: "evt_x" }))).toBe(
    "invalid_cursor",
  );
});

it("lists a message's first events, however many came after them", async () => {
  const [shop, room] = [await tenant(), mailRoom(ctx)];
  const { email } = await room.send(shop);
  await room.settle();
  clock.advance(1);
  const opened = { event: "email.opened", object_id: email.id, data: {} };
  await ctx.transact((tx) => emit(tx, ctx, { tenant: shop, events: Array.from({ length: 1_001 }, () => opened) }));
  const names: string[] = [];
  let after: string | undefined;
  for (let more = true; more; ) {
    const from = after === undefined ? {} : { starting_after: after };
    const page = await listMessageEvents(ctx, shop, { channel: emailChannel, id: email.id, limit: 500, ...from });
    names.push(...page.rows.map(({ event }) => event));
    after = page.rows.at(-1)?.id;
    more = page.has_more;
  }
  expect(names).toHaveLength(1_003);
  expect(names.slice(-2)).toEqual(["email.delivered", "email.queued"]);
});
