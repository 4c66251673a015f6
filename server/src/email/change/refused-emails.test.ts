import { expect, test } from "vitest";
import type { EmailInput } from "#email/index.ts";
import { setMerchantSending } from "#identity/index.ts";
import { countPutOff } from "#platform/index.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { refuseRows } from "#test/support/database/refuse-rows.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { mailRoom, taken } from "#test/support/mail/mail.ts";
import { reviveEmails } from "../sending/revive-emails.ts";
import { expireUnclaimed } from "./expire-unclaimed.ts";
import { releaseScheduled } from "./release-scheduled.ts";

const app = await testApp();
const { ctx } = app;
const room = mailRoom(ctx);

interface Made {
  shop: TestTenant;
  id: string;
}

/** One email of each of three merchants. */
async function three(given: Partial<EmailInput>): Promise<Made[]> {
  const made: Made[] = [];
  for (let n = 0; n < 3; n += 1) {
    const shop = await app.tenant({ livemode: true });
    const { email } = await room.send(shop, given);
    made.push({ shop, id: email.id });
  }
  return made;
}
const statusesOf = (made: readonly Made[]) => Promise.all(made.map(({ shop, id }) => room.status(shop, id)));
const refuseFirst = (made: readonly Made[]) =>
  refuseRows(app, "email_recipients", { ids: made.slice(0, 1).map(({ id }) => id), column: "email_id" });

test("a scheduled email that can't be released keeps no other one waiting", async () => {
  const made = await three({ scheduled_at: new Date(ctx.now().getTime() + 600_000).toISOString() });
  const allow = await refuseFirst(made);
  app.clock.advance(600_000);
  expect(await releaseScheduled(ctx)).toBe(2);
  expect(await statusesOf(made)).toEqual(["scheduled", "queued", "queued"]);
  expect(countPutOff(ctx.db, "release_emails")).toBe(1);
  await allow();
});

test("a waiting email that can't be ended keeps no other one from expiring", async () => {
  const made = await three({ expires_in: 600 });
  for (const { shop } of made) await setMerchantSending(ctx, { merchant_id: shop.merchant_id, reason: "Complaints" });
  const allow = await refuseFirst(made);
  app.clock.advance(601_000);
  expect(await expireUnclaimed(ctx)).toBe(2);
  expect(await statusesOf(made)).toEqual(["queued", "failed", "failed"]);
  await allow();
});

test("an email of a lost worker that can't be made due again keeps no other one from it", async () => {
  const made = await three({});
  const lost = "state = 'leased', lease = 'dlv_lost 1', lease_until = app_now() - interval '1 second'";
  for (const { id } of made) await runStatement(ctx.db, `update email_recipients set ${lost} where email_id = ?`, id);
  const allow = await refuseFirst(made);
  await reviveEmails(ctx);
  const rows = await runStatement<{ email_id: string; state: string }>(ctx.db, "select email_id, state from email_recipients");
  expect(made.map(({ id }) => rows.find((row) => row.email_id === id)?.state)).toEqual(["leased", "due", "due"]);
  await allow();
});

test("an email whose text can't be read keeps no other one from being sent", async () => {
  const made = await three({});
  await runStatement(ctx.db, "update email_bodies set body = '{' where email_id = ?", made[0]?.id ?? "");
  await room.settle();
  expect(room.transport.emails.map(({ email_id }) => email_id)).not.toContain(made[0]?.id);
  expect(await statusesOf(made.slice(1))).toEqual(["delivered", "delivered"]);
});

test("an email whose result can't be stored keeps no other result from being stored", async () => {
  const made = await three({});
  let allow = async () => {};
  room.transport.answer = async ({ email_id }) => {
    if (email_id === made[0]?.id) allow = await refuseFirst(made);
    return taken;
  };
  await room.settle();
  expect(await statusesOf(made)).toEqual(["sending", "delivered", "delivered"]);
  await allow();
});
