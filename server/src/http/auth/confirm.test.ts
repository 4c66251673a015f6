import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { makeAuthenticator } from "#test/support/people/authenticator.ts";
import { totp } from "#test/support/people/totp.ts";
import { cookiesOf, pageHeaders, testPassword, type Visitor, visitor, withHeaders } from "#test/support/people/visitors.ts";

const app = await testApp({ http: { perMinuteUnauthenticated: 10_000 } });
const path = "/api/auth/confirm";

/** Whether the session counts as fresh: making a passkey asks for it. */
const isConfirmed = async (api: Visitor["api"]) => (await api.post("/api/auth/passkey/register-options")).status === 200;
const later = () => app.clock.advance(10 * 60_000 + 1);

async function withAuthenticator() {
  const li = await visitor(app);
  const { totp_uri } = (await li.api.post("/api/auth/two-factor/enable", { password: testPassword })).body;
  const on = await li.api.post("/api/auth/two-factor/verify-totp", { code: totp(totp_uri, app.clock.now()) });
  later();
  return { api: withHeaders(app, pageHeaders(cookiesOf(on.headers))), totp_uri };
}

async function withPasskey() {
  const li = await visitor(app);
  const key = makeAuthenticator();
  const { options } = (await li.api.post("/api/auth/passkey/register-options")).body;
  await li.api.post("/api/auth/passkey/register", { name: "Phone", response: key.register(options) });
  later();
  return { li, key };
}

const challenge = async (api: Visitor["api"]) => (await api.post("/api/auth/passkey/sign-in-options")).body.options;

test("a code of the authenticator makes the session fresh, once", async () => {
  const { api, totp_uri } = await withAuthenticator();
  expect(await isConfirmed(api)).toBe(false);
  const code = totp(totp_uri, app.clock.now());
  expect(await api.post(path, { code: code === "000000" ? "111111" : "000000" })).toMatchObject({
    status: 400,
    body: { error: { param: "code" } },
  });
  expect(await isConfirmed(api)).toBe(false);
  expect(await api.post(path, { code })).toMatchObject({ status: 200, body: { object: "confirmation" } });
  expect(await isConfirmed(api)).toBe(true);
  expect(await api.post(path, { code })).toMatchObject({ status: 400, body: { error: { param: "code" } } });
});

test("after ten wrong codes in a quarter of an hour no more are accepted", async () => {
  const { api, totp_uri } = await withAuthenticator();
  for (let n = 0; n < 10; n += 1) {
    expect((await api.post(path, { code: "abcdef" })).status).toBe(400);
    app.clock.advance(61_000);
  }
  expect(await api.post(path, { code: totp(totp_uri, app.clock.now()) })).toMatchObject({
    status: 429,
    body: { error: { code: "rate_limited" } },
  });
  expect(await isConfirmed(api)).toBe(false);
});

test("a passkey of the person makes the session fresh; another person's, and an earlier response, don't", async () => {
  const { li, key } = await withPasskey();
  const other = await withPasskey();
  expect(await isConfirmed(li.api)).toBe(false);
  const foreign = other.key.answer(await challenge(other.li.api));
  expect(await li.api.post(path, { passkey: foreign })).toMatchObject({ status: 400, body: { error: { param: "passkey" } } });
  expect(await isConfirmed(li.api)).toBe(false);
  const answer = key.answer(await challenge(li.api));
  expect((await li.api.post(path, { passkey: answer })).status).toBe(200);
  expect(await isConfirmed(li.api)).toBe(true);
  later();
  expect((await li.api.post(path, { passkey: answer })).status).toBe(400);
  expect(await isConfirmed(li.api)).toBe(false);
});

test("a response without a passkey's id doesn't make the session fresh", async () => {
  const { li } = await withPasskey();
  for (const id of [{ toString: 1 }, null, "x".repeat(1_365)])
    expect(await li.api.post(path, { passkey: { id } })).toMatchObject({ status: 400, body: { error: { param: "passkey" } } });
  expect(await isConfirmed(li.api)).toBe(false);
});

test("an Idempotency-Key can't repeat a passkey's confirmation", async () => {
  const { li, key } = await withPasskey();
  const answer = key.answer(await challenge(li.api));
  const repeated = { headers: { "idempotency-key": "confirm-once" } };
  expect((await li.api.post(path, { passkey: answer }, repeated)).status).toBe(200);
  later();
  expect(await li.api.post(path, { passkey: answer }, repeated)).toMatchObject({
    status: 400,
    body: { error: { param: "passkey" } },
  });
  expect(await isConfirmed(li.api)).toBe(false);
});

test("one proof is required, and one that the person has", async () => {
  const { api } = await visitor(app);
  expect(await api.post(path, {})).toMatchObject({ status: 400, body: { error: { code: "parameter_missing" } } });
  expect(await api.post(path, { password: testPassword, code: "123456" })).toMatchObject({
    status: 400,
    body: { error: { code: "parameter_conflict" } },
  });
  expect(await api.post(path, { code: "123456" })).toMatchObject({
    status: 400,
    body: { error: { code: "parameter_invalid", param: "code" } },
  });
});
