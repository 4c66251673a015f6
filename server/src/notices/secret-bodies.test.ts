import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { clearBodies } from "#email/change/clear-bodies.ts";
import { releaseScheduled } from "#email/change/release-scheduled.ts";
import { emailChannel, findEmail, listEmails } from "#email/index.ts";
import { listEmailAttempts } from "#email/read/list-email-attempts.ts";
import { createEmailSender } from "#email/sending/create-email-sender.ts";
import { createSimulator } from "#email/simulator/simulator.ts";
import { createSuppression } from "#messaging/index.ts";
import { type Ctx, notice, ownProject } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { composeHere, drainMs, scriptedTransport } from "#test/support/mail/mail.ts";
import { listStoredBodies } from "#test/support/mail/mail-bodies.sql.ts";
import { sendNotices } from "./send-notices.ts";

const { ctx, clock } = await testApp();
const token = "mJ5sQz0T1vYhW8RkCb2LxEpd";
const link = `${ctx.publicUrl}/dashboard/reset-password?token=${token}`;

let count = 0;

async function prepared(
  given: Ctx,
  kind: string,
  ...[params, to = `reader${(count += 1)}@corner-readers.com`]: [object, string?]
): Promise<string> {
  await given.transact((tx) => notice(tx, given, { kind, recipient: to, params }));
  await sendNotices(given);
  const [row] = (await listEmails(given, ownProject, { limit: 1, filters: { to: [to] } })).rows;
  return row?.email.id ?? "";
}

/** Only an empty row is left, if any. */
async function isGone(id: string): Promise<boolean> {
  const empty = JSON.stringify({ html: null, text: null, headers: {}, attachments: [] });
  return (await listStoredBodies(ctx.db, ownProject, id)).every((body) => body === empty);
}

type Answer = "refused" | "deferred" | "accepted";

async function send(name: "relay" | "mx" | "outbox", answer: Answer): Promise<void> {
  const transport = Object.assign(scriptedTransport(), { name });
  if (answer === "refused")
    transport.answer = () => ({ provider: name, result: "refused", suppress: false, bounce: { type: "permanent", subtype: "general" } });
  else if (answer === "deferred")
    transport.answer = () => ({ provider: name, result: "deferred", bounce: { type: "transient", subtype: "general" } });
  else transport.answer = () => ({ provider: name, result: "accepted", final: name === "mx" });
  const sender = createEmailSender({ transports: { live: transport, test: createSimulator() }, compose: composeHere, drainMs });
  await sender.run(ctx);
  await sender.finish(ctx);
}

const kinds = [
  ["password_reset", { url: link }],
  ["email_verification", { url: link }],
  ["invitation", { url: link, merchant_name: "Corner Books", verified: true }],
] as const;

test.each(kinds)(
  "the text of an email with a link that opens something is sealed while it waits, and deleted once it has left: %s",
  async (kind, params) => {
    const id = await prepared(ctx, kind, params);
    expect((await findEmail(ctx, ownProject, id)).body?.html).toContain(token);
    expect((await listStoredBodies(ctx.db, ownProject, id)).join()).toMatch(/^v1\.\d+\.[\w-]+\.[\w-]+$/);
    await send("relay", "deferred");
    expect((await listStoredBodies(ctx.db, ownProject, id)).length).toBe(1);
    expect((await findEmail(ctx, ownProject, id)).email.status).toBe("delivery_delayed");
  },
);

test.each(["accepted", "refused"] as const)("it is deleted when a relay has %s it", async (answer) => {
  const id = await prepared(ctx, "password_reset", { url: link });
  await send("relay", answer);
  expect((await findEmail(ctx, ownProject, id)).email.status).toBe(answer === "accepted" ? "sent" : "bounced");
  expect(await isGone(id)).toBe(true);
});

const statuses = { accepted: "delivered", refused: "bounced", deferred: "delivery_delayed" };

test.each(["deferred", "accepted", "refused"] as const)(
  "if email leaves for the recipient's own server, and that has %s it: it is deleted at its end",
  async (answer) => {
    const id = await prepared(ctx, "password_reset", { url: link });
    await send("mx", answer);
    expect((await findEmail(ctx, ownProject, id)).email.status).toBe(statuses[answer]);
    expect(await isGone(id)).toBe(answer !== "deferred");
  },
);

test.each(["relay", "mx"] as const)("it is deleted when it expires before it could leave by %s", async (name) => {
  const id = await prepared(ctx, "password_reset", { url: link });
  await send(name, "deferred");
  expect(await listStoredBodies(ctx.db, ownProject, id)).toHaveLength(1);
  clock.advance(10 * 86_400_000);
  await releaseScheduled(ctx);
  await send(name, "deferred");
  expect((await findEmail(ctx, ownProject, id)).email.status).toBe("failed");
  expect(await isGone(id)).toBe(true);
});

test("it is deleted when its recipient is suppressed while it waits, and never stored if they already were", async () => {
  const to = "no-mail-to-me@corner-readers.com";
  const waiting = await prepared(ctx, "password_reset", { url: link }, to);
  await createSuppression(ctx, ownProject, { channel: emailChannel, address: to, reason: "bounce" });
  await send("relay", "accepted");
  const late = await prepared(ctx, "password_reset", { url: link }, to);
  await send("relay", "accepted");
  expect(late).not.toBe(waiting);
  for (const id of [waiting, late]) {
    expect((await findEmail(ctx, ownProject, id)).email.status).toBe("suppressed");
    expect(await isGone(id)).toBe(true);
  }
});

test("it remains, sealed, if no email leaves: operators pass the link on", async () => {
  const id = await prepared(ctx, "password_reset", { url: link });
  await send("outbox", "accepted");
  expect((await listStoredBodies(ctx.db, ownProject, id)).join()).toMatch(/^v1\./);
});

test("other system emails retain their texts unchanged", async () => {
  const id = await prepared(ctx, "sign_in_alert", { at: ctx.now().toISOString(), device: "Firefox" });
  await send("relay", "accepted");
  expect((await listStoredBodies(ctx.db, ownProject, id)).join()).toContain("Firefox");
});

test("its attempts are deleted after 30 days, like those of any email", async () => {
  const id = await prepared(ctx, "password_reset", { url: link });
  await send("relay", "accepted");
  const attempts = () => listEmailAttempts(ctx, ownProject, { id });
  clock.advance(29 * 86_400_000);
  while ((await clearBodies(ctx)) > 0);
  expect(await attempts()).toMatchObject([{ result: "accepted" }]);
  clock.advance(2 * 86_400_000);
  while ((await clearBodies(ctx)) > 0);
  expect(await attempts()).toEqual([]);
});

test("attempts that an earlier version left without texts are deleted after 30 days too", async () => {
  const id = await prepared(ctx, "password_reset", { url: link });
  await send("relay", "accepted");
  await runStatement(ctx.db, `delete from email_bodies where email_id = '${id}'`);
  const migration = readFileSync(new URL("../../migrations/0147_attempts_of_own_mail.sql", import.meta.url), "utf8");
  const [, step = ""] = migration.split("-- step: repeat");
  await runStatement(ctx.db, step);
  expect((await listStoredBodies(ctx.db, ownProject, id)).length).toBe(1);
  expect(await isGone(id)).toBe(true);
  clock.advance(31 * 86_400_000);
  while ((await clearBodies(ctx)) > 0);
  expect(await listEmailAttempts(ctx, ownProject, { id })).toEqual([]);
});
