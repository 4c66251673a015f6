import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { openNotices } from "#test/support/people/visitor-notices.ts";
import { pageHeaders, signIn, testPassword, visitor, withHeaders } from "#test/support/people/visitors.ts";

const app = await testApp({ http: { signUp: "open" } });

test("a newcomer accepts an invitation in a browser with the cookie of an ended session, or of someone else's", async () => {
  const shop = await app.tenant();
  const owner = await visitor(app, { merchant_id: shop.merchant_id });
  const [gone, open] = [await visitor(app), await visitor(app)];
  await runStatement(app.ctx.db, "update person_sessions set expires_at = app_now() where person_id = ?", gone.id);
  for (const [who, email] of [
    [gone, "after@tea.example"],
    [open, "beside@tea.example"],
  ] as const) {
    await owner.api.post("/api/v1/merchant/invitations", { email, role: "viewer" });
    const token = new URL((await openNotices(app, "invitation", email))[0]?.url ?? "").searchParams.get("token");
    const accepted = await who.api.post("/api/auth/accept-invitation", { token, name: "Guest", password: testPassword });
    expect(accepted, accepted.text).toMatchObject({ status: 200 });
    const me = await withHeaders(app, pageHeaders(await signIn(app, email, "203.0.113.78"))).get("/api/profile/me");
    expect(me.body).toMatchObject({ email, memberships: [{ merchant_id: shop.merchant_id, role: "viewer" }] });
  }
});

test("an account that was never confirmed becomes its invitee's, and the password that it was created with no longer works", async () => {
  const shop = await app.tenant();
  const owner = await visitor(app, { merchant_id: shop.merchant_id });
  const [email, ofStranger] = ["taken@tea.example", "another good one"];
  const page = withHeaders(app, pageHeaders());
  const account = { email, password: ofStranger, name: "Stranger", merchant_name: "Strange House" };
  const made = await page.post("/api/auth/sign-up/email", account);
  expect(made.status, made.text).toBe(200);
  await owner.api.post("/api/v1/merchant/invitations", { email, role: "viewer" });
  const token = new URL((await openNotices(app, "invitation", email))[0]?.url ?? "").searchParams.get("token");
  expect(await page.post("/api/auth/invitation", { token })).toMatchObject({ status: 200, body: { has_account: false } });
  const accepted = await page.post("/api/auth/accept-invitation", { token, name: "Guest", password: testPassword });
  expect(accepted.status, accepted.text).toBe(200);
  expect((await page.post("/api/auth/sign-in/email", { email, password: ofStranger })).status).toBe(401);
  const me = await withHeaders(app, pageHeaders(await signIn(app, email, "203.0.113.79"))).get("/api/profile/me");
  expect(me.body).toMatchObject({ email, name: "Guest" });
  expect(me.body.memberships).toContainEqual(expect.objectContaining({ merchant_id: shop.merchant_id, role: "viewer" }));
});
