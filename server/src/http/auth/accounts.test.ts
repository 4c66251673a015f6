import { describe, expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { totp } from "#test/support/people/totp.ts";
import { openNotices } from "#test/support/people/visitor-notices.ts";
import { cookiesOf, pageHeaders, signIn, testPassword, visitor, withHeaders } from "#test/support/people/visitors.ts";

const app = await testApp({ http: { signUp: "open", perMinuteUnauthenticated: 10_000 } });
const page = (cookie?: string) => withHeaders(app, pageHeaders(cookie));
const mailedToken = async (kind: string, email: string) =>
  new URL((await openNotices(app, kind, email)).at(-1)?.url ?? "").searchParams.get("token") ?? "";

describe("signing up", () => {
  const body = { email: "New@Example.com", password: testPassword, name: "Li Wei", merchant_name: "Tea House", language: "zh" };

  test("creates a person, their merchant and an email, all of it or nothing, and lets them in once the address is confirmed", async () => {
    expect((await page().post("/api/auth/sign-up/email", body)).status).toBe(200);
    const early = await page().post("/api/auth/sign-in/email", { email: body.email, password: testPassword });
    expect(early).toMatchObject({ status: 403, body: { error: { code: "permission_denied", reason: "email_not_verified" } } });
    const token = await mailedToken("email_verification", "new@example.com");
    expect((await page().post("/api/auth/verify-email", { token })).status).toBe(200);
    const cookie = await signIn(app, "new@example.com", "203.0.113.9");
    const me = await page(cookie).get("/api/profile/me");
    expect(me.body).toMatchObject({
      language: "zh",
      memberships: [{ merchant_name: "Tea House", role: "owner", verification_status: "pending" }],
    });
    const made = await page(cookie).post("/api/v1/projects", { name: "Web shop", default_currency: "CNY" });
    expect(made).toMatchObject({ status: 201, body: { slug: "web-shop" } });
    const audits = await runStatement(app.ctx.db, "select action from audit_log where actor_id = ? order by id", me.body.id);
    expect(audits.map((row) => (row as { action: string }).action)).toEqual([
      "merchant.created",
      "member.added",
      "person.created",
      "person.email_verified",
      "person.signed_in",
      "project.created",
    ]);
  });

  test("tells only its owner that an address has an account", async () => {
    const again = await page().post("/api/auth/sign-up/email", body);
    const answer = await page().post("/api/auth/sign-up/email", { ...body, email: "other@example.com" });
    expect({ status: again.status, body: again.body }).toEqual({ status: answer.status, body: answer.body });
    expect((await openNotices(app, "sign_up_again", "new@example.com")).length).toBe(1);
  });
});

describe("a forgotten password", () => {
  test("is replaced once by the email's link, which ends every session", async () => {
    const li = await visitor(app);
    expect((await page().post("/api/auth/request-password-reset", { email: li.email })).status).toBe(200);
    expect((await page().post("/api/auth/request-password-reset", { email: "nobody@example.com" })).status).toBe(200);
    const token = await mailedToken("password_reset", li.email);
    expect(JSON.stringify(await runStatement(app.ctx.db, "select identifier, value from person_verifications"))).not.toContain(token);
    expect((await page().post("/api/auth/reset-password", { token, new_password: "another good one" })).status).toBe(200);
    expect((await li.api.get("/api/profile/me")).status).toBe(401);
    expect(await page().post("/api/auth/reset-password", { token, new_password: "a third good one" })).toMatchObject({
      status: 400,
      body: { error: { param: "token" } },
    });
    expect((await page().post("/api/auth/sign-in/email", { email: li.email, password: testPassword })).status).toBe(401);
    expect((await page().post("/api/auth/sign-in/email", { email: li.email, password: "another good one" })).status).toBe(200);
  });

  test("invalidates every other link and trusted browser", async () => {
    const li = await visitor(app);
    const ask = () => page().post("/api/auth/request-password-reset", { email: li.email });
    await ask();
    const early = await mailedToken("password_reset", li.email);
    await ask();
    const late = await mailedToken("password_reset", li.email);
    expect(early).not.toBe(late);
    const unused = () => runStatement(app.ctx.db, "select 1 from person_verifications where value = ?", li.id);
    expect((await unused()).length).toBeGreaterThanOrEqual(2);
    expect((await page().post("/api/auth/reset-password", { token: late, new_password: "another good one" })).status).toBe(200);
    expect((await page().post("/api/auth/reset-password", { token: early, new_password: "a thief's good one" })).status).toBe(400);
    expect(await unused()).toEqual([]);
    await ask();
    const stale = await mailedToken("password_reset", li.email);
    const cookie = cookiesOf(
      (await page().post("/api/auth/sign-in/email", { email: li.email, password: "another good one" }, { from: "203.0.113.66" })).headers,
    );
    const changed = await page(cookie).post("/api/auth/change-password", {
      current_password: "another good one",
      new_password: "a third good one",
    });
    expect(changed.status, changed.text).toBe(200);
    expect((await page().post("/api/auth/reset-password", { token: stale, new_password: "a thief's good one" })).status).toBe(400);
  });
});

describe("two-step sign-in", () => {
  test("asks for a code, and accepts each recovery code once", async () => {
    const li = await visitor(app);
    const setup = await li.api.post("/api/auth/two-factor/enable", { password: testPassword });
    expect(setup.status, setup.text).toBe(200);
    const { totp_uri, recovery_codes } = setup.body;
    expect((await li.api.post("/api/auth/two-factor/verify-totp", { code: totp(totp_uri, app.clock.now()) })).status).toBe(200);
    const first = await page().post("/api/auth/sign-in/email", { email: li.email, password: testPassword }, { from: "203.0.113.20" });
    expect(first.body).toEqual({ object: "sign_in", signed_in: false, two_factor_required: true });
    const pending = cookiesOf(first.headers);
    expect((await page(pending).get("/api/profile/me")).status).toBe(401);
    expect((await page(pending).post("/api/auth/two-factor/verify-totp", { code: "000000" })).status).toBe(401);
    const passed = await page(pending).post("/api/auth/two-factor/verify-recovery-code", { code: recovery_codes[0] });
    expect(passed.status, passed.text).toBe(200);
    expect((await page(cookiesOf(passed.headers)).get("/api/profile/me")).body).toMatchObject({ id: li.id, two_factor_enabled: true });
    const second = cookiesOf(
      (await page().post("/api/auth/sign-in/email", { email: li.email, password: testPassword }, { from: "203.0.113.21" })).headers,
    );
    expect((await page(second).post("/api/auth/two-factor/verify-recovery-code", { code: recovery_codes[0] })).status).toBe(401);
    expect((await openNotices(app, "security_changed", li.id)).map(({ change }) => change)).toEqual([
      "two_factor_enabled",
      "recovery_code_used",
    ]);
  });

  test("accepts a code once, also within its half minute", async () => {
    const li = await visitor(app);
    const { totp_uri } = (await li.api.post("/api/auth/two-factor/enable", { password: testPassword })).body;
    const code = totp(totp_uri, app.clock.now());
    const enabled = await li.api.post("/api/auth/two-factor/verify-totp", { code });
    expect(enabled.status, enabled.text).toBe(200);
    app.clock.advance(121_000);
    const challenge = async (n: number) =>
      page(
        cookiesOf(
          (await page().post("/api/auth/sign-in/email", { email: li.email, password: testPassword }, { from: `203.0.115.${n}` })).headers,
        ),
      );
    const shown = totp(totp_uri, app.clock.now());
    const [first, second] = [await challenge(1), await challenge(2)];
    expect((await first.post("/api/auth/two-factor/verify-totp", { code: shown }, { from: "203.0.115.1" })).status).toBe(200);
    const replayed = await second.post("/api/auth/two-factor/verify-totp", { code: shown }, { from: "203.0.115.2" });
    expect(replayed).toMatchObject({ status: 401, body: { error: { code: "authentication_required" } } });
    expect(replayed.headers["set-cookie"]).toBeUndefined();
  });

  test("locks the account after ten wrong codes, whatever challenges and addresses they come from", async () => {
    const li = await visitor(app);
    const { totp_uri } = (await li.api.post("/api/auth/two-factor/enable", { password: testPassword })).body;
    expect((await li.api.post("/api/auth/two-factor/verify-totp", { code: totp(totp_uri, app.clock.now()) })).status).toBe(200);
    const challenge = async (n: number) =>
      cookiesOf(
        (await page().post("/api/auth/sign-in/email", { email: li.email, password: testPassword }, { from: `203.0.114.${n}` })).headers,
      );
    const refused: number[] = [];
    for (let n = 0; n < 3; n += 1) {
      const pending = page(await challenge(n));
      for (let tries = 0; tries < 4; tries += 1) {
        refused.push((await pending.post("/api/auth/two-factor/verify-totp", { code: "000000" }, { from: `203.0.114.${n}` })).status);
      }
    }
    expect(refused).toEqual([...Array<number>(10).fill(401), 429, 429]);
    const right = await page(await challenge(9)).post(
      "/api/auth/two-factor/verify-totp",
      { code: totp(totp_uri, app.clock.now()) },
      { from: "203.0.114.9" },
    );
    expect(right).toMatchObject({ status: 429, body: { error: { code: "rate_limited" } } });
    const audits = await runStatement(
      app.ctx.db,
      "select 1 from audit_log where actor_id = ? and action = 'person.second_step_passed'",
      li.id,
    );
    expect(audits).toEqual([]);
  });

  test("is turned on once in the audit log, however often a code is verified, and completes a sign-in despite a stale cookie", async () => {
    const li = await visitor(app);
    const { totp_uri } = (await li.api.post("/api/auth/two-factor/enable", { password: testPassword })).body;
    const on = cookiesOf((await li.api.post("/api/auth/two-factor/verify-totp", { code: totp(totp_uri, app.clock.now()) })).headers);
    app.clock.advance(121_000);
    expect((await page(on).post("/api/auth/two-factor/verify-totp", { code: totp(totp_uri, app.clock.now()) })).status).toBe(200);
    expect((await openNotices(app, "security_changed", li.id)).map(({ change }) => change)).toEqual(["two_factor_enabled"]);
    await page(on).post("/api/auth/sign-out");
    app.clock.advance(121_000);
    const first = await page().post("/api/auth/sign-in/email", { email: li.email, password: testPassword }, { from: "203.0.116.1" });
    const passed = await page(`${on}; ${cookiesOf(first.headers)}`).post("/api/auth/two-factor/verify-totp", {
      code: totp(totp_uri, app.clock.now()),
    });
    expect(passed.status, passed.text).toBe(200);
    const rows = await runStatement<{ action: string }>(app.ctx.db, "select action from audit_log where actor_id = ? order by id", li.id);
    expect(rows.map(({ action }) => action).filter((action) => /two_factor|code|second/.test(action))).toEqual([
      "person.two_factor_begun",
      "person.two_factor_enabled",
      "person.code_verified",
      "person.second_step_passed",
    ]);
  });

  test("gives a recovery code to one of two concurrent requests", async () => {
    const li = await visitor(app);
    const { totp_uri, recovery_codes } = (await li.api.post("/api/auth/two-factor/enable", { password: testPassword })).body;
    await li.api.post("/api/auth/two-factor/verify-totp", { code: totp(totp_uri, app.clock.now()) });
    const challenge = async (from: string) =>
      cookiesOf((await page().post("/api/auth/sign-in/email", { email: li.email, password: testPassword }, { from })).headers);
    const both = await Promise.all(
      [await challenge("203.0.117.1"), await challenge("203.0.117.2")].map((pending) =>
        page(pending).post("/api/auth/two-factor/verify-recovery-code", { code: recovery_codes[0] }),
      ),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  test("lets no one at an open session guess the password to change it", async () => {
    const paths = ["enable", "disable", "recovery-codes"];
    for (const path of paths) {
      const li = await visitor(app);
      const guesses = await Promise.all(
        Array.from({ length: 8 }, (_, n) => li.api.post(`/api/auth/two-factor/${path}`, { password: `guess ${n}` })),
      );
      expect(
        guesses.filter(({ status }) => status === 429),
        path,
      ).toHaveLength(3);
    }
  });

  test("trusts no earlier browser once it was turned off and on again", async () => {
    const li = await visitor(app);
    const turnOn = async (api: ReturnType<typeof page>) => {
      const { totp_uri } = (await api.post("/api/auth/two-factor/enable", { password: testPassword })).body;
      return {
        totp_uri,
        api: page(cookiesOf((await api.post("/api/auth/two-factor/verify-totp", { code: totp(totp_uri, app.clock.now()) })).headers)),
      };
    };
    const { totp_uri, api } = await turnOn(li.api);
    const first = await page().post("/api/auth/sign-in/email", { email: li.email, password: testPassword }, { from: "203.0.118.1" });
    app.clock.advance(121_000);
    const trusted = cookiesOf(
      (
        await page(cookiesOf(first.headers)).post("/api/auth/two-factor/verify-totp", {
          code: totp(totp_uri, app.clock.now()),
          trust_device: true,
        })
      ).headers,
    );
    const enter = async (from: string) =>
      (await page(trusted).post("/api/auth/sign-in/email", { email: li.email, password: testPassword }, { from })).body.two_factor_required;
    const cookie = trusted.split("; ").find((cookie) => cookie.includes("trust_device"));
    expect(cookie).toBeDefined();
    const off = await api.post("/api/auth/two-factor/disable", { password: testPassword });
    expect(off.status, off.text).toBe(200);
    await turnOn(page(cookiesOf(off.headers)));
    expect(await enter("203.0.118.2")).toBe(true);
  });
});
