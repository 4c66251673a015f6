import { testApp } from "#test/support/app/test-app.ts";
import { testPassword } from "#test/support/people/visitors.ts";
import { peopleRefusalsIn } from "#test/support/refusals/people-refusals.ts";

const app = await testApp({ http: { perMinuteUnauthenticated: 10_000 } });
const refusals = peopleRefusalsIn(app);
const token = "no-such-token";
const gone = { name: "a token that ended", status: 400, code: "parameter_invalid", param: "token" } as const;

refusals("POST /api/auth/sign-up/email", () => ({ body: { email: "x@example.com", password: testPassword, name: "X" } }), [
  {
    name: "a short password",
    body: { email: "x@example.com", password: "short", name: "X" },
    status: 400,
    code: "parameter_invalid",
    param: "password",
  },
]);
refusals("POST /api/auth/sign-in/email", ({ me }) => ({ body: { email: me.email, password: testPassword } }), [
  { name: "no password", body: { email: "x@example.com" }, status: 400, code: "parameter_missing", param: "password" },
]);
refusals("POST /api/auth/sign-out", () => ({}));
refusals("POST /api/auth/send-verification-email", () => ({ body: { email: "x@example.com" } }));
refusals("POST /api/auth/verify-email", () => ({ body: { token } }), [gone]);
refusals("POST /api/auth/request-password-reset", () => ({ body: { email: "x@example.com" } }));
refusals("POST /api/auth/reset-password", () => ({ body: { token, new_password: testPassword } }), [gone]);
refusals("POST /api/auth/change-password", () => ({ body: { current_password: testPassword, new_password: "another good one" } }), [
  {
    name: "a short password",
    body: { current_password: testPassword, new_password: "short" },
    status: 400,
    code: "parameter_invalid",
    param: "new_password",
  },
]);
refusals("POST /api/auth/confirm", () => ({ body: { password: testPassword } }));
refusals("POST /api/auth/two-factor/enable", () => ({ body: { password: testPassword } }));
refusals("POST /api/auth/two-factor/verify-totp", () => ({ body: { code: "123456" } }));
refusals("POST /api/auth/two-factor/verify-recovery-code", () => ({ body: { code: "abcde-12345" } }));
refusals("POST /api/auth/two-factor/disable", () => ({ body: { password: testPassword } }));
refusals("POST /api/auth/two-factor/recovery-codes", () => ({ body: { password: testPassword } }));
refusals("POST /api/auth/invitation", () => ({ body: { token } }));
refusals("POST /api/auth/accept-invitation", () => ({ body: { token, name: "X", password: testPassword } }));
