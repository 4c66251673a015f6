import { expect, it } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { drainMs, mailRoom, scriptedTransport } from "#test/support/mail/mail.ts";
import { releaseScheduled } from "../change/release-scheduled.ts";
import { composeApart } from "../compose/compose-apart.ts";
import { findEmail } from "../read/find-email.ts";
import { createSimulator } from "../simulator/simulator.ts";
import { createEmailSender } from "./create-email-sender.ts";

const { ctx, tenant, clock } = await testApp();

it("soon retries a message that couldn't be prepared because of a fault of ours, with growing pauses, and counts no attempt", async () => {
  const [shop, room, transport] = [await tenant({ livemode: true }), mailRoom(ctx), scriptedTransport()];
  const { email } = await room.send(shop);
  const compose = () => Promise.reject(new Error("the thread that composes messages was lost"));
  const waits = [];
  for (const rest of [0, 10_000, 100_000, 400_000]) {
    clock.advance(rest);
    const faulty = createEmailSender({ transports: { live: transport, test: createSimulator() }, compose, drainMs });
    await releaseScheduled(ctx);
    await faulty.run(ctx);
    await faulty.finish(ctx);
    const { recipients } = await findEmail(ctx, shop, email.id);
    expect(recipients[0]).toMatchObject({ attempts: 0, state: "waiting", diagnostic: "The message couldn't be prepared for sending." });
    waits.push((recipients[0]?.due_at?.getTime() ?? 0) - ctx.now().getTime());
  }
  expect(waits).toEqual([10_000, 10_000, 27_500, 127_500]);
  expect(transport.emails).toEqual([]);
  // Late by now, whatever for.
  expect(await room.eventsOf(shop, email.id)).toEqual(["queued", "delivery_delayed"]);
  clock.advance(200_000);
  await room.settle();
  expect(await room.eventsOf(shop, email.id)).toEqual(["queued", "delivery_delayed", "delivered"]);
  expect(room.transport.emails.map(({ attempt }) => attempt)).toEqual([1]);
});

it("returns what is still being prepared when it ends, so that no one waits for its lease, and never sends it afterwards", async () => {
  const [shop, room, transport] = [await tenant({ livemode: true }), mailRoom(ctx), scriptedTransport()];
  const { email } = await room.send(shop);
  let goOn = () => {};
  const held = new Promise<void>((resolve) => (goOn = resolve));
  const sender = createEmailSender({
    transports: { live: transport, test: createSimulator() },
    compose: (job, size) => held.then(() => composeApart(job, size)),
    drainMs: 50,
  });
  await sender.run(ctx);
  await sender.finish(ctx);
  expect((await findEmail(ctx, shop, email.id)).recipients[0]).toMatchObject({ state: "due", attempts: 0 });
  goOn();
  await room.settle();
  expect(await room.eventsOf(shop, email.id)).toEqual(["queued", "delivered"]);
  expect([transport.emails.length, room.transport.emails.length]).toEqual([0, 1]);
});
