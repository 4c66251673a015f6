import { afterAll, beforeAll, expect, test } from "vitest";
import { keepPlatformDomain } from "#email/domain/keep-platform-domain.ts";
import { type EmailTransport, emailChannel, findPlatformDomain } from "#email/index.ts";
import { startBounceHost } from "#listeners/index.ts";
import { listMessageEvents } from "#messaging/index.ts";
import type { Ctx } from "#platform/index.ts";
import { createRelayTransport } from "#providers/email/smtp/relay/create-relay-transport.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { mailsIn, requireMailPrograms, sendOne, until } from "#test/support/debian/mail-peers.ts";
import { startOpenDkim } from "#test/support/debian/opendkim.ts";
import { type Postfix, startPostfix } from "#test/support/debian/postfix.ts";
import { startSignIns } from "#test/support/debian/postfix-auth.ts";
import { certificate } from "#test/support/network/certificate.ts";
import { freePort } from "#test/support/network/free-port.ts";

requireMailPrograms();

const bounceDomain = "bounce.tillpost.example";
const login = { user: "shop", pass: "p:w@1" };
const whole = await testApp();
// Postfix uses the machine's clock.
whole.clock.run();
const ctx: Ctx = { ...whole.ctx, mail: { ...whole.ctx.mail, bounceDomain, transport: "relay" } };
const ends: (() => Promise<unknown>)[] = [];
let relay: Postfix;
let receiver: Postfix;
let live: EmailTransport;
let shop: TestTenant;

beforeAll(async () => {
  shop = await whole.tenant({ livemode: true });
  await keepPlatformDomain(ctx);
  const bounces = await startBounceHost(ctx, { host: "127.0.0.1", port: 0, name: bounceDomain, tls: null });
  ends.push(() => bounces.stop());
  receiver = await receivingPostfix();
  relay = await relayingPostfix(bounces.port);
  live = relayWith(login.pass);
});

afterAll(async () => {
  for (const end of ends.toReversed()) await end();
});

/** The recipients' own server, behind the relay: mailboxes for lovelace.dev, and OpenDKIM that checks every message. */
async function receivingPostfix(): Promise<Postfix> {
  const dkim = (await findPlatformDomain(ctx))?.records.find(({ purpose }) => purpose === "dkim");
  const verifier = await startOpenDkim({ [dkim?.name ?? ""]: dkim?.value ?? "" });
  ends.push(() => verifier.stop());
  const started = await startPostfix({
    port: await freePort(),
    files: { boxes: "ada@lovelace.dev ada/\n" },
    settings: {
      virtual_mailbox_domains: "lovelace.dev",
      virtual_mailbox_maps: "texthash:$config_directory/boxes",
      smtpd_milters: `inet:127.0.0.1:${verifier.port}`,
      milter_default_action: "tempfail",
    },
  });
  ends.push(() => started.stop());
  return started;
}

/** The operator's relay: accepts email over TLS after sign-in, with an untrusted certificate, and passes it to the recipients' server. */
async function relayingPostfix(bouncePort: number): Promise<Postfix> {
  const { key, cert } = await certificate();
  const signIns = await startSignIns(login);
  ends.push(() => signIns.stop());
  const started = await startPostfix({
    port: await freePort(),
    services: ["tlsmgr unix - - n 1000? 1 tlsmgr"],
    files: {
      transports: `${bounceDomain} smtp:[127.0.0.1]:${bouncePort}\n`,
      access: "busy@lovelace.dev 450 4.2.1 Mailbox busy, try again in 7 minutes\nforeign@lovelace.dev 554 5.7.1 Relay access denied\n",
      "server.pem": `${key}\n${cert}\n`,
    },
    settings: {
      relayhost: `[127.0.0.1]:${receiver.port}`,
      transport_maps: "texthash:$config_directory/transports",
      smtpd_tls_security_level: "encrypt",
      smtpd_tls_chain_files: "$config_directory/server.pem",
      smtpd_sasl_auth_enable: "yes",
      smtpd_sasl_type: "dovecot",
      smtpd_sasl_path: `inet:127.0.0.1:${signIns.port}`,
      smtpd_relay_restrictions: "permit_sasl_authenticated, reject",
      smtpd_recipient_restrictions: "check_recipient_access texthash:$config_directory/access, permit_sasl_authenticated, reject",
      message_size_limit: "100000",
    },
  });
  ends.push(() => started.stop());
  return started;
}

