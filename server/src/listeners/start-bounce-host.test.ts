import { connect } from "node:net";
import { afterAll, expect, test } from "vitest";
import { returnPathOf } from "#messaging/index.ts";
import { createRelayTransport } from "#providers/email/smtp/relay/create-relay-transport.ts";
import { certificate } from "#test/certificate.ts";
import { house } from "#test/house.ts";
import { mailRoom } from "#test/mail.ts";
import { parcel, patient } from "#test/mail-peer.ts";
import { type BounceHostOptions, startBounceHost } from "./start-bounce-host.ts";

const { ctx, tenant } = await house();
const room = mailRoom(ctx);
const domain = "bounce.tillpost.example";

async function listening(options: Partial<BounceHostOptions> = {}) {
  const bounces = await startBounceHost(ctx, { host: "127.0.0.1", port: 0, name: domain, tls: null, ...options });
  const sender = createRelayTransport({ url: `smtp://127.0.0.1:${bounces.port}`, hello: "mx.example.com", now: () => new Date() });
  afterAll(async () => {
    await sender.close();
    await bounces.stop();
  });
  return { bounces, bring: (to: string, raw: string | Buffer, from = "") => sender.send(parcel({ to, raw: Buffer.from(raw), return_path: from }), patient) };
}

/** A LIVE message that a relay has taken, and the return address of its copy. */
async function sentMail(to = "ada@lovelace.dev") {
  const shop = await tenant({ livemode: true });
  room.transport.answer = () => ({ provider: "script", result: "accepted", final: false, smtp_code: 250 });
  const { email, recipients } = await room.send(shop, { to });
  await room.settle();
  const [recipient] = recipients;
  return {
    shop,
    id: email.id,
    path: returnPathOf(ctx.masterKeys, domain, recipient?.id ?? ""),
    status: () => room.status(shop, email.id),
    told: () => room.told(shop, email.id),
  };
}

function dsn({ action = "failed", status = "5.1.1", says = "smtp; 550 5.1.1 User unknown" } = {}) {
  return [
    "From: MAILER-DAEMON@mx.example.com",
    "Subject: Undelivered",
    "MIME-Version: 1.0",
    'Content-Type: multipart/report; report-type=delivery-status; boundary="B"',
    "",
    "--B",
    "Content-Type: message/delivery-status",
    "",
    "Reporting-MTA: dns; mx.example.com",
    "",
    "Final-Recipient: rfc822; ada@lovelace.dev",
    `Action: ${action}`,
    `Status: ${status}`,
    `Diagnostic-Code: ${says}`,
    "",
    "--B--",
    "",
  ].join("\r\n");
}

const complaint = dsn()
  .replace(/delivery-status/g, "feedback-report")
  .replace(/Reporting-MTA[\s\S]*User unknown/, "Feedback-Type: abuse\r\nVersion: 1");

test("a report of failure bounces its message, and the address is written to no more", async () => {
  const { bring } = await listening();
  const mail = await sentMail();
  expect(await mail.status()).toBe("sent");
  expect(await bring(mail.path, dsn())).toMatchObject({ result: "accepted" });
  expect([await mail.status(), (await mail.told()).at(-1)]).toEqual(["bounced", "bounced"]);
  const again = await room.send(mail.shop, { to: "ada@lovelace.dev" });
  expect(again.email.status).toBe("suppressed");
});

test("a block for our standing bounces the message and leaves the address alone", async () => {
  const { bring } = await listening();
  const mail = await sentMail("bob@lovelace.dev");
  await bring(mail.path, dsn({ status: "5.7.1", says: "smtp; 550 5.7.1 blocked using zen.spamhaus.org" }));
  expect(await mail.status()).toBe("bounced");
  expect((await room.send(mail.shop, { to: "bob@lovelace.dev" })).email.status).toBe("queued");
});

test.each([
  ["delivered", "2.0.0", "delivered"],
  ["delayed", "4.4.1", "sent"],
])("a report of %s is taken as that", async (action, status, now) => {
  const { bring } = await listening();
  const mail = await sentMail();
  expect(await bring(mail.path, dsn({ action, status, says: "smtp; 250 ok" }))).toMatchObject({ result: "accepted" });
  expect(await mail.status()).toBe(now);
});

test("a complaint is taken as that", async () => {
  const { bring } = await listening();
  const mail = await sentMail("eve@lovelace.dev");
  await bring(mail.path, complaint);
  expect(await mail.status()).toBe("complained");
  expect((await room.send(mail.shop, { to: "eve@lovelace.dev" })).email.status).toBe("suppressed");
});

