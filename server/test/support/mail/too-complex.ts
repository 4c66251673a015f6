import { expect } from "vitest";
import { type EmailInput, findEmail, findEmailSource } from "#email/index.ts";
import { reviveEmails } from "#email/sending/revive-emails.ts";
import type { TestApp } from "#test/support/app/test-app.ts";
import { mailRoom, scriptedTransport } from "./mail.ts";
import { updateHtml } from "./mail-bodies.sql.ts";

/** Features of a message that decide how it is composed. */
export const composedHow: [how: string, features: Partial<EmailInput>][] = [
  ["tracked", { tracking: { opens: true, clicks: true } }],
  ["without a text", {}],
];

/** A message that was accepted with HTML which is refused now fails with a code, and nothing else does. */
export async function expectFailsAlone({ ctx, tenant }: TestApp, html: string, features: Partial<EmailInput>): Promise<void> {
  const shop = await tenant({ livemode: true });
  const room = mailRoom(ctx, scriptedTransport(), { apart: true });
  const { email } = await room.send(shop, features);
  await updateHtml(ctx.db, shop, { email_id: email.id, html });
  const others = [await room.send(shop), await room.send(await tenant({ livemode: true }))];
  await room.settle();
  expect((await findEmail(ctx, shop, email.id)).email).toMatchObject({ status: "failed", error: { code: "content_too_complex" } });
  expect(await room.eventsOf(shop, email.id)).toEqual(["queued", "failed"]);
  expect(room.transport.emails.map((one) => one.email_id).sort()).toEqual(others.map((one) => one.email.id).sort());
  expect(await reviveEmails(ctx)).toBe(0);
  await expect(findEmailSource(ctx, shop, { id: email.id })).rejects.toMatchObject({ code: "email_state_conflict" });
}
