import PostalMime from "postal-mime";
import { expect, test } from "vitest";
import { releaseScheduled } from "#email/change/release-scheduled.ts";
import { createEmail, findEmail } from "#email/index.ts";
import { createEmailSender } from "#email/sending/create-email-sender.ts";
import { createSimulator } from "#email/simulator/simulator.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { composeHere, drainMs, newEmail } from "#test/support/mail/mail.ts";
import { answer, mailPeer, type PeerRules, stubDns } from "#test/support/mail/mail-peer.ts";
import { lovelaceZone, openMx } from "#test/support/mail/mx-transport.ts";

const { ctx, clock, tenant } = await testApp();

/** A server with rules, one LIVE message to it, and one attempt after another, each when it is due. */
async function sentTo(rules: PeerRules) {
  const peer = await mailPeer(rules);
  const transport = openMx(peer.port, { hello: "tillpost.example", now: ctx.now, dns: stubDns(lovelaceZone) });
  const shop = await tenant({ livemode: true });
  const { email } = await createEmail(ctx, shop, { tier: "pro", email: newEmail() });
  const statuses: string[] = [];
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const sender = createEmailSender({ transports: { live: transport, test: createSimulator() }, compose: composeHere, drainMs });
    await releaseScheduled(ctx);
    await sender.run(ctx);
    await sender.finish(ctx);
    statuses.push((await findEmail(ctx, shop, email.id)).email.status);
    clock.advance(3_600_000);
  }
  await transport.close();
  return { peer, statuses, email };
}

test("a connection lost after the body leads to another attempt with the same Message-ID", async () => {
  let lost = 0;
  const { peer, statuses, email } = await sentTo({
    onBody: (_mail, socket) => {
      lost += 1;
      return lost === 1 ? new Promise(() => socket.destroy()) : undefined;
    },
  });
  expect(statuses).toEqual(["delivery_delayed", "delivered", "delivered"]);
  const ids = await Promise.all(peer.mails.map(async (mail) => (await PostalMime.parse(mail.raw)).messageId));
  expect(ids).toEqual([email.message_id, email.message_id]);
});

test.each([
  [
    "a server that is short of something for a while",
    [answer(451, "4.3.0 Temporary failure"), answer(452, "4.3.1 Insufficient system storage")],
    ["delivery_delayed", "delivery_delayed", "delivered"],
    1,
  ],
  ["a server that closes its doors for a while", [answer(421, "4.3.2 Shutting down")], ["delivery_delayed", "delivered", "delivered"], 1],
  ["a server that knows nobody of that name", [answer(550, "5.1.1 User unknown")], ["bounced", "bounced", "bounced"], 0],
])("%s: the message has the right outcome", async (_what, answers, statuses, mails) => {
  const sent = await sentTo({ onRcpt: (_to, attempt) => answers[attempt - 1] });
  expect([sent.statuses, sent.peer.mails.length]).toEqual([statuses, mails]);
});
