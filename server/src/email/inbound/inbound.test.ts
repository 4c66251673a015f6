import { describe, expect, it } from "vitest";
import { findSuppressed } from "#messaging/suppression/find-suppressed.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { mailRoom } from "#test/support/mail/mail.ts";
import { emailChannel } from "../channel/email-channel.ts";
import { unsubscribe } from "../unsubscribe/unsubscribe.ts";
import { unsubscribeUrl } from "../unsubscribe/unsubscribe-token.ts";
import { simulateInbound } from "./simulate-inbound.ts";

const { ctx, tenant } = await testApp();
const [shop, room] = [await tenant(), mailRoom(ctx)];

async function delivered(to = "somebody@a.example") {
  const { email } = await room.send(shop, { to });
  await room.settle();
  return email;
}

const reasonFor = async (address: string) =>
  (await findSuppressed(ctx.db, shop, { channel: emailChannel, addresses: [address] })).get(address)?.reason;

describe("a simulated recipient", () => {
  it.each([
    ["complaint", "complained", ["queued", "delivered", "complained"], "complaint"],
    ["bounce", "bounced", ["queued", "delivered", "bounced"], "bounce"],
    ["unsubscribe", "delivered", ["queued", "delivered", "unsubscribed"], "unsubscribe"],
    ["reply", "delivered", ["queued", "delivered", "received"], undefined],
  ] as const)("sends a %s", async (type, status, events, reason) => {
    const address = `${type}@a.example`;
    const email = await delivered(address);
    expect(await simulateInbound(ctx, shop, { type, email_id: email.id, text: "Thank you" })).toMatchObject({
      type,
      email_id: email.id,
      recipient: address,
    });
    expect([await room.status(shop, email.id), await room.eventsOf(shop, email.id), await reasonFor(address)]).toEqual([
      status,
      events,
      reason,
    ]);
  });

  it("writes a reply with its answer", async () => {
    const email = await delivered();
    await simulateInbound(ctx, shop, { type: "reply", email_id: email.id, text: "Thank you" });
    expect((await room.data(shop, email.id)).at(-1)).toMatchObject({
      recipient: "somebody@a.example",
      inbound: { from: "somebody@a.example", text: "Thank you", in_reply_to: email.message_id },
    });
  });

  it("does nothing in LIVE, for a stranger's message, as a person who isn't a recipient, or before the message exists", async () => {
    const email = await delivered();
    const simulate = (given: object, of = shop) => simulateInbound(ctx, of, { type: "reply", email_id: email.id, ...given });
    await expect(simulate({}, { ...shop, livemode: true })).rejects.toMatchObject({ code: "environment_mismatch" });
    await expect(simulate({}, await tenant())).rejects.toMatchObject({ code: "resource_missing" });
    await expect(simulate({ recipient: "other@a.example" })).rejects.toMatchObject({ code: "parameter_invalid" });
    const { email: waiting } = await room.send(shop, { to: "later@a.example" });
    await expect(simulate({ email_id: waiting.id })).rejects.toMatchObject({ code: "email_state_conflict" });
    expect(await room.eventsOf(shop, email.id)).toEqual(["queued", "delivered"]);
  });
});

describe("unsubscribing by a link", () => {
  it("takes effect once, however often and however concurrently it is requested", async () => {
    const email = await delivered("leaver@a.example");
    const token = unsubscribeUrl(ctx, { tenant: shop, email_id: email.id, address: "Leaver@a.example" }).split("/").at(-1) ?? "";
    await Promise.all(Array.from({ length: 10 }, () => unsubscribe(ctx, token)));
    expect(await unsubscribe(ctx, token)).toMatchObject({ address: "leaver@a.example", reason: "unsubscribe", source_id: email.id });
    expect(await room.eventsOf(shop, email.id)).toEqual(["queued", "delivered", "unsubscribed"]);
    expect(await room.status(shop, email.id)).toBe("delivered");
  });

  it("works for a message that is no longer stored, and not at all for a link that wasn't made here", async () => {
    const token = unsubscribeUrl(ctx, { tenant: shop, email_id: "em_gone", address: "late@a.example" }).split("/").at(-1) ?? "";
    expect(await unsubscribe(ctx, token)).toMatchObject({ reason: "unsubscribe" });
    await expect(unsubscribe(ctx, `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`)).rejects.toMatchObject({
      code: "resource_missing",
    });
  });
});
