import { describe, expect, it } from "vitest";
import { findEmail } from "#email/index.ts";
import { addSuppression } from "#messaging/suppression/add-suppression.ts";
import { ownProject, type Tenant } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { mailRoom, newEmail, taken } from "#test/support/mail/mail.ts";
import { createEmail } from "../accept/create-email.ts";
import { emailChannel } from "../channel/email-channel.ts";
import type { OutgoingEmail, SendOutcome } from "../transport.ts";
import { cancelEmail } from "./cancel-email.ts";

const { ctx, tenant, clock } = await testApp();
const minute = 60_000;
const inMinutes = (count: number) => new Date(ctx.now().getTime() + count * minute);
const busy: SendOutcome = { provider: "script", result: "deferred", smtp_code: 450, bounce: { type: "transient", subtype: "general" } };
/** Nothing was attempted: the recipient is queued as before. */
const held = (minutes: number): SendOutcome => ({ provider: "script", result: "held", until: inMinutes(minutes), reason: "no free slot" });

async function suppress(shop: Tenant, address: string, reason: "unsubscribe" | "bounce" | "complaint" = "unsubscribe"): Promise<void> {
  await ctx.transact((tx) => addSuppression(tx, ctx, { tenant: shop, channel: emailChannel, address, reason }));
}

/** The stored states of the message and its recipients, and the events. */
async function statusOf(shop: Tenant, room: ReturnType<typeof mailRoom>, id: string) {
  const { email, recipients } = await findEmail(ctx, shop, id);
  return {
    status: email.status,
    recipients: recipients.map((row) => row.status),
    events: await room.eventsOf(shop, id),
    sequence: email.sequence,
  };
}

describe("a suppression that is created after acceptance", () => {
  it("ends what was queued, scheduled or waiting for another attempt, before the next attempt", async () => {
    const [shop, room] = [await tenant({ livemode: true }), mailRoom(ctx)];
    room.transport.answer = () => busy;
    const later = (await room.send(shop, { to: "Later@Lovelace.dev", scheduled_at: inMinutes(10) })).email;
    const again = (await room.send(shop, { to: "again@lovelace.dev" })).email;
    await room.settle();
    const queued = (await room.send(shop, { to: "queued@lovelace.dev" })).email;
    const attempts = room.transport.emails.length;
    for (const name of ["later", "again", "queued"]) await suppress(shop, `${name}@lovelace.dev`);
    clock.advance(20 * minute);
    await room.settle();
    expect(room.transport.emails.length).toBe(attempts);
    expect(await statusOf(shop, room, later.id)).toMatchObject({
      status: "suppressed",
      events: ["scheduled", "queued", "suppressed"],
      sequence: 3,
    });
    expect(await statusOf(shop, room, again.id)).toMatchObject({
      status: "suppressed",
      events: ["queued", "delivery_delayed", "suppressed"],
      sequence: 3,
    });
    expect(await statusOf(shop, room, queued.id)).toMatchObject({ status: "suppressed", events: ["queued", "suppressed"], sequence: 2 });
    clock.advance(100 * minute);
    await room.settle();
    expect(await room.eventsOf(shop, later.id)).toHaveLength(3);
  });

  it("omits one of several, and only in its own project and environment", async () => {
    const [shop, other, room] = [await tenant({ livemode: true }), await tenant({ livemode: true }), mailRoom(ctx)];
    const own = (await room.send(shop, { to: ["ö@xn--bcher-kva.dev", "b@lovelace.dev"], cc: "c@lovelace.dev" })).email;
    const foreign = (await room.send(other, { to: "b@lovelace.dev" })).email;
    await suppress(shop, "B@lovelace.dev", "complaint");
    await suppress(shop, "Ö@xn--bcher-kva.dev");
    await room.settle();
    expect(await statusOf(shop, room, own.id)).toMatchObject({
      status: "delivered",
      recipients: ["suppressed", "suppressed", "delivered"],
    });
    expect(await statusOf(other, room, foreign.id)).toMatchObject({ status: "delivered" });
  });

  it("because of a complaint doesn't stop system emails, but one because of a missing mailbox does", async () => {
    const room = mailRoom(ctx);
    const send = (to: string) => createEmail(ctx, ownProject, { tier: "system", email: newEmail({ to }) });
    const [reset, gone] = [(await send("reset@lovelace.dev")).email, (await send("gone@lovelace.dev")).email];
    await suppress(ownProject, "reset@lovelace.dev", "complaint");
    await suppress(ownProject, "gone@lovelace.dev", "bounce");
    await room.settle();
    expect([await room.status(ownProject, reset.id), await room.status(ownProject, gone.id)]).toEqual(["delivered", "suppressed"]);
  });
});

