import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { cookiesOf, pageHeaders, signIn, testPassword, visitor, withHeaders } from "#test/support/people/visitors.ts";
import { changeOne } from "#test/support/sealed/change-one.ts";

const app = await testApp({ http: { perMinuteUnauthenticated: 1_000_000 } });
const page = (cookie?: string) => withHeaders(app, pageHeaders(cookie));
const path = "/api/auth/sign-in/email";

async function guess(email: string, addresses: (n: number) => string, many: number): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {};
  for (let from = 0; from < many; from += 25) {
    const some = Array.from({ length: 25 }, (_, n) => page().post(path, { email, password: "a guess" }, { from: addresses(from + n) }));
    for (const { status, headers } of await Promise.all(some)) {
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status === 429) expect(Number(headers["retry-after"])).toBeGreaterThan(0);
    }
  }
  return statuses;
}

describe("of many guesses within a minute", () => {
  test("five from one address are tried, and the owner elsewhere isn't locked out", async () => {
    const li = await visitor(app);
    app.clock.advance(60_000);
    expect(await guess(li.email, () => "203.0.113.5", 25)).toEqual({ 401: 5, 429: 20 });
    expect(await signIn(app, li.email, "203.0.113.6")).toContain("session_token");
  });

  test("twenty from any number of addresses are tried, for a known account as for an unknown one", async () => {
    const li = await visitor(app);
    app.clock.advance(60_000);
    const spread = (n: number) => `10.${n >> 8}.${n & 255}.9`;
    const known = await guess(li.email, spread, 50);
    app.clock.advance(60_000);
    const unknown = await guess("nobody@example.com", spread, 25);
    expect(known).toEqual({ 401: 20, 429: 30 });
    expect(unknown).toEqual({ 401: 20, 429: 5 });
    app.clock.advance(60_000);
    expect(await signIn(app, li.email, "10.0.0.9")).toContain("session_token");
  });

  test("a device that its owner signed in with before bypasses the lock, with a separate budget", async () => {
    const [li, wu] = [await visitor(app), await visitor(app)];
    app.clock.advance(60_000);
    const spread = (n: number) => `10.7.${n >> 8}.${n & 255}`;
    expect(await guess(li.email, spread, 25)).toEqual({ 401: 20, 429: 5 });
    const enter = async (cookie: string, password = testPassword, from = "10.7.9.9") =>
      (await page(cookie).post(path, { email: li.email, password }, { from })).status;
    const known = /__Host-tillpost\.known_[0-9a-f]{8}=[^;]+/.exec(li.cookie)?.[0] ?? "";
    expect(await enter("")).toBe(429);
    expect(await enter(known)).toBe(200);
    // Not another person's, one that was changed, nor one under another account's name.
    const others = /__Host-tillpost\.known_[0-9a-f]{8}=([^;]+)/.exec(wu.cookie);
    for (const forged of [others?.[0] ?? "", changeOne(known), `${known.split("=")[0]}=${others?.[1]}`, `${known.split("=")[0]}=`])
      expect(await enter(forged)).toBe(429);
    // Someone who steals it can't guess faster than anyone else, from however many addresses.
    const stolen = [];
    for (let n = 0; n < 8; n += 1) stolen.push(await enter(known, "a guess", `10.8.0.${n}`));
    expect(stolen).toEqual([401, 401, 401, 401, 429, 429, 429, 429]);
    app.clock.advance(90 * 86_400_000);
    expect(await guess(li.email, spread, 25)).toEqual({ 401: 20, 429: 5 });
    expect(await enter(known)).toBe(429);
  });

  test("thirty from one address at different accounts are tried, a whole /64 counting as one", async () => {
    app.clock.advance(60_000);
    let refused = 0;
    for (let n = 0; n < 35; n += 1) {
      const { status } = await page().post(path, { email: `a${n}@example.com`, password: "x" }, { from: `2001:db8::${n.toString(16)}` });
      if (status === 429) refused += 1;
    }
    expect(refused).toBe(5);
  });

  test("no more are tried if they all arrive concurrently", async () => {
    const li = await visitor(app);
    app.clock.advance(60_000);
    const all = await Promise.all(
      Array.from({ length: 15 }, () => page().post(path, { email: li.email, password: "no" }, { from: "203.0.113.8" })),
    );
    expect(all.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(all.filter(({ status }) => status === 429)).toHaveLength(10);
  });
});

describe("a session", () => {
  test("is always a new one: what was planted before a sign-in opens nothing after it", async () => {
    const mallory = await visitor(app);
    const victim = await visitor(app);
    const reply = await page(mallory.cookie).post(path, { email: victim.email, password: testPassword }, { from: "203.0.113.30" });
    const cookies = cookiesOf(reply.headers);
    expect(cookies).not.toBe(mallory.cookie);
    expect((await page(mallory.cookie).get("/api/profile/me")).body.id).toBe(mallory.id);
    expect((await page(cookies).get("/api/profile/me")).body.id).toBe(victim.id);
    const forged = "planted-token-planted-token-1234";
    const invented = `__Host-tillpost.session_token=${encodeURIComponent(`${forged}.${createHmac("sha256", "guess").update(forged).digest("base64")}`)}`;
    const planted = cookiesOf(
      (await page(invented).post(path, { email: victim.email, password: testPassword }, { from: "203.0.113.31" })).headers,
    );
    expect(planted).not.toContain(forged);
    expect((await page(invented).get("/api/profile/me")).status).toBe(401);
  });

  test("ends everywhere but here when the password is changed, and the changed cookie replaces this one", async () => {
    const li = await visitor(app);
    const elsewhere = await signIn(app, li.email, "203.0.113.40");
    const body = { current_password: testPassword, new_password: "a longer password" };
    expect(await li.api.post("/api/auth/change-password", { ...body, current_password: "wrong" })).toMatchObject({ status: 400 });
    expect((await page(elsewhere).get("/api/profile/me")).status).toBe(200);
    const changed = await li.api.post("/api/auth/change-password", body);
    expect(changed.status, changed.text).toBe(200);
    for (const stale of [elsewhere, li.cookie]) {
      expect(await page(stale).get("/api/profile/me")).toMatchObject({ status: 401, body: { error: { code: "authentication_required" } } });
    }
    expect((await page(cookiesOf(changed.headers)).get("/api/profile/me")).status).toBe(200);
  });

  test("is listed and ended only by its person, and by time", async () => {
    const li = await visitor(app);
    const other = await visitor(app);
    const second = await signIn(app, li.email, "203.0.113.50");
    const list = (await li.api.get("/api/profile/sessions")).body.data as { id: string; is_current: boolean; ip_address: string }[];
    expect(list.map(({ is_current }) => is_current)).toEqual([false, true]);
    expect(list[0]?.ip_address).toBe("203.0.113.50");
    expect((await other.api.delete(`/api/profile/sessions/${list[0]?.id}`)).status).toBe(404);
    expect((await li.api.delete(`/api/profile/sessions/${list[0]?.id}`)).status).toBe(200);
    expect((await page(second).get("/api/profile/me")).status).toBe(401);
    app.clock.advance(7 * 86_400_000 + 60_000);
    expect((await li.api.get("/api/profile/me")).status).toBe(401);
  });

  test("that wasn't to be remembered ends after a day, however busy; another one continues", async () => {
    const li = await visitor(app);
    const enter = async (remember: boolean, from: string) =>
      (await page().post(path, { email: li.email, password: testPassword, remember }, { from })).headers;
    const brief = await enter(false, "203.0.113.60");
    expect([brief["set-cookie"] ?? []].flat().find((line) => String(line).includes("session_token"))).not.toContain("Max-Age");
    const [one, other] = [cookiesOf(brief), cookiesOf(await enter(true, "203.0.113.61"))];
    const see = async (cookie: string) => (await page(cookie).get("/api/profile/me")).status;
    app.clock.advance(23 * 3_600_000);
    expect([await see(one), await see(other)]).toEqual([200, 200]);
    app.clock.advance(3_600_000 + 60_000);
    expect([await see(one), await see(other)]).toEqual([401, 200]);
  });

  test("can't be opened with what a dump of the database contains", async () => {
    const li = await visitor(app);
    const token = decodeURIComponent(li.cookie.split("=")[1] ?? "").split(".")[0] ?? "none";
    const [row] = await runStatement<{ all: string }>(
      app.ctx.db,
      "select string_agg(s::text, ' ') || (select string_agg(c::text, ' ') from person_credentials c) as all from person_sessions s",
    );
    expect(row?.all).not.toContain(token);
    expect(row?.all).not.toContain(testPassword);
  });
});
