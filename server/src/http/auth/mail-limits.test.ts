import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { openNotices } from "#test/support/people/visitor-notices.ts";
import { pageHeaders, testPassword, visitor, withHeaders } from "#test/support/people/visitors.ts";
import { eventually } from "#test/support/time/eventually.ts";

const app = await testApp({ http: { signUp: "open", perMinuteUnauthenticated: 1_000_000 } });
const page = withHeaders(app, pageHeaders());
const waiting = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
const hourMs = 3_600_000;
let address = 0;
/** From as many addresses as a stranger likes, as slowly as the limits of attempts ask for. */
const ask = (path: string, body: object) => page.post(`/api/auth/${path}`, body, { from: `10.9.${(address += 1) >> 8}.${address & 255}` });
const reset = (email: string) => ask("request-password-reset", { email });
const statuses = async (answers: Promise<{ status: number }>[]) => (await Promise.all(answers)).map(({ status }) => status).sort();
const mailsTo = async (email: string) => (await openNotices(app, "password_reset", email)).length;

test("an account gets three emails an hour to reset its password, no matter who requests them; the fourth requester sees when to try again", async () => {
  const li = await visitor(app);
  for (const email of [li.email, "nobody@tea.example"]) {
    const began = app.clock.now().getTime();
    for (const spelled of [email, email.toUpperCase(), email]) expect((await reset(spelled)).status).toBe(200);
    app.clock.advance(10 * 60_000);
    const refused = await reset(email);
    expect(refused).toMatchObject({ status: 429, body: { error: { code: "rate_limited" } } });
    expect(Number(refused.headers["retry-after"])).toBe(50 * 60);
    app.clock.advance(began + hourMs - 1_000 - app.clock.now().getTime());
    expect((await reset(email)).status).toBe(429);
    app.clock.advance(1_000);
    expect((await reset(email)).status).toBe(200);
  }
  expect(await mailsTo(li.email)).toBe(4);
  expect(await mailsTo("nobody@tea.example")).toBe(0);
});

test("two concurrent requests for the last one cause one email, and ten cause three", async () => {
  const [li, wu] = [await visitor(app), await visitor(app)];
  for (let n = 0; n < 2; n += 1) expect((await reset(li.email)).status).toBe(200);
  expect(await statuses([reset(li.email), reset(li.email)])).toEqual([200, 429]);
  expect(await mailsTo(li.email)).toBe(3);
  expect(await statuses(Array.from({ length: 10 }, () => reset(wu.email)))).toEqual([
    ...Array<number>(3).fill(200),
    ...Array<number>(7).fill(429),
  ]);
  expect(await mailsTo(wu.email)).toBe(3);
});

test("the emails that confirm and open an account are counted in the same way, each kind separately", async () => {
  const { email } = await visitor(app);
  const kinds: [path: string, body: object][] = [
    ["send-verification-email", { email }],
    ["sign-up/email", { email, name: "Li", password: testPassword }],
    ["request-password-reset", { email }],
  ];
  for (const [path, body] of kinds) {
    // Together: a response takes half a second, so that it doesn't show who has an account.
    expect([path, ...(await statuses(Array.from({ length: 3 }, () => ask(path, body))))]).toEqual([path, 200, 200, 200]);
    expect([path, (await ask(path, body)).status]).toEqual([path, 429]);
  }
});

test("signing in before the address is confirmed sends the email again, within the same three an hour", async () => {
  const account = { email: "early@tea.example", password: testPassword };
  expect((await ask("sign-up/email", { ...account, name: "Li" })).status).toBe(200);
  const mails = async () => (await openNotices(app, "email_verification", account.email)).length;
  const signIn = () => ask("sign-in/email", account);
  expect((await ask("send-verification-email", { email: account.email })).status).toBe(200);
  for (const sent of [3, 4, 4, 4]) {
    expect(await signIn()).toMatchObject({ status: 403, body: { error: { reason: "email_not_verified" } } });
    expect(await mails()).toBe(sent);
  }
  expect((await ask("send-verification-email", { email: account.email })).status).toBe(429);
  const [last] = (await openNotices(app, "email_verification", account.email)).slice(-1);
  const token = new URL(last?.url ?? "").searchParams.get("token");
  expect((await ask("verify-email", { token })).status).toBe(200);
  expect((await signIn()).status).toBe(200);
});

test("the confirmation email is sent while every place of the sign-in library is taken, and takes none itself", async () => {
  const people = await Promise.all(Array.from({ length: 4 }, () => visitor(app)));
  const email = "waiting@tea.example";
  await ask("sign-up/email", { email, name: "Li", password: testPassword });
  const signIns = await app.ctx.transact(async (tx) => {
    await runStatement(tx, "select from people where email = any (?::text[]) for update", [people.map((one) => one.email)]);
    const blocked = people.map((one) => ask("sign-in/email", { email: one.email, password: testPassword }));
    await eventually(
      () => "four sign-ins that wait",
      async () => (await runStatement(app.ctx.db, waiting)).length === 4,
    );
    expect((await ask("send-verification-email", { email })).status).toBe(200);
    return blocked;
  });
  expect(await statuses(signIns)).toEqual([200, 200, 200, 200]);
  expect((await openNotices(app, "email_verification", email)).length).toBe(2);
});
