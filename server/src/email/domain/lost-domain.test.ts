import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { mailRoom } from "#test/support/mail/mail.ts";
import { findEmail } from "../read/find-email.ts";
import { createDomain } from "./create-domain.ts";
import { deleteDomain } from "./find-domain.ts";
import type { DomainDns } from "./look-up.ts";
import { verifyDomain } from "./verify-domain.ts";

const { ctx, tenant, clock } = await testApp();

test("a scheduled message is sent in the name of a domain that the project still has, and of no other", async () => {
  const [shop, room] = [await tenant({ livemode: true }), mailRoom(ctx)];
  const domain = await createDomain(ctx, shop, { name: "corner-books.example" });
  const dns: DomainDns = {
    resolveTxt: async (name) => domain.records.filter((record) => record.name === name).map(({ value }) => [value]),
    resolveCname: async () => [],
  };
  expect(await verifyDomain(ctx, shop, { id: domain.id, dns })).toMatchObject({ status: "verified" });
  const later = (minutes: number) => new Date(ctx.now().getTime() + minutes * 60_000).toISOString();
  const input = { from: "Corner Books <orders@corner-books.example>", to: "ada@lovelace.dev" };
  const [first, second] = [
    await room.send(shop, { ...input, scheduled_at: later(1) }),
    await room.send(shop, { ...input, scheduled_at: later(2) }),
  ];
  clock.advance(60_000);
  await room.settle();
  expect(room.transport.emails.map(({ email_id }) => email_id)).toEqual([first.email.id]);
  expect(room.transport.emails[0]?.raw.toString()).toMatch(/^DKIM-Signature: [\s\S]*d=corner-books\.example;/);
  await deleteDomain(ctx, shop, domain.id);
  clock.advance(60_000);
  await room.settle();
  expect(room.transport.emails).toHaveLength(1);
  const { email } = await findEmail(ctx, shop, second.email.id);
  expect(email).toMatchObject({ status: "failed", error: { message: "The sender's domain is no longer verified." } });
  expect(await room.eventsOf(shop, second.email.id)).toEqual(["scheduled", "queued", "failed"]);
});
