import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { totp } from "#test/support/people/totp.ts";
import { openNotices } from "#test/support/people/visitor-notices.ts";
import { cookiesOf, pageHeaders, testPassword, visitor, withHeaders } from "#test/support/people/visitors.ts";

const app = await testApp({ http: { signUp: "open" } });
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** The sign-in library reads the machine's own clock for the moment in which a session begins. */
const slackMs = 60_000;

const sessionCookie = (headers: Record<string, unknown>) =>
  ([headers["set-cookie"]].flat() as string[]).find((line) => line.includes(".session_token=")) ?? "";

test("a session ends after 30 days, however it is used, and an unused one after seven", async () => {
  const [busy, idle] = [await visitor(app), await visitor(app)];
  const alive = async (who: typeof busy) => (await who.api.get("/api/profile/me")).status === 200;
  for (let day = 0; day < 29; day += 1) {
    expect([day, await alive(busy)]).toEqual([day, true]);
    app.clock.advance(dayMs);
  }
  expect([await alive(busy), await alive(idle)]).toEqual([true, false]);
  app.clock.advance(dayMs - slackMs);
  expect(await alive(busy)).toBe(true);
  app.clock.advance(2 * slackMs);
  expect(await alive(busy)).toBe(false);
});

test("a browser keeps the cookie of a remembered session for its 30 days, also after a new password, and of another one until it closes", async () => {
  const { email } = await visitor(app);
  const lives = (cookie: string) => Number(/; Max-Age=(\d+)/i.exec(cookie)?.[1] ?? 0) * 1000;
  const signIn = (more: object) =>
    withHeaders(app, pageHeaders()).post("/api/auth/sign-in/email", { email, password: testPassword, ...more });
  const remembered = await signIn({});
  expect(lives(sessionCookie(remembered.headers))).toBe(30 * dayMs);
  expect(sessionCookie((await signIn({ remember: false })).headers)).not.toMatch(/max-age|expires/i);
  const passwords = { current_password: testPassword, new_password: "another good one" };
  const me = withHeaders(app, pageHeaders(cookiesOf(remembered.headers)));
  const changed = await me.post("/api/auth/change-password", passwords);
  expect(lives(sessionCookie(changed.headers))).toBe(30 * dayMs);
  const out = await withHeaders(app, pageHeaders(cookiesOf(changed.headers))).post("/api/auth/sign-out");
  expect(sessionCookie(out.headers)).toMatch(/max-age=0/i);
});

test.each(["a new password", "two-step sign-in"])("a session that isn't remembered isn't remembered after %s either", async (change) => {
  const { email } = await visitor(app);
  const sent = { email, password: testPassword, remember: false };
  const first = await withHeaders(app, pageHeaders()).post("/api/auth/sign-in/email", sent);
  // Only the session's own cookie: what else the browser was given isn't needed for it.
  const cookie = sessionCookie(first.headers).split(";", 1).join("");
  const page = withHeaders(app, pageHeaders(cookie));
  const changed =
    change === "a new password"
      ? await page.post("/api/auth/change-password", { current_password: testPassword, new_password: "another good one" })
      : await page.post("/api/auth/two-factor/verify-totp", {
          code: totp((await page.post("/api/auth/two-factor/enable", { password: testPassword })).body.totp_uri, app.clock.now()),
        });
  expect(changed.status, changed.text).toBe(200);
  expect(sessionCookie(changed.headers)).toMatch(/session_token=/);
  expect(sessionCookie(changed.headers)).not.toMatch(/max-age|expires/i);
  const alive = async () => (await withHeaders(app, pageHeaders(cookiesOf(changed.headers))).get("/api/profile/me")).status === 200;
  app.clock.advance(dayMs - slackMs);
  expect(await alive()).toBe(true);
  app.clock.advance(2 * slackMs);
  expect(await alive()).toBe(false);
});

test("an operator's session ends after twelve hours", async () => {
  const operator = await visitor(app, { is_operator: true });
  const at = app.clock.now().getTime();
  const [session] = (await operator.api.get("/api/profile/sessions")).body.data as { expires_at: string }[];
  expect(Math.abs(new Date(session?.expires_at ?? "").getTime() - at - 12 * hourMs)).toBeLessThan(slackMs);
  app.clock.advance(12 * hourMs - slackMs);
  expect((await operator.api.get("/api/profile/me")).status).toBe(200);
  app.clock.advance(2 * slackMs);
  expect((await operator.api.get("/api/profile/me")).status).toBe(401);
});

test("the link that confirms an address works once", async () => {
  const page = withHeaders(app, pageHeaders());
  const body = { email: "new@example.com", password: testPassword, name: "Li Wei", merchant_name: "Tea House" };
  expect((await page.post("/api/auth/sign-up/email", body)).status).toBe(200);
  const token = new URL((await openNotices(app, "email_verification", body.email))[0]?.url ?? "").searchParams.get("token");
  expect((await page.post("/api/auth/verify-email", { token })).status).toBe(200);
  for (let again = 0; again < 2; again += 1)
    expect(await page.post("/api/auth/verify-email", { token })).toMatchObject({
      status: 400,
      body: { error: { code: "parameter_invalid", param: "token" } },
    });
});
