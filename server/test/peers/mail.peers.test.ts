import { createServer } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { keepPlatformDomain } from "#email/domain/keep-platform-domain.ts";
import { type EmailInput, type EmailTransport, emailChannel, findPlatformDomain } from "#email/index.ts";
import { startBounceHost } from "#listeners/index.ts";
import { listMessageEvents } from "#messaging/index.ts";
import { addressPolicy, type Ctx } from "#platform/index.ts";
import { createMxTransport } from "#providers/email/smtp/mx/create-mx-transport.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { attempt, mailsIn, requireMailPrograms, sendOne, until } from "#test/support/debian/mail-peers.ts";
import { startOpenDkim, type Verifier } from "#test/support/debian/opendkim.ts";
import { type Postfix, startPostfix } from "#test/support/debian/postfix.ts";
import { startSmtpSink } from "#test/support/debian/smtp-sink.ts";
import { outgoing, patient, stubDns } from "#test/support/mail/mail-peer.ts";
import { certificate } from "#test/support/network/certificate.ts";
import { freePort } from "#test/support/network/free-port.ts";

requireMailPrograms();

const bounceDomain = "bounce.tillpost.example";
const whole = await testApp();
// Postfix and OpenDKIM use the machine's clock.
whole.clock.run();
const ctx: Ctx = { ...whole.ctx, mail: { ...whole.ctx.mail, bounceDomain } };
const ends: (() => Promise<unknown>)[] = [];
const greylisted = new Set<string>();
let postfix: Postfix;
let verifier: Verifier;
let mx: EmailTransport;
let shop: TestTenant;

beforeAll(async () => {
  shop = await whole.tenant({ livemode: true });
  await keepPlatformDomain(ctx);
  const dkim = (await findPlatformDomain(ctx))?.records.find(({ purpose }) => purpose === "dkim");
  verifier = await startOpenDkim({ [dkim?.name ?? ""]: dkim?.value ?? "" });
  ends.push(() => verifier.stop());
  const bounces = await startBounceHost(ctx, { host: "127.0.0.1", port: 0, name: bounceDomain, tls: null });
  ends.push(() => bounces.stop());
  postfix = await receivingPostfix({ bouncePort: bounces.port, policyPort: await greylist() });
  ends.push(() => postfix.stop());
  mx = transportTo(postfix.port);
});

afterAll(async () => {
  for (const end of ends.toReversed()) await end();
});

/**
 * A Postfix with mailboxes for lovelace.dev, an untrusted certificate, greylisting for some, and a recipient whose email it takes and then
 * can't deliver.
 */
async function receivingPostfix({ bouncePort, policyPort }: { bouncePort: number; policyPort: number }): Promise<Postfix> {
  const { key, cert } = await certificate();
  const started = await startPostfix({
    port: await freePort(),
    services: ["tlsmgr unix - - n 1000? 1 tlsmgr"],
    files: {
      boxes: "ada@lovelace.dev ada/\ngrey@lovelace.dev grey/\nbusy@lovelace.dev busy/\nclosed@lovelace.dev closed/\n",
      aliases: "late@lovelace.dev gone@elsewhere.dev\n",
      transports: `elsewhere.dev error:5.1.1 The mailbox gone@elsewhere.dev does not exist\n${bounceDomain} smtp:[127.0.0.1]:${bouncePort}\n`,
      access: "busy@lovelace.dev 450 4.2.1 Mailbox busy, try again in 7 minutes\nclosed@lovelace.dev 421 4.3.2 Service shutting down\n",
      "server.pem": `${key}\n${cert}\n`,
    },
    settings: {
      virtual_mailbox_domains: "lovelace.dev",
      virtual_mailbox_maps: "texthash:$config_directory/boxes",
      virtual_alias_maps: "texthash:$config_directory/aliases",
      transport_maps: "texthash:$config_directory/transports",
      smtpd_recipient_restrictions: `check_recipient_access texthash:$config_directory/access, check_policy_service inet:127.0.0.1:${policyPort}, permit_mynetworks, reject`,
      smtpd_tls_security_level: "may",
      smtpd_tls_chain_files: "$config_directory/server.pem",
      smtpd_milters: `inet:127.0.0.1:${verifier.port}`,
      milter_default_action: "tempfail",
      message_size_limit: "100000",
      virtual_mailbox_limit: "0",
    },
  });
  return started;
}

