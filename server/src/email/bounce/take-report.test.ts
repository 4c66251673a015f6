import { expect, it } from "vitest";
import { findSuppressed } from "#messaging/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { mailRoom, taken } from "#test/support/mail/mail.ts";
import { complaint, dsn } from "#test/support/mail/mail-reports.ts";
import { emailChannel } from "../channel/email-channel.ts";
import { takeReport } from "./take-report.ts";

const { ctx, tenant } = await testApp();

/** A message to `ada@lovelace.dev` that a relay has taken. */
async function relayed(to: string) {
  const [shop, room] = [await tenant({ livemode: true }), mailRoom(ctx)];
  room.transport.answer = () => ({ ...taken, final: false });
  const { email, recipients } = await room.send(shop, { to });
  await room.settle();
  const isSuppressed = async () => (await findSuppressed(ctx.db, shop, { channel: emailChannel, addresses: [to] })).size === 1;
  return { recipient_id: recipients[0]?.id ?? "", status: () => room.status(shop, email.id), isSuppressed };
}

it.each([
  ["itself", "ada@lovelace.dev", "ada@lovelace.dev", true],
  ["itself, written otherwise", "Ada@LOVELACE.dev", "ada@lovelace.dev", true],
  ["itself, kept under another domain", "ada@lovelace.dev", "ada@lovelace.mail.example", true],
  ["a member of the list that it stands for", "ada@lovelace.dev", "charles@lovelace.dev", false],
  ["where its mail is passed on to", "ada@lovelace.dev", "countess@elsewhere.dev", false],
])("suppresses an address for a missing mailbox if that is %s", async (_what, to, mailbox, suppressed) => {
  const copy = await relayed(to);
  expect(await takeReport(ctx, { recipient_id: copy.recipient_id, raw: Buffer.from(dsn({ mailbox })) })).toMatchObject({
    says: "bounce",
    result: "applied",
  });
  expect([await copy.status(), await copy.isSuppressed()]).toEqual(["bounced", suppressed]);
});

it("believes no delivery of a report with an unknown action", async () => {
  const copy = await relayed("ada@lovelace.dev");
  const raw = Buffer.from(dsn({ action: "unknown", status: "2.0.0" }));
  expect(await takeReport(ctx, { recipient_id: copy.recipient_id, raw })).toMatchObject({ says: "other", result: "ignored" });
  expect(await copy.status()).toBe("sent");
});

it.each([
  ["abuse", true],
  ["Fraud", true],
  ["opt-out", true],
  ["opt-out-list", true],
  ["not-spam", false],
  ["auth-failure", false],
  ["virus", false],
  ["other", false],
  ["dmarc", false],
])("takes a feedback report of type %s for a complaint: %s", async (type, isComplaint) => {
  const copy = await relayed("ada@lovelace.dev");
  const raw = Buffer.from(complaint({ type }));
  const taken = isComplaint ? { says: "complaint", result: "applied" } : { says: "other", result: "ignored" };
  expect(await takeReport(ctx, { recipient_id: copy.recipient_id, raw })).toMatchObject(taken);
  expect([await copy.status(), await copy.isSuppressed()]).toEqual(isComplaint ? ["complained", true] : ["sent", false]);
});
