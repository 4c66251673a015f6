import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { createEmail, findEmail } from "#email/index.ts";
import { createEmailSender } from "#email/sending/create-email-sender.ts";
import { reviveEmails } from "#email/sending/revive-emails.ts";
import { createSimulator } from "#email/simulator/simulator.ts";
import type { TestApp } from "#test/support/app/test-app.ts";
import { newEmail } from "#test/support/mail/mail.ts";
import { mailPeer, stubDns } from "#test/support/mail/mail-peer.ts";
import { lovelaceZone, openMx } from "#test/support/mail/mx-transport.ts";

/** A server that waits for a while after the body, two workers, and leases far shorter than that wait: it must get the message once. */
export async function stallAfterBody(app: TestApp, given: { stallMs: number; leaseMs: number }): Promise<void> {
  app.clock.run();
  const { ctx } = app;
  const peer = await mailPeer({ onBody: () => sleep(given.stallMs, undefined) });
  const worker = () => {
    const transport = openMx(peer.port, { hello: "tillpost.example", now: ctx.now, dns: stubDns(lovelaceZone) });
    return { transport, sender: createEmailSender({ transports: { live: transport, test: createSimulator() }, leaseMs: given.leaseMs }) };
  };
  const shop = await app.tenant({ livemode: true });
  const { email } = await createEmail(ctx, shop, { tier: "pro", email: newEmail() });
  const workers = [worker(), worker()];
  // Long: what counts is how often the message arrives, not how soon its delivery is recorded.
  const until = performance.now() + given.stallMs + 300_000;
  const status = async () => (await findEmail(ctx, shop, email.id)).email.status;
  while ((await status()) !== "delivered" && performance.now() < until) {
    await reviveEmails(ctx);
    for (const { sender } of workers) await sender.run(ctx);
    await sleep(100);
  }
  for (const { sender, transport } of workers) {
    await sender.finish(ctx);
    await transport.close();
  }
  expect([await status(), peer.mails.length]).toEqual(["delivered", 1]);
}
