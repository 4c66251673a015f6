import { expect, it } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { mailRoom, taken } from "#test/support/mail/mail.ts";
import { findEmail } from "../read/find-email.ts";
import type { SendOutcome } from "../transport.ts";

const { ctx, tenant, clock } = await testApp();
const minute = 60_000;

it("a message that only waits for a free slot costs no attempt and doesn't change", async () => {
  const [shop, room] = [await tenant({ livemode: true }), mailRoom(ctx)];
  room.transport.answer = () => ({
    provider: "script",
    result: "held",
    until: new Date(ctx.now().getTime() + minute),
    reason: "no free slot",
  });
  const { email } = await room.send(shop);
  for (let round = 0; round < 4; round += 1) {
    await room.settle();
    clock.advance(minute);
  }
  const { email: held, recipients } = await findEmail(ctx, shop, email.id);
  expect(held.status).toBe("queued");
  expect(recipients[0]).toMatchObject({ attempts: 0, step: 0, diagnostic: "no free slot" });
  room.transport.answer = () => taken;
  await room.settle();
  expect(await room.eventsOf(shop, email.id)).toEqual(["queued", "delivered"]);
  expect(room.transport.emails.every(({ attempt }) => attempt === 1)).toBe(true);
});

/** Outcomes of a site that takes nothing, or nothing in time. */
const closed: [what: string, answer: (until: Date) => SendOutcome, attempts: number][] = [
  [
    "cannot be reached",
    (until) => ({
      provider: "script",
      result: "deferred",
      until,
      diagnostic: "cannot be reached",
      bounce: { type: "transient", subtype: "general" },
    }),
    3,
  ],
  ["was tried with another message", (until) => ({ provider: "script", result: "held", until, isDelay: true, reason: "421 closed" }), 0],
];

it.each(closed)("reports a delay immediately when the site %s, and tries again when the site is ready", async (_what, answer, attempts) => {
  const [shop, room] = [await tenant({ livemode: true }), mailRoom(ctx)];
  room.transport.answer = () => answer(new Date(ctx.now().getTime() + minute));
  const { email } = await room.send(shop);
  await room.settle();
  expect(await room.eventsOf(shop, email.id)).toEqual(["queued", "delivery_delayed"]);
  expect((await room.data(shop, email.id)).at(-1)).toMatchObject({
    email: { status: "delivery_delayed" },
    recipient: "ada@lovelace.dev",
    bounce: { type: "transient" },
  });
  for (let round = 1; round < 3; round += 1) {
    clock.advance(minute);
    await room.settle();
  }
  expect(await findEmail(ctx, shop, email.id)).toMatchObject({
    email: { status: "delivery_delayed" },
    recipients: [{ attempts, step: 0 }],
  });
  room.transport.answer = () => taken;
  clock.advance(minute);
  await room.settle();
  expect(await room.eventsOf(shop, email.id)).toEqual(["queued", "delivery_delayed", "delivered"]);
});

it("reports a delay when a message has found no free slot for five minutes", async () => {
  const [shop, room] = [await tenant({ livemode: true }), mailRoom(ctx)];
  room.transport.answer = () => ({
    provider: "script",
    result: "held",
    until: new Date(ctx.now().getTime() + minute),
    reason: "every connection to this site is busy",
  });
  const { email } = await room.send(shop);
  for (let round = 0; round < 6; round += 1) {
    await room.settle();
    clock.advance(minute);
  }
  expect(await room.eventsOf(shop, email.id)).toEqual(["queued", "delivery_delayed"]);
  expect(await room.status(shop, email.id)).toBe("delivery_delayed");
});

it("expires what its site never took at its time, and not before", async () => {
  const [shop, room] = [await tenant({ livemode: true }), mailRoom(ctx)];
  const bounce = { type: "transient", subtype: "general" } as const;
  room.transport.answer = () => ({ provider: "script", result: "deferred", until: new Date(ctx.now().getTime() + 30 * minute), bounce });
  const { email } = await room.send(shop, { expires_in: 600 });
  await room.settle();
  clock.advance(9 * minute);
  await room.settle();
  expect(await room.eventsOf(shop, email.id)).toEqual(["queued", "delivery_delayed"]);
  clock.advance(minute);
  await room.settle();
  expect(await room.eventsOf(shop, email.id)).toEqual(["queued", "delivery_delayed", "failed"]);
});