describe("a message to several recipients, of whom the last one never starts", () => {
  const first = ({ to }: OutgoingEmail) =>
    to.startsWith("last") ? held(10) : to.startsWith("gone") ? refused : to.startsWith("slow") ? busy : taken;
  const refused: SendOutcome = {
    provider: "script",
    result: "refused",
    smtp_code: 550,
    suppress: false,
    bounce: { type: "permanent", subtype: "general" },
  };
  const cases: [string, string[]][] = [
    ["delivered", ["here@a.dev", "last@b.dev"]],
    ["bounced", ["gone@a.dev", "last@b.dev"]],
    ["delivery_delayed", ["slow@a.dev", "last@b.dev"]],
  ];

  it.each(cases)("is stored as %s, and reported so, once the last is suppressed", async (status, to) => {
    const [shop, room] = [await tenant({ livemode: true }), mailRoom(ctx)];
    room.transport.answer = first;
    const { email } = await room.send(shop, { to });
    await room.settle();
    expect(await room.status(shop, email.id)).toBe("queued");
    await suppress(shop, "last@b.dev");
    room.transport.answer = () => held(1000);
    clock.advance(10 * minute);
    await room.settle();
    const found = await statusOf(shop, room, email.id);
    expect(found.recipients[1]).toBe("suppressed");
    if (status !== "delivery_delayed") expect(found).toMatchObject({ status, events: ["queued", status], sequence: 2 });
    else expect(found.status).not.toBe("queued");
  });

  it("ends with the others when the last is canceled or expires, and isn't canceled a second time", async () => {
    const [shop, room] = [await tenant({ livemode: true }), mailRoom(ctx)];
    room.transport.answer = first;
    const canceled = (await room.send(shop, { to: ["here@a.dev", "last@b.dev"] })).email;
    const expired = (await room.send(shop, { to: ["here@a.dev", "last@b.dev"], expires_in: 60 })).email;
    await room.settle();
    expect((await cancelEmail(ctx, shop, { id: canceled.id })).email.status).toBe("delivered");
    clock.advance(20 * minute);
    await room.settle();
    expect(await statusOf(shop, room, canceled.id)).toMatchObject({
      status: "delivered",
      recipients: ["delivered", "canceled"],
      events: ["queued", "delivered"],
    });
    expect(await statusOf(shop, room, expired.id)).toMatchObject({
      status: "delivered",
      recipients: ["delivered", "failed"],
      events: ["queued", "delivered"],
    });
    await expect(cancelEmail(ctx, shop, { id: canceled.id })).rejects.toMatchObject({ code: "email_state_conflict" });
  });

  it("ends as suppressed if it was scheduled for a suppressed recipient and another, and is canceled", async () => {
    const [shop, room] = [await tenant({ livemode: true }), mailRoom(ctx)];
    await suppress(shop, "a@a.dev");
    const { email } = await room.send(shop, { to: ["a@a.dev", "b@b.dev"], scheduled_at: inMinutes(10) });
    await cancelEmail(ctx, shop, { id: email.id });
    expect(await statusOf(shop, room, email.id)).toMatchObject({
      status: "suppressed",
      recipients: ["suppressed", "canceled"],
      sequence: 2,
    });
  });
});
