import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { openNotices } from "#test/support/people/visitor-notices.ts";
import { pageHeaders, testPassword, visitor, withHeaders } from "#test/support/people/visitors.ts";

const app = await testApp({ http: { signUp: "open", perMinuteUnauthenticated: 1_000_000 } });
const page = withHeaders(app, pageHeaders());
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
    const codes = [];
    for (let n = 0; n < 4; n += 1) codes.push((await ask(path, body)).status);
    expect([path, ...codes]).toEqual([path, 200, 200, 200, 429]);
  }
});
