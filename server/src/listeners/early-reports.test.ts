import { afterAll, describe, expect, test } from "vitest";
import { returnPathOf } from "#email/bounce/return-path.ts";
import { releaseScheduled } from "#email/change/release-scheduled.ts";
import { emailChannel, findEmail, type SendOutcome } from "#email/index.ts";
import { createEmailSender } from "#email/sending/create-email-sender.ts";
import { createSimulator } from "#email/simulator/simulator.ts";
import { findSuppressed } from "#messaging/index.ts";
import { createRelayTransport } from "#providers/email/smtp/relay/create-relay-transport.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { composeHere, drainMs, mailRoom, scriptedTransport } from "#test/support/mail/mail.ts";
import { outgoing, patient } from "#test/support/mail/mail-peer.ts";
import { complaint, dsn } from "#test/support/mail/mail-reports.ts";
import { startBounceHost } from "./start-bounce-host.ts";

const { ctx, tenant, clock } = await testApp();
const domain = "bounce.tillpost.example";
const taken: SendOutcome = { provider: "script", result: "accepted", final: false, smtp_code: 250 };
const unknown: SendOutcome = { provider: "script", result: "unknown" };
const reports = {
  failed: dsn(),
  delayed: dsn({ action: "delayed", status: "4.4.1", says: "smtp; 451 later" }),
  delivered: dsn({ action: "delivered", status: "2.0.0", says: "smtp; 250 ok" }),
  complaint: complaint(),
};
const lines: object[] = [];
const logging = {
  ...ctx,
  log: { ...ctx.log, info: (line: object) => void lines.push(line), error: ctx.log.error.bind(ctx.log) } as typeof ctx.log,
};

async function listening(timeoutMs: number) {
  const bounces = await startBounceHost(logging, { host: "127.0.0.1", port: 0, name: domain, tls: null, timeoutMs });
  const relay = createRelayTransport({ url: `smtp://127.0.0.1:${bounces.port}`, hello: "mx.example.com", now: () => new Date() });
  afterAll(async () => {
    await relay.close();
    await bounces.stop();
  });
  return (to: string, raw: string) => relay.send(outgoing({ to, raw: Buffer.from(raw), return_path: "" }), patient);
}

/** A LIVE message whose send a test ends when it likes. */
async function startSend() {
  const shop = await tenant({ livemode: true });
  const room = mailRoom(ctx);
  const live = scriptedTransport();
  let end = (_outcome: SendOutcome) => {};
  live.answer = () => new Promise((resolve) => (end = resolve));
  const { email, recipients } = await room.send(shop);
  const sender = createEmailSender({ transports: { live, test: createSimulator() }, compose: composeHere, drainMs });
  await sender.run(ctx);
  await expect.poll(() => live.emails.length).toBe(1);
  return {
    path: returnPathOf(ctx.masterKeys, domain, recipients[0]?.id ?? ""),
    status: () => room.status(shop, email.id),
    events: () => room.eventsOf(shop, email.id),
    recipient: async () => (await findEmail(ctx, shop, email.id)).recipients[0],
    isSuppressed: async () => (await findSuppressed(ctx.db, shop, { channel: emailChannel, addresses: ["ada@lovelace.dev"] })).size === 1,
    end: async (outcome: SendOutcome) => {
      end(outcome);
      await sender.finish(ctx);
    },
    /** Tries again once it is due. */
    again: async () => {
      clock.advance(3_600_000);
      await releaseScheduled(ctx);
      await room.settle();
      return room.transport.emails.length;
    },
  };
}

describe("a report that arrives while its copy is being sent", () => {
  test.each([
    ["failed", ["queued", "sent", "bounced"]],
    ["delayed", ["queued", "sent", "delivery_delayed"]],
    ["delivered", ["queued", "sent", "delivered"]],
    ["complaint", ["queued", "sent", "complained"]],
  ] as const)("of %s is deferred, and counts once the send has ended", async (kind, events) => {
    const bring = await listening(0);
    const mail = await startSend();
    expect(await bring(mail.path, reports[kind])).toMatchObject({ result: "deferred", smtp_code: 451, enhanced_code: "4.3.2" });
    expect(lines.at(-1)).toMatchObject({ result: "sending" });
    expect([await mail.status(), await mail.isSuppressed()]).toEqual(["sending", false]);
    await mail.end(taken);
    expect(await bring(mail.path, reports[kind])).toMatchObject({ result: "accepted" });
    expect(lines.at(-1)).toMatchObject({ result: "applied" });
    expect(await mail.events()).toEqual(events);
    expect(await bring(mail.path, reports[kind])).toMatchObject({ result: "accepted" });
    expect(lines.at(-1)).toMatchObject({ result: "unchanged" });
    expect(await mail.events()).toEqual(events);
  });

  test("is held until the send ends, if that is soon", async () => {
    const bring = await listening(20_000);
    const mail = await startSend();
    const before = lines.length;
    const brought = bring(mail.path, reports.failed);
    await new Promise((resolve) => setImmediate(resolve));
    await mail.end(taken);
    expect(await brought).toMatchObject({ result: "accepted" });
    expect(await mail.events()).toEqual(["queued", "sent", "bounced"]);
    expect(lines.slice(before)).toMatchObject([{ says: "bounce", result: "applied" }]);
  });
});

describe("a report about a copy whose acceptance is unknown", () => {
  test.each([
    ["failed", "bounced", ["queued", "delivery_delayed", "bounced"], true],
    ["delivered", "delivered", ["queued", "delivery_delayed", "delivered"], false],
    ["delayed", "sent", ["queued", "delivery_delayed", "sent"], false],
    ["complaint", "complained", ["queued", "delivery_delayed", "complained"], true],
  ] as const)("of %s says that it was accepted: %s, and it isn't sent again", async (kind, status, events, suppressed) => {
    const bring = await listening(0);
    const mail = await startSend();
    await mail.end(unknown);
    expect(await mail.status()).toBe("delivery_delayed");
    expect(await bring(mail.path, reports[kind])).toMatchObject({ result: "accepted" });
    expect([await mail.status(), await mail.events(), await mail.isSuppressed()]).toEqual([status, events, suppressed]);
    expect(await mail.again()).toBe(0);
  });
});
