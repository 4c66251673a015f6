import { expect, test } from "vitest";
import { recoverPerson } from "#identity/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { totp } from "#test/support/people/totp.ts";
import { pageHeaders, signIn, testPassword, visitor, withHeaders } from "#test/support/people/visitors.ts";

const app = await testApp({ publicUrl: "https://pay.example.com" });
const dayMs = 86_400_000;
const refused = { status: 403, body: { error: { code: "permission_denied", reason: "second_step_required" } } };
const enter = async (email: string) =>
  withHeaders(app, pageHeaders(await signIn(app, email, "203.0.113.40"), { origin: app.ctx.publicUrl }));

test("if others reach this server, an operator has seven days to set up two-step sign-in, and acts again with it", async () => {
  const operator = await visitor(app, { is_operator: true });
  const member = await visitor(app, { merchant_id: (await app.tenant()).merchant_id });
  app.clock.advance(30 * dayMs);
  // Counted from the first visit, not from when the account was made.
  const first = await enter(operator.email);
  const due = new Date(app.clock.now().getTime() + 7 * dayMs).toISOString();
  expect((await first.get("/api/profile/me")).body).toMatchObject({ is_operator: true, has_second_step: false, second_step_due_at: due });
  expect((await first.get("/api/admin/merchants")).status).toBe(200);
  app.clock.advance(7 * dayMs - 1000);
  expect((await (await enter(operator.email)).get("/api/admin/merchants")).status).toBe(200);
  app.clock.advance(1000);
  const late = await enter(operator.email);
  for (const path of ["/api/admin/merchants", "/api/admin/health", "/api/admin/audit-log"])
    expect(await late.get(path)).toMatchObject(refused);
  expect((await (await enter(member.email)).get("/api/v1/merchant/members")).status).toBe(200);

  const { totp_uri } = (await late.post("/api/auth/two-factor/enable", { password: testPassword })).body;
  const on = await late.post("/api/auth/two-factor/verify-totp", { code: totp(totp_uri, app.clock.now()) });
  expect(on.status, on.text).toBe(200);
  const cookie = [on.headers["set-cookie"] ?? []]
    .flat()
    .map((line) => String(line).split(";", 1).join(""))
    .join("; ");
  const with_ = withHeaders(app, pageHeaders(cookie, { origin: app.ctx.publicUrl }));
  expect((await with_.get("/api/admin/merchants")).status).toBe(200);
  expect((await with_.get("/api/profile/me")).body).toMatchObject({ has_second_step: true, second_step_due_at: null });

  await recoverPerson(app.ctx, { email: operator.email, passwordWork: "light" });
  const recovered = await enter(operator.email);
  expect((await recovered.get("/api/profile/me")).body).toMatchObject({
    has_second_step: false,
    second_step_due_at: new Date(app.clock.now().getTime() + 7 * dayMs).toISOString(),
  });
  expect((await recovered.get("/api/admin/merchants")).status).toBe(200);
});