function relayWith(password: string): EmailTransport {
  const credentials = `${login.user}:${encodeURIComponent(password)}`;
  const made = createRelayTransport({ url: `smtp://${credentials}@127.0.0.1:${relay.port}`, hello: "tillpost.example", now: ctx.now });
  ends.push(() => made.close());
  return made;
}

test("signed in over TLS, through a relay to another server, where OpenDKIM passes the signature with List-Unsubscribe-Post in it", async () => {
  const mail = await sendOne({ ctx, shop, live }, "ada@lovelace.dev", {
    category: "marketing",
    subject: "Grüße 你好",
    text: `.\r\n..\r\nFrom here\r\n${"long ".repeat(400)}\r\n`,
    attachments: [{ filename: "rechnung é.pdf", content: Buffer.alloc(20_000, 7).toString("base64"), content_type: "application/pdf" }],
  });
  expect(await mail.status()).toBe("sent");
  await until(() => mailsIn(receiver, "ada").length === 1, receiver);
  const [taken = ""] = mailsIn(receiver, "ada");
  expect(taken).toMatch(/Authentication-Results: verifier\.example;[\s\S]{0,40}dkim=pass/);
  expect(taken.replace(/\n[ \t]+/g, "")).toMatch(/DKIM-Signature:.*h=[^;]*list-unsubscribe:list-unsubscribe-post/);
  expect(relay.log()).toContain(`sasl_username=${login.user}`);
  expect(taken).toMatch(/with ESMTPSA/);
});

test("a wrong password stops the relay, and loses no email", async () => {
  const mail = await sendOne({ ctx, shop, live: relayWith("wrong") }, "ada@lovelace.dev");
  expect(await mail.recipient()).toMatchObject({ status: "delivery_delayed", attempts: 1, diagnostic: expect.stringContaining("535") });
});

test("a recipient that the relay can't deliver to is returned as a bounce, to our own host, and gets no more email", async () => {
  const mail = await sendOne({ ctx, shop, live }, "nobody@lovelace.dev");
  await until(async () => (await mail.status()) === "bounced", relay);
  expect(await mail.recipient()).toMatchObject({ enhanced_code: "5.1.1", bounce: { type: "permanent", subtype: "no_email" } });
  const { rows } = await listMessageEvents(ctx, shop, { channel: emailChannel, id: mail.id, limit: 20 });
  expect(rows.map((row) => row.event)).toEqual(["email.bounced", "email.sent", "email.queued"]);
  expect(await (await sendOne({ ctx, shop, live }, "nobody@lovelace.dev")).status()).toBe("suppressed");
});

test.each([
  ["busy@lovelace.dev", {}, { status: "delivery_delayed", smtp_code: 450, enhanced_code: "4.2.1" }],
  ["foreign@lovelace.dev", {}, { status: "delivery_delayed", smtp_code: 554 }],
  ["ada@lovelace.dev", { text: "x".repeat(150_000) }, { status: "bounced", bounce: { subtype: "message_too_large" } }],
])("what the relay itself reports about a message to %s is applied", async (to, given, outcome) => {
  expect(await (await sendOne({ ctx, shop, live }, to, given)).recipient()).toMatchObject(outcome);
});

test("a relay's own refusal to relay loses no message and suppresses no one", async () => {
  const mail = await sendOne({ ctx, shop, live }, "foreign@lovelace.dev");
  expect(await mail.status()).toBe("delivery_delayed");
});