test("a complaint that a provider sends to the address for complaints is taken when the message names itself", async () => {
  const { bring } = await listening();
  const mail = await sentMail("mallory@lovelace.dev");
  const fbl = `fbl@${domain}`;
  const about = (path: string) => complaint.replace("\r\nVersion: 1\r\n", `\r\nVersion: 1\r\nOriginal-Mail-From: <${path}>\r\n`);
  expect(await bring(fbl, about(mail.path.replace(/\.[0-9a-f]{4}/, ".0000")), "feedback@provider.example")).toMatchObject({ result: "accepted" });
  expect(await bring(fbl, dsn(), "feedback@provider.example")).toMatchObject({ result: "accepted" });
  expect(await mail.status()).toBe("sent");
  expect(await bring(fbl, about(mail.path), "feedback@provider.example")).toMatchObject({ result: "accepted" });
  expect(await mail.status()).toBe("complained");
});

test("a repeated report changes nothing more", async () => {
  const { bring } = await listening();
  const mail = await sentMail();
  await bring(mail.path, dsn());
  const told = await mail.told();
  expect(await bring(mail.path, dsn())).toMatchObject({ result: "accepted" });
  expect(await mail.told()).toEqual(told);
});

test("the answer of somebody on holiday is taken and changes nothing", async () => {
  const { bring } = await listening();
  const mail = await sentMail();
  expect(await bring(mail.path, "Subject: Out of office\r\nAuto-Submitted: auto-replied\r\n\r\nAway.\r\n")).toMatchObject({ result: "accepted" });
  expect(await mail.status()).toBe("sent");
});

test("mail to any other address, or with a sender, is refused", async () => {
  const { bring } = await listening();
  const { path } = await sentMail();
  const forged = path.replace(/\.[0-9a-f]{4}/, ".0000");
  for (const to of [forged, `postmaster@${domain}`, "somebody@example.com"])
    expect(await bring(to, dsn())).toMatchObject({ result: "refused", smtp_code: 550 });
  expect(await bring(path, dsn(), "spammer@example.com")).toMatchObject({ result: "refused", smtp_code: 550 });
});

test("a report far larger than any is read from its beginning, and its sender does not wait in vain", async () => {
  const { bring } = await listening();
  const mail = await sentMail();
  const large = dsn().replace(
    "--B--",
    `--B\r\nContent-Type: message/rfc822\r\n\r\nSubject: Hi\r\n\r\n${"x".repeat(70).concat("\r\n").repeat(90_000)}\r\n--B--`,
  );
  expect(await bring(mail.path, large)).toMatchObject({ result: "accepted" });
  expect(await mail.status()).toBe("bounced");
});

test("with the database away its sender is asked to come again", async () => {
  const broken = { ...ctx, transact: () => Promise.reject(new Error("gone")) };
  const bounces = await startBounceHost(broken, { host: "127.0.0.1", port: 0, name: domain, tls: null });
  const sender = createRelayTransport({ url: `smtp://127.0.0.1:${bounces.port}`, hello: "mx.example.com", now: () => new Date() });
  const mail = await sentMail();
  expect(await sender.send(parcel({ to: mail.path, raw: Buffer.from(dsn()), return_path: "" }), patient)).toMatchObject({ result: "deferred", smtp_code: 451 });
  await sender.close();
  await bounces.stop();
});

test("encryption is offered with a certificate and not without", async () => {
  const plain = await listening();
  const secure = await listening({ tls: await certificate() });
  expect(await greeted(plain.bounces.port)).not.toContain("STARTTLS");
  expect(await greeted(secure.bounces.port)).toContain("STARTTLS");
  const mail = await sentMail();
  expect(await secure.bring(mail.path, dsn())).toMatchObject({ result: "accepted" });
});

test("one address may hold so many connections and no more", async () => {
  const { bounces } = await listening({ connectionsPerAddress: 2 });
  const held = [connect(bounces.port, "127.0.0.1"), connect(bounces.port, "127.0.0.1")];
  await Promise.all(held.map((socket) => new Promise((resolve) => socket.once("data", resolve))));
  expect(await greeted(bounces.port)).toContain("421 4.7.0");
  for (const socket of held) socket.destroy();
});

/** What the server says to a hello. */
function greeted(port: number): Promise<string> {
  return new Promise((resolve) => {
    let said = "";
    const socket = connect(port, "127.0.0.1").on("error", () => resolve(said));
    socket
      .on("close", () => resolve(said))
      .on("data", (part) => {
        said += String(part);
        if (said.startsWith("220") && !said.includes("250")) socket.write("EHLO mx.example.com\r\n");
        if (/^250 /m.test(said)) socket.end("QUIT\r\n");
      });
  });
}
