import { expect } from "vitest";
import { createEmail } from "#email/accept/create-email.ts";
import { createEmailBatch, type EmailInput, findEmail, findEmailSource } from "#email/index.ts";
import { reviveEmails } from "#email/sending/revive-emails.ts";
import { AppError } from "#platform/index.ts";
import type { TestApp } from "#test/support/app/test-app.ts";
import { mailRoom, newEmail, scriptedTransport } from "./mail.ts";
import { updateHtml } from "./mail-bodies.sql.ts";

/** Features of a message that decide how it is composed. */
type ComposedHow = [how: string, features: Partial<EmailInput>];

export const tracked: ComposedHow = ["tracked", { tracking: { opens: true, clicks: true } }];
export const withoutText: ComposedHow = ["without a text", {}];

/** What was stored before such rules. Not a long text, which another thread would read; composing ends at the first level too deep. */
export const oldDeep = "<div>".repeat(10_000);

/** Why HTML is refused as a single message and in a batch; null if it is accepted. */
export async function faultsOf({ ctx, tenant }: TestApp, html: string): Promise<(string | null)[]> {
  const shop = await tenant();
  const faultOf = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: unknown) => (error instanceof AppError ? `${error.code} ${error.extras.details?.[0]?.param}` : String(error)),
    );
  return [
    await faultOf(createEmail(ctx, shop, { tier: "pro", email: newEmail({ html }) })),
    await faultOf(createEmailBatch(ctx, shop, { tier: "pro", strict: true, items: [newEmail(), newEmail({ html })] })),
  ];
}

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
