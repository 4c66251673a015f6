import { describe, expect, it, test } from "vitest";
import { findSuppressed, listUsage } from "#messaging/index.ts";
import type { Tenant } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { refuseRows } from "#test/support/database/refuse-rows.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { liveShop, openSms, scriptedCarrier, smsRoom } from "#test/support/messages/sms.ts";
import { clearSmsBodies } from "../change/clear-bodies.ts";
import { deleteSmsBody } from "../change/delete-body.ts";
import { smsChannel } from "../channel/sms-channel.ts";
import { findSms } from "../read/find-sms.ts";
import { listSms } from "../read/list-sms.ts";
import type { InboundSms } from "../transport.ts";
import { endInboundParts, takeInbound } from "./take-inbound.ts";

const carrier = scriptedCarrier();
const owners = new Map<string, Tenant>();
const app = await testApp({ sms: openSms([carrier], owners) });
const { ctx, clock } = app;
const room = smsRoom(ctx, [carrier]);
const number = "+14155550100";
const shop = await liveShop(app);
owners.set(number, { project_id: shop.project_id, livemode: true });

let handsets = 0;
const handset = () => `+1415555${2000 + (handsets += 1)}`;

const come = (message: Partial<InboundSms> & { from: string }) =>
  takeInbound(ctx, {
    provider: "carrier",
    provider_message_id: null,
    to: number,
    body: "Hello",
    encoding: "GSM-7",
    received_at: ctx.now(),
    part: null,
    ...message,
  });

const from = async (sender: string) => (await listSms(ctx, shop, { limit: 100, filters: { from: [sender] } })).rows;
const answersTo = async (recipient: string) =>
  (await listSms(ctx, shop, { limit: 100, filters: { to: [recipient] } })).rows
    .filter(({ sms }) => sms.keyword !== null)
    .map(({ body }) => body);
const isOptedOut = async (recipient: string) =>
  (await findSuppressed(ctx.db, shop, { channel: smsChannel, addresses: [`${recipient}/${number}`] })).size === 1;

test("a message to a project's number is received, and reported with its text", async () => {
  const sender = handset();
  await come({ from: sender, body: "Is my order ready?" });
  const [received] = await from(sender);
  expect(received).toMatchObject({
    body: "Is my order ready?",
    sms: { direction: "inbound", status: "received", recipient: number, country: "US", segments: 1, provider: "carrier" },
  });
  const id = received?.sms.id ?? "";
  expect(await room.eventsOf(shop, id)).toEqual(["received"]);
  expect(await room.data(shop, id)).toMatchObject([
    { sms: { from: sender, to: number }, inbound: { body: "Is my order ready?", keyword: null }, previous_status: null },
  ]);
});

test("a message to an unassigned number is dropped", async () => {
  const sender = handset();
  await come({ from: sender, to: "+14155550999" });
  expect(await from(sender)).toEqual([]);
});

describe("STOP", () => {
  it("ends messages from that number to that recipient, is reported and answered once, and START resumes them", async () => {
    const recipient = handset();
    for (let n = 0; n < 3; n += 1) await come({ from: recipient, body: "STOP" });
    expect(await isOptedOut(recipient)).toBe(true);
    const received = (await from(recipient)).reverse();
    const events = await Promise.all(received.map(({ sms }) => room.eventsOf(shop, sms.id)));
    expect(events).toEqual([["received", "opted_out"], ["received"], ["received"]]);
    expect(await answersTo(recipient)).toEqual([expect.stringContaining("You have been unsubscribed")]);
    await expect(room.send(shop, { from: number, to: recipient })).rejects.toMatchObject({ code: "recipient_opted_out" });
    await room.send(shop, { from: "ACME", to: recipient });

    await come({ from: recipient, body: "START" });
    await come({ from: recipient, body: "START" });
    expect(await isOptedOut(recipient)).toBe(false);
    expect(await answersTo(recipient)).toHaveLength(2);
    await room.send(shop, { from: number, to: recipient });
  });

  it("ends messages to the number as the carrier writes it, also without the country code", async () => {
    for (const [local, recipient] of [
      ["2125552368", "+12125552368"],
      ["12125552369", "+12125552369"],
    ] as const) {
      await come({ from: local, body: "STOP" });
      expect([await isOptedOut(recipient), (await answersTo(recipient)).length]).toEqual([true, 1]);
    }
    await come({ from: "72345", body: "STOP" });
    expect((await from("72345")).map(({ sms }) => sms.sender)).toEqual(["72345"]);
  });

  it("from a country that the project may not send to counts, and isn't answered", async () => {
    const recipient = "+447400123456";
    for (const body of ["STOP", "HELP"]) await come({ from: recipient, body });
    expect([await isOptedOut(recipient), await answersTo(recipient)]).toEqual([true, []]);
  });

  it("is answered in the language of the word, and the reply is sent though nothing else is", async () => {
    const recipient = handset();
    await come({ from: recipient, body: "退订" });
    expect(await answersTo(recipient)).toEqual([expect.stringContaining("您已退订")]);
    await room.settle();
    expect(carrier.taken.filter(({ to }) => to === recipient).map(({ from: sender }) => sender.value)).toEqual([number]);
  });

  it("twelve times concurrently is reported and answered once", async () => {
    const recipient = handset();
    await Promise.all(Array.from({ length: 12 }, () => come({ from: recipient, body: "STOP" })));
    expect(await answersTo(recipient)).toHaveLength(1);
    const events = await Promise.all((await from(recipient)).map(({ sms }) => room.eventsOf(shop, sms.id)));
    expect(events.flat().filter((event) => event === "opted_out")).toHaveLength(1);
  });
});

