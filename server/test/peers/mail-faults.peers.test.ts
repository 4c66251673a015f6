import { afterAll, describe, expect, test } from "vitest";
import type { EmailTransport } from "#email/index.ts";
import { createRelayTransport } from "#providers/email/smtp/relay/create-relay-transport.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { attempt, requireMailPrograms, sendOne } from "#test/support/debian/mail-peers.ts";
import { startSmtpSink } from "#test/support/debian/smtp-sink.ts";
import { stubDns } from "#test/support/mail/mail-peer.ts";
import { lovelaceZone, openMx } from "#test/support/mail/mx-transport.ts";
import { freePort } from "#test/support/network/free-port.ts";

requireMailPrograms();

const { ctx, clock, tenant } = await testApp();
const open: EmailTransport[] = [];
afterAll(() => Promise.all(open.map((one) => one.close())));

const transports: Record<string, (port: number) => EmailTransport> = {
  "direct MX": (port) => openMx(port, { hello: "tillpost.example", now: ctx.now, dns: stubDns(lovelaceZone) }),
  "a relay": (port) => createRelayTransport({ url: `smtp://127.0.0.1:${port}`, hello: "tillpost.example", now: ctx.now }),
};

/** Sends one message; smtp-sink behaves as its flags say at the first attempt, and normally afterwards. */
async function sentThrough(way: string, flags: string[]) {
  const port = await freePort();
  const live = (transports[way] as (port: number) => EmailTransport)(port);
  open.push(live);
  const shop = await tenant({ livemode: true });
  const bad = await startSmtpSink({ flags, port });
  const mail = await sendOne({ ctx, shop, live }, "ada@lovelace.dev");
  const first = { status: await mail.status(), recipient: await mail.recipient(), ids: bad.messageIds() };
  await bad.stop();
  const good = await startSmtpSink({ port });
  clock.advance(3_600_000);
  await attempt(ctx, live);
  const second = { status: await mail.status(), ids: good.messageIds() };
  clock.advance(3_600_000);
  await attempt(ctx, live);
  const last = { status: await mail.status(), ids: good.messageIds() };
  await good.stop();
  return { mail, first, second, last };
}

describe.each([
  ["direct MX", "delivered"],
  ["a relay", "sent"],
])("through %s", (way, done) => {
  test("a connection lost after the message leads to one more attempt with the same Message-ID", async () => {
    const { mail, first, second, last } = await sentThrough(way, ["-q", "."]);
    expect([first.status, first.recipient?.attempts]).toEqual(["delivery_delayed", 1]);
    expect(first.ids).toEqual([mail.message_id]);
    expect([second, last]).toEqual([
      { status: done, ids: [mail.message_id] },
      { status: done, ids: [mail.message_id] },
    ]);
  });

  test.each([
    ["before the greeting", ["-q", "CONNECT"], "delivery_delayed", 1],
    ["after the recipient", ["-q", "RCPT"], "delivery_delayed", 1],
    ["when the message is announced", ["-q", "DATA"], "delivery_delayed", 1],
  ])("a connection lost %s duplicates nothing", async (_when, flags, status, attempts) => {
    const { mail, first, last } = await sentThrough(way, flags);
    expect([first.status, first.recipient?.attempts, first.ids]).toEqual([status, attempts, []]);
    expect(last).toEqual({ status: done, ids: [mail.message_id] });
  });

  test.each([
    ["the sender", "MAIL"],
    ["the recipient", "RCPT"],
    ["the message", "."],
  ])("refused temporarily at %s, accepted at the next attempt", async (_what, stage) => {
    const { mail, first, last } = await sentThrough(way, ["-r", stage]);
    expect([first.status, first.recipient?.smtp_code]).toEqual(["delivery_delayed", 450]);
    expect(last).toEqual({ status: done, ids: [mail.message_id] });
  });

  test.each([
    ["the recipient", "RCPT"],
    ["the message", "."],
  ])("refused permanently at %s, no longer tried", async (_what, stage) => {
    const { first, last } = await sentThrough(way, ["-f", stage]);
    expect([first.status, first.recipient?.bounce?.type]).toEqual(["bounced", "permanent"]);
    expect(last).toEqual({ status: "bounced", ids: [] });
  });
});
