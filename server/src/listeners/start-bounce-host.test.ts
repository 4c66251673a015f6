import { connect } from "node:net";
import { afterAll, expect, test } from "vitest";
import { returnPathOf } from "#email/bounce/return-path.ts";
import { findEmail, listEmails } from "#email/index.ts";
import { unsubscribeUrl } from "#email/unsubscribe/unsubscribe-token.ts";
import { sendNotices } from "#notices/index.ts";
import { ownProject } from "#platform/index.ts";
import { createRelayTransport } from "#providers/email/smtp/relay/create-relay-transport.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { mailRoom } from "#test/support/mail/mail.ts";
import { outgoing, patient } from "#test/support/mail/mail-peer.ts";
import { complaint, dsn } from "#test/support/mail/mail-reports.ts";
import { listNotices } from "#test/support/mail/notices.sql.ts";
import { certificate } from "#test/support/network/certificate.ts";
import { visitor } from "#test/support/people/visitors.ts";
import { type BounceHostOptions, startBounceHost } from "./start-bounce-host.ts";

const app = await testApp();
const { ctx, tenant } = app;
const room = mailRoom(ctx);
const domain = "bounce.tillpost.example";

async function listening(options: Partial<BounceHostOptions> = {}) {
  const bounces = await startBounceHost(ctx, { host: "127.0.0.1", port: 0, name: domain, tls: null, ...options });
  const sender = createRelayTransport({ url: `smtp://127.0.0.1:${bounces.port}`, hello: "mx.example.com", now: () => new Date() });
  afterAll(async () => {
    await sender.close();
    await bounces.stop();
  });
  return {
    bounces,
    bring: (to: string, raw: string | Buffer, from = "") =>
      sender.send(outgoing({ to, raw: Buffer.from(raw), return_path: from }), patient),
  };
}

/** For all reports that are accepted; what is refused or counted has its own. */
const { bring } = await listening();
const shop = await tenant({ livemode: true });
const sent = await sendMany(40);

/** LIVE messages that a relay has taken, each to its own address. Sent together: a round of sending takes as long for one as for many. */
async function sendMany(count: number) {
  room.transport.answer = () => ({ provider: "script", result: "accepted", final: false, smtp_code: 250 });
  const made = await Promise.all(Array.from({ length: count }, (_, n) => room.send(shop, { to: `reader-${n}@lovelace.dev` })));
  await room.settle();
  return made;
}

/** The next of these messages, and the return address of its copy. */
function sentMail() {
  const made = sent.pop();
  const [recipient] = made?.recipients ?? [];
  if (made === undefined || recipient === undefined) throw new Error("too few messages were sent");
  const { email } = made;
  const to = recipient.address;
  return {
    to,
    message_id: email.message_id,
    path: returnPathOf(ctx.masterKeys, domain, recipient.id),
    unsubscribe: unsubscribeUrl(ctx, { tenant: shop, email_id: email.id, address: to }),
    status: () => room.status(shop, email.id),
    events: () => room.eventsOf(shop, email.id),
  };
}

test("a report of failure bounces its message, and the address is suppressed", async () => {
  const mail = sentMail();
  expect(await mail.status()).toBe("sent");
  expect(await bring(mail.path, dsn({ mailbox: mail.to }))).toMatchObject({ result: "accepted" });
  expect([await mail.status(), (await mail.events()).at(-1)]).toEqual(["bounced", "bounced"]);
  const again = await room.send(shop, { to: mail.to });
  expect(again.email.status).toBe("suppressed");
});

test("a block because of our reputation bounces the message and doesn't suppress the address", async () => {
  const mail = sentMail();
  await bring(mail.path, dsn({ status: "5.7.1", says: "smtp; 550 5.7.1 blocked using zen.spamhaus.org" }));
  expect(await mail.status()).toBe("bounced");
  expect((await room.send(shop, { to: mail.to })).email.status).toBe("queued");
});

test.each([
  ["delivered", "2.0.0", "delivered"],
  ["delayed", "4.4.1", "sent"],
])("a report of %s is recognized as that", async (action, status, now) => {
  const mail = sentMail();
  expect(await bring(mail.path, dsn({ action, status, says: "smtp; 250 ok" }))).toMatchObject({ result: "accepted" });
  expect(await mail.status()).toBe(now);
});

test("a complaint is recognized as that", async () => {
  const mail = sentMail();
  await bring(mail.path, complaint());
  expect(await mail.status()).toBe("complained");
  expect((await room.send(shop, { to: mail.to })).email.status).toBe("suppressed");
});

