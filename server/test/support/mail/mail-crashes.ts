import { expect, it } from "vitest";
import { createEmail, emailChannel, findEmail, type OutgoingEmail, type SendOutcome } from "#email/index.ts";
import { createEmailSender } from "#email/sending/create-email-sender.ts";
import { createSimulator } from "#email/simulator/simulator.ts";
import { findSuppressed } from "#messaging/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { composeHere, mailRoom, scriptedTransport } from "./mail.ts";

/** From the chosen statement on, none is sent any more: the process is gone. */
const crash = { armed: false, at: 0, seen: 0 };
class Crash extends Error {}
const isStatement = /^\s*(--.*\n\s*)*(select|insert|update|delete|with|set)\b/;
const { ctx, tenant, clock } = await testApp({
  probe(text) {
    if (!crash.armed || !isStatement.test(text)) return;
    crash.seen += 1;
    if (crash.seen >= crash.at) throw new Crash();
  },
});

const refused: SendOutcome = {
  provider: "script",
  result: "refused",
  smtp_code: 550,
  suppress: true,
  bounce: { type: "permanent", subtype: "no_email" },
};
const answerOf = ({ to }: OutgoingEmail): SendOutcome =>
  to.startsWith("gone") ? refused : { provider: "script", result: "accepted", final: !to.startsWith("relayed"), smtp_code: 250 };

async function under(at: number, work: () => Promise<unknown>): Promise<{ statements: number; crashed: boolean }> {
  Object.assign(crash, { armed: true, at, seen: 0 });
  try {
    await work().catch((error: unknown) => {
      if (!(error instanceof Crash)) throw error;
    });
    return { statements: crash.seen, crashed: crash.seen >= at };
  } finally {
    crash.armed = false;
  }
}

interface Chosen {
  first: number;
  stride: number;
}

/**
 * Tests that a process that ends while it sends or accepts loses no message: before one in `stride` of the statements of sending, from the
 * `first` on, and before each statement of accepting.
 */
export function testMailCrashes(chosen: Chosen): void {
  testSending(chosen);
  testAccepting();
}

function testSending({ first, stride }: Chosen): void {
  it("ends each message once, wherever its sending is interrupted", async () => {
    let repeats = 0;
    let last = 0;
    for (let at = first, crashed = true; crashed; at += stride) {
      const [shop, room] = [await tenant({ livemode: true }), mailRoom(ctx)];
      room.transport.answer = answerOf;
      const made = [
        await room.send(shop, { to: "here@a.dev" }),
        await room.send(shop, { to: "gone@a.dev" }),
        await room.send(shop, { to: ["relayed@a.dev", "b@b.dev"] }),
      ];
      const gone = scriptedTransport();
      gone.answer = answerOf;
      const lost = createEmailSender({ transports: { live: gone, test: createSimulator() }, compose: composeHere });
      ({ crashed } = await under(at, async () => {
        await lost.run(ctx);
        await lost.finish(ctx);
      }));
      clock.advance(46_000);
      await room.settle();
      const events = await Promise.all(made.map(({ email }) => room.eventsOf(shop, email.id)));
      expect(events, `statement ${at}`).toEqual([
        ["queued", "delivered"],
        ["queued", "bounced"],
        ["queued", "sent"],
      ]);
      const { recipients } = await findEmail(ctx, shop, made[2]?.email.id ?? "");
      expect(recipients.map((row) => row.status)).toEqual(["sent", "delivered"]);
      expect((await findSuppressed(ctx.db, shop, { channel: emailChannel, addresses: ["gone@a.dev"] })).size).toBe(1);
      for (const { email } of made) {
        const copies = [...gone.emails, ...room.transport.emails].filter((outgoing) => outgoing.email_id === email.id);
        expect(new Set(copies.map((outgoing) => outgoing.message_id))).toEqual(new Set([email.message_id]));
        expect(copies.length).toBeLessThanOrEqual(2 * email.recipients);
        repeats += copies.length - email.recipients;
      }
      last = at;
    }
    console.info(`crash points of sending from ${first} to ${last}, one in ${stride}: ${repeats} copies sent twice`);
    expect(last).toBeGreaterThan(15);
  });
}

function testAccepting(): void {
  it("accepts a message completely or not at all, wherever accepting is interrupted", async () => {
    for (let at = 1, crashed = true; crashed; at += 1) {
      const [shop, room] = [await tenant({ livemode: true }), mailRoom(ctx)];
      let id: string | undefined;
      const large = "x".repeat(at % 2 === 0 ? 100 : 70_000);
      ({ crashed } = await under(at, async () => {
        const email = { from: "a@tillpost.example", to: "b@here.dev", subject: "Hi", text: large };
        id = (await createEmail(ctx, shop, { tier: "pro", email })).email.id;
      }));
      await room.settle();
      expect(room.transport.emails).toHaveLength(id === undefined ? 0 : 1);
      expect(crashed).toBe(id === undefined);
      // Small and large messages go different ways; the loop ends when both are through.
      if (!crashed) crashed = at % 2 === 1 && at < 40;
    }
  });
}