test("HELP is answered with the sender's name, and once a minute", async () => {
  const recipient = handset();
  for (let n = 0; n < 3; n += 1) await come({ from: recipient, body: "help" });
  expect(await answersTo(recipient)).toEqual([expect.stringMatching(/^You're receiving messages from .+\. Reply STOP to unsubscribe\.$/)]);
  clock.advance(61_000);
  await come({ from: recipient, body: "帮助" });
  expect(await answersTo(recipient)).toHaveLength(2);
});

test("two programs that reply to each other get twenty replies a day, and a STOP counts all the same", async () => {
  const recipient = handset();
  for (let n = 0; n < 22; n += 1) {
    await come({ from: recipient, body: "help" });
    clock.advance(61_000);
  }
  expect((await answersTo(recipient)).length).toBe(20);
  await come({ from: recipient, body: "STOP" });
  expect([await isOptedOut(recipient), (await answersTo(recipient)).length]).toEqual([true, 20]);
  clock.advance(86_400_000);
  await come({ from: recipient, body: "START" });
  expect([await isOptedOut(recipient), (await answersTo(recipient)).length]).toEqual([false, 21]);
});

test("a reply counts against no quota", async () => {
  const before = await listUsage(ctx, shop, { channel: smsChannel, tier: "free" });
  await come({ from: handset(), body: "STOP" });
  const after = await listUsage(ctx, shop, { channel: smsChannel, tier: "free" });
  expect(after.days.at(-1)).toEqual(before.days.at(-1));
});

test("a contact who sends STOP and START in turn is answered a few times a minute, and heard every time", async () => {
  const recipient = handset();
  for (const body of ["STOP", "START", "STOP", "START", "STOP"]) await come({ from: recipient, body });
  expect([await isOptedOut(recipient), (await answersTo(recipient)).length]).toEqual([true, 3]);
  clock.advance(61_000);
  await come({ from: recipient, body: "START" });
  expect([await isOptedOut(recipient), (await answersTo(recipient)).length]).toEqual([false, 4]);
});

describe("an inbound message of several parts", () => {
  const parts = (sender: string, reference = 7) =>
    ["One ", "two ", "three"].map((body, at) => ({
      from: sender,
      body,
      part: { reference, total: 3, index: at + 1 },
      provider_message_id: `p${at}`,
    }));

  it("is reported once all have arrived, in any order, and each any number of times", async () => {
    const sender = handset();
    const [one, two, three] = parts(sender) as [object, object, object];
    for (const part of [three, one, three]) await come({ from: sender, ...part });
    expect(await from(sender)).toEqual([]);
    for (const part of [two, one]) await come({ from: sender, ...part });
    expect((await from(sender)).map(({ body, sms }) => [body, sms.segments])).toEqual([["One two three", 3]]);
  });

  it("whose parts arrive concurrently is reported once", async () => {
    const sender = handset();
    await Promise.all([...parts(sender), ...parts(sender)].map((part) => come(part)));
    expect((await from(sender)).map(({ body }) => body)).toEqual(["One two three"]);
  });

  it("with a reference that the handset used before is another one, once it can't be the same delivered twice", async () => {
    const sender = handset();
    for (const part of parts(sender)) await come(part);
    clock.advance(601_000);
    for (const part of parts(sender)) await come(part);
    expect(await from(sender)).toHaveLength(2);
  });

  it("with a reference that the handset uses every time is another one as soon as its text differs", async () => {
    const sender = handset();
    for (const part of parts(sender)) await come(part);
    for (const part of parts(sender)) await come({ ...part, body: part.body.toUpperCase() });
    for (const part of parts(sender)) await come({ ...part, body: part.body.toUpperCase() });
    expect((await from(sender)).map(({ body }) => body).sort()).toEqual(["ONE TWO THREE", "One two three"]);
  });

  it("of which some arrived under the number's former owner belongs to no one", async () => {
    const [sender, moved] = [handset(), "+14155550101"];
    const [old, next] = [await liveShop(app), await liveShop(app)];
    const textsOf = async (tenant: Tenant) => (await listSms(ctx, tenant, { limit: 10, filters: {} })).rows.map(({ body }) => body);
    const [one, two, three] = parts(sender).map((part) => ({ ...part, to: moved })) as [object, object, object];
    owners.set(moved, { project_id: old.project_id, livemode: true });
    await come({ from: sender, ...one });
    owners.set(moved, { project_id: next.project_id, livemode: true });
    for (const part of [two, three]) await come({ from: sender, ...part });
    clock.advance(86_401_000);
    await endInboundParts(ctx);
    expect([await textsOf(old), await textsOf(next)]).toEqual([[], ["[…]two three"]]);
  });

  it("of which a part never arrived is reported after a day, with a mark in its place", async () => {
    const sender = handset();
    for (const part of parts(sender).filter((_part, at) => at !== 1)) await come(part);
    clock.advance(86_400_000 - 1_000);
    await endInboundParts(ctx);
    expect(await from(sender)).toEqual([]);
    clock.advance(2_000);
    await endInboundParts(ctx);
    expect((await from(sender)).map(({ body }) => body)).toEqual(["One […]three"]);
    await endInboundParts(ctx);
    expect(await from(sender)).toHaveLength(1);
  });

  it("of which a part never arrived is reported, also if another one can't be", async () => {
    const [odd, other] = [handset(), handset()];
    const first = [odd, other].flatMap((sender) => parts(sender).slice(0, 1));
    for (const part of first) await come(part);
    const allow = await refuseRows(app, "sms_inbound_parts", { ids: [odd], column: "sender", on: "delete" });
    clock.advance(86_401_000);
    await endInboundParts(ctx);
    expect([await from(odd), (await from(other)).length]).toEqual([[], 1]);
    await allow();
    await endInboundParts(ctx);
    expect(await from(odd)).toHaveLength(1);
  });
});

test("a message that a carrier delivers twice is reported once", async () => {
  const sender = handset();
  for (let n = 0; n < 2; n += 1) await come({ from: sender, provider_message_id: "mo-1" });
  expect(await from(sender)).toHaveLength(1);
});

test("a text that is too long for any message is stored with the maximum of parts", async () => {
  const sender = handset();
  await come({ from: sender, body: "中".repeat(20_000), encoding: "UCS-2" });
  expect((await from(sender)).map(({ body, sms }) => [body?.length, sms.segments])).toEqual([[20_000, 255]]);
});

test("a deleted text is gone from its events, and from where its parts were joined", async () => {
  const sender = handset();
  const part = { reference: 9, total: 2 };
  for (const [at, body] of ["My PIN is ", "47114711"].entries()) await come({ from: sender, body, part: { ...part, index: at + 1 } });
  const [received] = await from(sender);
  const id = received?.sms.id ?? "";
  await deleteSmsBody(ctx, shop, { id });
  expect(await room.data(shop, id)).toMatchObject([
    { sms: { id }, inbound: { body: null, keyword: null }, previous_status: null, sequence: 1 },
  ]);
  const kept = await runStatement(ctx.db, "select count(*)::int as kept from sms_inbound_parts where body like ?", "%4711%");
  expect(kept).toEqual([{ kept: 0 }]);
});

test("a text that is deleted after thirty days is gone from its events too", async () => {
  const sender = handset();
  await come({ from: sender, body: "My PIN is 4711" });
  const id = (await from(sender))[0]?.sms.id ?? "";
  clock.advance(29 * 86_400_000);
  while ((await clearSmsBodies(ctx)) > 0);
  expect(await room.data(shop, id)).toMatchObject([{ inbound: { body: "My PIN is 4711" } }]);
  clock.advance(2 * 86_400_000);
  while ((await clearSmsBodies(ctx)) > 0);
  expect((await findSms(ctx, shop, id)).body).toBeNull();
  expect(await room.data(shop, id)).toMatchObject([{ sms: { id }, inbound: { body: null } }]);
});

test.each(["nul\u0000byte", "half \ud800 pair", "😀".repeat(300), "\u202eevil"])("a message of any characters is stored", async (body) => {
  const sender = handset();
  await come({ from: sender, body, encoding: "UCS-2" });
  const [received] = await from(sender);
  expect((await findSms(ctx, shop, received?.sms.id ?? "")).body?.length).toBeGreaterThan(4);
});