/** Postfix's policy protocol: names and values, an empty line; one action in response. Defers the first try of addresses called grey. */
async function greylist(): Promise<number> {
  const server = createServer((socket) => {
    let input = "";
    socket.on("error", () => {});
    socket.on("data", (part) => {
      input += String(part);
      if (!input.endsWith("\n\n")) return;
      const recipient = /^recipient=(.*)$/m.exec(input)?.[1] ?? "";
      input = "";
      const isNew = recipient.startsWith("grey") && !greylisted.has(recipient);
      greylisted.add(recipient);
      socket.write(`action=${isNew ? "defer 4.2.0 Greylisted, try again in 60 seconds" : "dunno"}\n\n`);
    });
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  ends.push(async () => server.close());
  return port;
}

function transportTo(port: number): EmailTransport {
  const made = createMxTransport({
    hello: "tillpost.example",
    now: ctx.now,
    dns: stubDns({
      "lovelace.dev": { mx: [[10, "mx.lovelace.dev"]] },
      "mx.lovelace.dev": { a: ["127.0.0.1"] },
      "nomail.dev": { mx: [[0, "."]] },
    }),
    fetchText: async () => null,
    admits: addressPolicy(["127.0.0.0/8"]),
    port,
  });
  ends.push(() => made.close());
  return made;
}

const send = (to: string, given: Partial<EmailInput> = {}) => sendOne({ ctx, shop, live: mx }, to, given);
const mailsOf = (box: string) => mailsIn(postfix, box);

test("Postfix accepts a message over an untrusted certificate, and OpenDKIM passes its signature", async () => {
  const mail = await send("ada@lovelace.dev", {
    unsubscribe: true,
    subject: "Grüße 你好",
    cc: "b@lovelace.dev",
    text: ".\r\n..\r\nFrom here\r\n",
    category: "marketing",
  });
  await until(() => mailsOf("ada").length === 1, postfix);
  expect(await mail.recipient()).toMatchObject({ status: "delivered", smtp_code: 250 });
  const [taken = ""] = mailsOf("ada");
  expect(taken).toMatch(/Authentication-Results: verifier\.example;[\s\S]{0,40}dkim=pass/);
  expect(taken.replace(/\n[ \t]+/g, "")).toMatch(/DKIM-Signature:.*h=[^;]*list-unsubscribe:list-unsubscribe-post/);
  expect(taken).toMatch(/with ESMTPS/);
  expect(taken).not.toMatch(/^bcc:/im);
});

test("OpenDKIM fails a message whose unsubscribe header was changed in transit", async () => {
  const before = mailsOf("ada").length;
  const [signed = ""] = mailsOf("ada");
  const raw = signed
    .slice(signed.indexOf("DKIM-Signature:"))
    .replace("List-Unsubscribe=One-Click", "List-Unsubscribe=Two-Click")
    .replace(/\r?\n/g, "\r\n");
  await mx.send(outgoing({ to: "ada@lovelace.dev", raw: Buffer.from(raw) }), patient);
  await until(() => mailsOf("ada").length === before + 1, postfix);
  expect(mailsOf("ada").filter((mail) => /dkim=fail/.test(mail))).toHaveLength(1);
});

test("greylisted by Postfix, delivered at the next attempt", async () => {
  const mail = await send("grey@lovelace.dev");
  expect(await mail.recipient()).toMatchObject({ status: "delivery_delayed", smtp_code: 450, enhanced_code: "4.2.0" });
  whole.clock.advance(70_000);
  await attempt(ctx, mx);
  whole.clock.run();
  expect(await mail.status()).toBe("delivered");
});

test("an unknown mailbox bounces and gets no more email", async () => {
  const mail = await send("nobody@lovelace.dev");
  expect(await mail.recipient()).toMatchObject({
    status: "bounced",
    smtp_code: 550,
    enhanced_code: "5.1.1",
    bounce: { type: "permanent", subtype: "no_email" },
  });
  expect(await (await send("nobody@lovelace.dev")).status()).toBe("suppressed");
});

test("a busy mailbox is tried later, when Postfix requests it", async () => {
  const mail = await send("busy@lovelace.dev");
  const recipient = await mail.recipient();
  expect(recipient).toMatchObject({ status: "delivery_delayed", smtp_code: 450 });
  expect((recipient?.due_at.getTime() ?? 0) - Date.now()).toBeGreaterThan(400_000);
});

test("a message that is too large for Postfix is refused before it is sent", async () => {
  const mail = await send("ada@lovelace.dev", { text: "x".repeat(150_000) });
  expect(await mail.recipient()).toMatchObject({ status: "bounced", bounce: { type: "permanent", subtype: "message_too_large" } });
});

test("a null MX bounces immediately", async () => {
  const mail = await send("ada@nomail.dev");
  expect(await mail.recipient()).toMatchObject({ status: "bounced", enhanced_code: "5.1.10", bounce: { subtype: "dns" } });
});

test("what Postfix accepts and can't deliver is returned as a bounce, to our own host", async () => {
  const mail = await send("late@lovelace.dev");
  await until(async () => (await mail.status()) === "bounced", postfix);
  expect(await mail.recipient()).toMatchObject({ enhanced_code: "5.1.1", bounce: { type: "permanent", subtype: "no_email" } });
  const { rows } = await listMessageEvents(ctx, shop, { channel: emailChannel, id: mail.id, limit: 20 });
  expect(rows.map((row) => row.event)).toContain("email.bounced");
});

test("a site that closes delays its email, which says so after the first try", async () => {
  const mail = await send("closed@lovelace.dev");
  expect(await mail.recipient()).toMatchObject({
    status: "delivery_delayed",
    attempts: 1,
    smtp_code: 421,
    diagnostic: expect.stringContaining("421"),
  });
  const { rows } = await listMessageEvents(ctx, shop, { channel: emailChannel, id: mail.id, limit: 20 });
  expect(rows.map((row) => row.event)).toEqual(["email.delivery_delayed", "email.queued"]);
});

test("a thousand messages reach smtp-sink over few connections, none twice", async () => {
  const sink = await startSmtpSink();
  const transport = transportTo(sink.port);
  const emails = Array.from({ length: 1_000 }, (_, n) => outgoing({ to: `reader${n}@lovelace.dev` }));
  const outcomes = await Promise.all(emails.map((one) => transport.send(one, patient)));
  const ids = sink.messageIds();
  await sink.stop();
  const accepted = emails.filter((_, n) => outcomes[n]?.result === "accepted").map((one) => one.message_id);
  expect(ids.toSorted()).toEqual(accepted.toSorted());
  expect(outcomes.every((one) => one.result === "accepted" || one.result === "held")).toBe(true);
  expect(accepted.length).toBeGreaterThan(900);
});