/** A complaint about a message, sent to the address for complaints. */
async function complained(make: (mail: ReturnType<typeof sentMail>, other: ReturnType<typeof sentMail>) => string) {
  const [mail, other] = [sentMail(), sentMail()];
  expect(await bring(`fbl@${domain}`, make(mail, other), "feedback@provider.example")).toMatchObject({ result: "accepted" });
  return { mail: await mail.status(), other: await other.status() };
}

test.each<[string, Parameters<typeof complained>[0]]>([
  ["the return address that it names", ({ path }) => complaint({ fields: [`Original-Mail-From: <${path}>`] })],
  [
    "the return address in the message",
    ({ path }) => complaint({ fields: ["Original-Mail-From: <x@relay.example>"], headers: [`Return-Path: <${path}>`] }),
  ],
  ["the unsubscribe token in the message", ({ unsubscribe }) => complaint({ headers: [`List-Unsubscribe: <${unsubscribe}>`] })],
])("a complaint that a provider sends is about the copy of %s", async (_what, make) => {
  expect(await complained(make)).toEqual({ mail: "complained", other: "sent" });
});

test.each<[string, Parameters<typeof complained>[0]]>([
  ["a Message-ID that anybody may know", ({ message_id }) => complaint({ headers: [`Message-ID: ${message_id}`] })],
  [
    "a Message-ID with the recipient's address",
    ({ message_id, to }) => complaint({ fields: [`Original-Rcpt-To: <${to}>`], headers: [`Message-ID: ${message_id}`, `To: ${to}`] }),
  ],
  [
    "a return address with another signature",
    ({ path }) => complaint({ fields: [`Original-Mail-From: <${path.replace(/\.[0-9a-f]{4}/, ".0000")}>`] }),
  ],
  ["a token that was changed", ({ unsubscribe }) => complaint({ headers: [`List-Unsubscribe: <${unsubscribe.slice(0, -2)}>`] })],
  ["no copy at all", () => dsn()],
])("a complaint about %s suppresses no one", async (_what, make) => {
  expect(await complained(make)).toEqual({ mail: "sent", other: "sent" });
});

test("a complaint from one recipient with another's Message-ID counts for the one whose return address it has", async () => {
  expect(
    await complained(({ message_id }, { path }) =>
      complaint({ fields: [`Original-Mail-From: <${path}>`], headers: [`Message-ID: ${message_id}`] }),
    ),
  ).toEqual({
    mail: "sent",
    other: "complained",
  });
});

test("a repeated report changes nothing more", async () => {
  const mail = sentMail();
  await bring(mail.path, dsn());
  const events = await mail.events();
  expect(await bring(mail.path, dsn())).toMatchObject({ result: "accepted" });
  expect(await mail.events()).toEqual(events);
});

test("an out-of-office reply is accepted and changes nothing", async () => {
  const mail = sentMail();
  expect(await bring(mail.path, "Subject: Out of office\r\nAuto-Submitted: auto-replied\r\n\r\nAway.\r\n")).toMatchObject({
    result: "accepted",
  });
  expect(await mail.status()).toBe("sent");
});

test("a report with a sender is accepted, though reports should have none", async () => {
  const mail = sentMail();
  expect(await bring(mail.path, dsn(), "mailer-daemon@mx.example.com")).toMatchObject({ result: "accepted" });
  expect(await mail.status()).toBe("bounced");
});

test("what a person writes to a return address is refused, and changes nothing", async () => {
  const { bring } = await listening();
  const mail = sentMail();
  for (const more of ["", "Auto-Submitted: auto-replied\r\n", "Subject: Undelivered Mail Returned to Sender\r\n"])
    expect(await bring(mail.path, email(more), "ada@lovelace.dev")).toMatchObject({ smtp_code: 550, enhanced_code: "5.7.1" });
  expect(await mail.status()).toBe("sent");
});

test("email to any other address is refused", async () => {
  const { bring } = await listening();
  const { path } = sentMail();
  const forged = path.replace(/\.[0-9a-f]{4}/, ".0000");
  for (const to of [forged, `somebody@${domain}`])
    expect(await bring(to, dsn())).toMatchObject({ result: "refused", smtp_code: 550, enhanced_code: "5.1.1" });
  // Not what would look like a mailbox that is gone: a domain that leads here by mistake has its mailboxes elsewhere.
  for (const to of ["somebody@example.com", "postmaster@example.com"])
    expect(await bring(to, dsn())).toMatchObject({ result: "deferred", smtp_code: 550, enhanced_code: "5.7.1" });
});

const email = (more = "") => `From: Ada <ada@corner.books>\r\nSubject: Too much mail\r\n${more}\r\nPlease stop.\r\n`;
const operator = await visitor(app, { is_operator: true });
const emailsWritten = async () => (await listNotices(ctx.db, "letter_received")).length;

