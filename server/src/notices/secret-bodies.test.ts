import { expect, test } from "vitest";
import { createEmailSender, createSimulator, findEmail, listEmails } from "#messaging/index.ts";
import { type Ctx, notice, ownProject } from "#platform/index.ts";
import { house } from "#test/house.ts";
import { drainMs, scriptedTransport } from "#test/mail.ts";
import { listStoredBodies } from "#test/mail-bodies.sql.ts";
import { sendNotices } from "./send-notices.ts";

const { ctx } = await house();
const token = "mJ5sQz0T1vYhW8RkCb2LxEpd";
const link = `${ctx.publicUrl}/dashboard/reset-password?token=${token}`;

async function told(given: Ctx, kind: string, params: object): Promise<string> {
  const to = `${kind.replace("_", "-")}-${Math.random().toString(36).slice(2)}@corner-readers.com`;
  await given.transact((tx) => notice(tx, given, { kind, recipient: to, params }));
  await sendNotices(given);
  const [row] = (await listEmails(given, ownProject, { limit: 1, filters: { to: [to] } })).rows;
  return row?.email.id ?? "";
}

async function send(name: "relay" | "outbox", answer: "refused" | "deferred" | "accepted"): Promise<void> {
  const transport = Object.assign(scriptedTransport(), { name });
  if (answer === "refused")
    transport.answer = () => ({ provider: name, result: "refused", suppress: false, bounce: { type: "permanent", subtype: "general" } });
  else if (answer === "deferred") transport.answer = () => ({ provider: name, result: "deferred", bounce: { type: "transient", subtype: "general" } });
  else transport.answer = () => ({ provider: name, result: "accepted", final: false });
  const sender = createEmailSender({ transports: { live: transport, test: createSimulator() }, drainMs });
  await sender.run(ctx);
  await sender.finish(ctx);
}

const kinds = [
  ["password_reset", { url: link }],
  ["email_verification", { url: link }],
  ["invitation", { url: link, merchant_name: "Corner Books", verified: true }],
] as const;

test.each(kinds)("the text of a mail with a link that opens something is sealed while it waits, and gone once it has left: %s", async (kind, params) => {
  const id = await told(ctx, kind, params);
  expect((await findEmail(ctx, ownProject, id)).body?.html).toContain(token);
  expect((await listStoredBodies(ctx.db, ownProject, id)).join()).toMatch(/^v1\.\d+\.[\w-]+\.[\w-]+$/);
  await send("relay", "deferred");
  expect((await listStoredBodies(ctx.db, ownProject, id)).length).toBe(1);
  expect((await findEmail(ctx, ownProject, id)).email.status).toBe("delivery_delayed");
});

test.each(["accepted", "refused"] as const)("it is gone when a relay has %s it", async (answer) => {
  const id = await told(ctx, "password_reset", { url: link });
  await send("relay", answer);
  expect((await findEmail(ctx, ownProject, id)).email.status).toBe(answer === "accepted" ? "sent" : "bounced");
  expect(await listStoredBodies(ctx.db, ownProject, id)).toEqual([]);
});

test("it stays, sealed, where no mail leaves: operators pass the link on", async () => {
  const id = await told(ctx, "password_reset", { url: link });
  await send("outbox", "accepted");
  expect((await listStoredBodies(ctx.db, ownProject, id)).join()).toMatch(/^v1\./);
});

test("other mails of the house keep their texts as they are", async () => {
  const id = await told(ctx, "sign_in_alert", { at: ctx.now().toISOString(), device: "Firefox" });
  await send("relay", "accepted");
  expect((await listStoredBodies(ctx.db, ownProject, id)).join()).toContain("Firefox");
});
