import { expect, it } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { composeHere, mailRoom } from "#test/support/mail/mail.ts";
import { stubDns } from "#test/support/mail/mail-peer.ts";
import { loopback, mxTo, peerAndMx } from "#test/support/mail/mx-transport.ts";
import { findEmail } from "../read/find-email.ts";
import { createSimulator } from "../simulator/simulator.ts";
import type { EmailTransport } from "../transport.ts";
import { createEmailSender } from "./create-email-sender.ts";

const { ctx, tenant } = await testApp();
const zone = { "lovelace.dev": { mx: [[10, "mx.lovelace.dev"]] as [number, string][] }, "mx.lovelace.dev": loopback };

/** Direct delivery that waits for something, and whether it does by now. */
type Waiting = () => Promise<{ mx: EmailTransport; waits(): boolean }>;

const silent: Waiting = async () => {
  const { peer, mx } = await peerAndMx({ server: { onConnect: () => {} } }, { dns: stubDns(zone) });
  return { mx, waits: () => peer.connections() > 0 };
};

const lost: Waiting = async () => {
  let isAsked = false;
  const never = () => {
    isAsked = true;
    return new Promise<never>(() => {});
  };
  return { mx: mxTo(1, { dns: { ...stubDns(zone), mx: never } }), waits: () => isAsked };
};

it.each([
  ["a server that doesn't greet", silent],
  ["a name server that doesn't answer", lost],
])("returns a message that waits for %s when its process stops, and counts neither an attempt nor a death", async (_what, waiting) => {
  const shop = await tenant({ livemode: true });
  const { email } = await mailRoom(ctx).send(shop);
  const { mx, waits } = await waiting();
  const sender = createEmailSender({ transports: { live: mx, test: createSimulator() }, compose: composeHere, drainMs: 0 });
  await sender.run(ctx);
  await expect.poll(waits).toBe(true);
  await sender.finish(ctx);
  expect((await findEmail(ctx, shop, email.id)).recipients).toMatchObject([{ state: "due", status: "queued", deaths: 0, attempts: 0 }]);
});