test.each([`postmaster@${domain}`, `Abuse@${domain}`, "postmaster"])("a letter to %s is forwarded to the operators", async (to) => {
  expect(await bring(to, email(), "ada@corner.books")).toMatchObject({ result: "accepted" });
  await sendNotices(ctx);
  const { rows } = await listEmails(ctx, ownProject, { limit: 10, filters: { to: [operator.email] } });
  const { body } = await findEmail(ctx, ownProject, rows[0]?.email.id ?? "");
  expect(rows[0]?.email).toMatchObject({ subject: `Message to ${to}`, addressees: { reply_to: "ada@corner.books" } });
  for (const text of ["ada@corner.books", "Too much mail", "Please stop."]) expect(body?.text).toContain(text);
});

test("a complaint to abuse@ counts as one, and isn't forwarded", async () => {
  const mail = sentMail();
  const before = await emailsWritten();
  expect(
    await bring(`abuse@${domain}`, complaint({ fields: [`Original-Mail-From: <${mail.path}>`] }), "feedback@provider.example"),
  ).toMatchObject({
    result: "accepted",
  });
  expect([await mail.status(), (await emailsWritten()) - before]).toEqual(["complained", 0]);
});

test.each([
  ["without a sender", email(), ""],
  ["of a program", email("Auto-Submitted: auto-replied\r\n"), "ada@corner.books"],
  ["of a list", email("List-Id: <news.corner.books>\r\n"), "ada@corner.books"],
  ["to the address for complaints", email(), "ada@corner.books"],
])("what arrives at postmaster %s is accepted and not forwarded", async (what, raw, from) => {
  const before = await emailsWritten();
  expect(await bring(`${what.includes("complaints") ? "fbl" : "postmaster"}@${domain}`, raw, from)).toMatchObject({ result: "accepted" });
  expect((await emailsWritten()) - before).toBe(0);
});

test("of many letters in an hour operators get twenty, and the others are deferred", async () => {
  const { bring } = await listening();
  const before = await emailsWritten();
  for (let n = 0; n < 20; n += 1) await bring(`postmaster@${domain}`, email(), "ada@corner.books");
  expect(await bring(`postmaster@${domain}`, email(), "ada@corner.books")).toMatchObject({ result: "deferred", smtp_code: 452 });
  expect((await emailsWritten()) - before).toBe(20);
});

test("a report far larger than usual is read from its beginning, and its sender gets a response", async () => {
  const { bring } = await listening();
  const mail = sentMail();
  const large = dsn().replace(
    "--B--",
    `--B\r\nContent-Type: message/rfc822\r\n\r\nSubject: Hi\r\n\r\n${"x".repeat(70).concat("\r\n").repeat(15_000)}\r\n--B--`,
  );
  expect(await bring(mail.path, large)).toMatchObject({ result: "accepted" });
  expect(await mail.status()).toBe("bounced");
});

test("if the database is unavailable, its sender is asked to retry", async () => {
  const broken = { ...ctx, transact: () => Promise.reject(new Error("gone")) };
  const bounces = await startBounceHost(broken, { host: "127.0.0.1", port: 0, name: domain, tls: null });
  const sender = createRelayTransport({ url: `smtp://127.0.0.1:${bounces.port}`, hello: "mx.example.com", now: () => new Date() });
  const mail = sentMail();
  expect(await sender.send(outgoing({ to: mail.path, raw: Buffer.from(dsn()), return_path: "" }), patient)).toMatchObject({
    result: "deferred",
    smtp_code: 451,
  });
  await sender.close();
  await bounces.stop();
});

test("encryption is offered with a certificate, and not without", async () => {
  const plain = await listening();
  const secure = await listening({ tls: await certificate() });
  expect(await greeted(plain.bounces.port)).not.toContain("STARTTLS");
  expect(await greeted(secure.bounces.port)).toContain("STARTTLS");
  const mail = sentMail();
  expect(await secure.bring(mail.path, dsn())).toMatchObject({ result: "accepted" });
});

test("one address may have only a limited number of connections", async () => {
  const { bounces } = await listening({ connectionsPerAddress: 2 });
  const held = [connect(bounces.port, "127.0.0.1"), connect(bounces.port, "127.0.0.1")];
  await Promise.all(held.map((socket) => new Promise((resolve) => socket.once("data", resolve))));
  expect(await greeted(bounces.port)).toContain("421 4.7.0");
  for (const socket of held) socket.destroy();
});

/** What the server says to a hello. */
function greeted(port: number): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(port, "127.0.0.1").on("error", () => resolve(text));
    socket
      .on("close", () => resolve(text))
      .on("data", (part) => {
        text += String(part);
        if (text.startsWith("220") && !text.includes("250")) socket.write("EHLO mx.example.com\r\n");
        if (/^250 /m.test(text)) socket.end("QUIT\r\n");
      });
  });
}
