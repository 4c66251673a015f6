import { expect, it } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { composeHere, drainMs, mailRoom } from "#test/support/mail/mail.ts";
import { answer, stubDns } from "#test/support/mail/mail-peer.ts";
import { loopback, peerAndMx } from "#test/support/mail/mx-transport.ts";
import { releaseScheduled } from "../change/release-scheduled.ts";
import type { Compose } from "../compose/compose-apart.ts";
import { createSimulator } from "../simulator/simulator.ts";
import { createEmailSender } from "./create-email-sender.ts";

const { ctx, tenant, clock } = await testApp();
const zone = { "lovelace.dev": { mx: [[10, "mx.lovelace.dev"]] as [number, string][] }, "mx.lovelace.dev": loopback };
const composedAtOnce = 4;

it("composes no message before its turn for a site that is paused or gets one a minute, and none for a domain without a mail server", async () => {
  const [shop, room] = [await tenant({ livemode: true }), mailRoom(ctx)];
  let isFirst = true;
  const onMail = () => {
    const refusal = isFirst ? answer(421, "4.7.28 Gmail has detected an unusual rate of mail") : undefined;
    isFirst = false;
    return refusal;
  };
  const { peer, mx } = await peerAndMx({ onMail }, { dns: stubDns(zone), now: () => ctx.now() });
  let composed = 0;
  const compose: Compose = (job, size) => {
    composed += 1;
    return composeHere(job, size);
  };
  const sendDue = async () => {
    await releaseScheduled(ctx);
    const sender = createEmailSender({ transports: { live: mx, test: createSimulator() }, compose, drainMs });
    await sender.run(ctx);
    await sender.finish(ctx);
  };
  await room.send(shop, { to: "first@lovelace.dev" });
  await sendDue();
  expect(composed).toBe(1);
  for (let n = 0; n < 12; n += 1) await room.send(shop, { to: `reader${n}@lovelace.dev` });
  const { email } = await room.send(shop, { to: "ada@nowhere.dev" });
  await sendDue();
  expect([composed, peer.mails.length]).toEqual([1, 0]);
  expect(await room.eventsOf(shop, email.id)).toEqual(["queued", "delivery_delayed"]);
  clock.advance(120_000);
  await sendDue();
  expect(composed).toBeLessThanOrEqual(1 + composedAtOnce);
  expect(peer.mails).toHaveLength(1);
});
