import { expect, it } from "vitest";
import { putProfile } from "#collection/index.ts";
import { listEmails } from "#email/index.ts";
import { inviteMember, setMerchantSending, setMerchantVerification } from "#identity/index.ts";
import { createEgress, ownProject } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { alipayCode } from "#test/support/payments/pay-shop.ts";
import { pageHeaders, testPassword, visitor, withHeaders } from "#test/support/people/visitors.ts";
import { insertFailedAttempt } from "#test/support/webhooks/webhooks.sql.ts";
import { createEndpoint, watchFailing } from "#webhooks/index.ts";
import { sendNotices } from "./index.ts";

const publicUrl = "http://localhost:8080";
const at = await testApp({
  http: { signUp: "open", perMinuteUnauthenticated: 10_000 },
  egress: createEgress({ allow: [], publicUrl, resolve: async () => [{ address: "93.184.215.14", family: 4 }] }),
});
const { ctx } = at;
const hourMs = 3_600_000;

/** Subjects of the mails that went to an address, in their order. */
async function subjectsTo(address: string): Promise<string[]> {
  await sendNotices(ctx);
  const { rows } = await listEmails(ctx, ownProject, { limit: 100, filters: {} });
  return rows
    .filter(({ recipients }) => recipients[0]?.address === address)
    .map(({ email }) => email.subject)
    .reverse();
}

it("every kind that the rooms below write is understood, with the parameters that they write", async () => {
  const shop = await at.tenant({ livemode: true, verified: false });
  const owner = await visitor(at, { merchant_id: shop.merchant_id, role: "owner" });
  const by = { ...ctx, actor: { kind: "person" as const, id: owner.id } };

  await setMerchantVerification(ctx, { merchant_id: shop.merchant_id, status: "rejected", reason: "The licence could not be read." });
  await setMerchantVerification(ctx, { merchant_id: shop.merchant_id, status: "verified" });
  for (const reason of ["Complaints", "Complaints", null, null]) await setMerchantSending(ctx, { merchant_id: shop.merchant_id, reason });
  await putProfile(by, shop, { channel: "alipay", if_version: null, qr_payload: alipayCode });
  await inviteMember(by, {
    merchant_id: shop.merchant_id,
    email: "zhang@shop.cn",
    role: "reviewer",
    language: "zh",
    by: { person_id: owner.id, name: "Li Wei", role: "owner" },
  });
  const changed = await owner.api.post("/api/auth/change-password", { current_password: testPassword, new_password: "another good one" });
  expect(changed.status).toBe(200);

  const { endpoint } = await createEndpoint(ctx, shop, { url: "https://shop.example.com/hook", events: ["order.paid"] });
  const failing = "update webhook_endpoints set failing_since = ? where project_id = ? and livemode and id = ?";
  await runStatement(ctx.db, failing, ctx.now().toISOString(), shop.project_id, endpoint.id);
  for (const hours of [24, 48, 48]) {
    at.clock.advance(hours * hourMs);
    await insertFailedAttempt(ctx.db, shop, { endpoint_id: endpoint.id, id: ctx.id("wat"), now: ctx.now() });
    await watchFailing(ctx);
    await sendNotices(ctx);
  }

  expect((await subjectsTo(owner.email)).sort()).toEqual(
    [
      "Corner Books couldn't be verified",
      "Corner Books is verified",
      "LIVE sending is suspended for Corner Books",
      "Corner Books can send LIVE messages again",
      "The Alipay receiving code of Shop was changed",
      "Your password was changed",
      "Your webhook has been failing for 24 hours",
      "Your webhook has been failing for 3 days",
      "Your webhook was disabled",
    ].sort(),
  );
  expect(await subjectsTo("zhang@shop.cn")).toEqual(["邀请您加入 Corner Books"]);
  expect(await runStatement(ctx.db, "select kind, state, reason from notices where state <> 'sent'")).toEqual([]);
});

it("a new account is asked to confirm its address, and its owner is notified of a second attempt", async () => {
  const page = withHeaders(at, pageHeaders());
  const body = { email: "fresh@shop.cn", password: testPassword, name: "Fresh", merchant_name: "Fresh", language: "zh" };
  expect((await page.post("/api/auth/sign-up/email", body)).status).toBe(200);
  expect((await page.post("/api/auth/sign-up/email", body)).status).toBe(200);
  expect((await subjectsTo("fresh@shop.cn")).slice(0, 1)).toEqual(["请确认您的邮箱"]);
  expect(await runStatement(ctx.db, "select kind, state, reason from notices where state <> 'sent'")).toEqual([]);
});
