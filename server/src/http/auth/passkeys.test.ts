import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { makeAuthenticator } from "#test/support/people/authenticator.ts";
import { openNotices } from "#test/support/people/visitor-notices.ts";
import { cookiesOf, pageHeaders, type Visitor, visitor, withHeaders } from "#test/support/people/visitors.ts";
import { peopleRefusalsIn } from "#test/support/refusals/people-refusals.ts";

const app = await testApp({ http: { perMinuteUnauthenticated: 10_000, signInLimits: { perPair: 100, perAccount: 100, perAddress: 100 } } });
const refusals = peopleRefusalsIn(app);
const page = (cookie?: string) => withHeaders(app, pageHeaders(cookie));

async function addPasskey(person: Visitor) {
  const key = makeAuthenticator();
  const { options } = (await person.api.post("/api/auth/passkey/register-options")).body;
  const added = await person.api.post("/api/auth/passkey/register", { name: "Phone", response: key.register(options) });
  expect(added.status, added.text).toBe(201);
  return { key, id: added.body.id as string, options };
}

refusals("POST /api/auth/passkey/register-options", () => ({}));
refusals("POST /api/auth/passkey/register", () => ({ body: { name: "Phone", response: {} } }), [
  {
    name: "an answer that proves nothing",
    body: { name: "Phone", response: { id: "x" } },
    status: 400,
    code: "parameter_invalid",
    param: "response",
  },
]);
refusals("POST /api/auth/passkey/sign-in-options", () => ({}));
refusals("POST /api/auth/passkey/sign-in", () => ({ body: { response: { id: "x" } } }));
refusals("GET /api/profile/passkeys", () => ({}), [
  { name: "a cursor that names nothing", query: "starting_after=psk_none", status: 400, code: "invalid_cursor" },
]);
refusals("DELETE /api/profile/passkeys/:id", async ({ me }) => ({ params: { id: (await addPasskey(me)).id } }));

test("a passkey signs its person in, once for each challenge, and no longer after it was removed", async () => {
  const li = await visitor(app);
  const { key, id } = await addPasskey(li);
  const { options } = (await page().post("/api/auth/passkey/sign-in-options")).body;
  const answer = key.answer(options);
  const signedIn = await page().post("/api/auth/passkey/sign-in", { response: answer });
  expect(signedIn, signedIn.text).toMatchObject({ status: 200, body: { signed_in: true } });
  const cookie = cookiesOf(signedIn.headers);
  expect((await page(cookie).get("/api/profile/me")).body.id).toBe(li.id);
  expect((await page().post("/api/auth/passkey/sign-in", { response: answer })).status).toBe(401);
  expect((await li.api.get("/api/profile/passkeys")).body.data).toMatchObject([{ id, name: "Phone", last_used_at: expect.any(String) }]);
  expect((await li.api.delete(`/api/profile/passkeys/${id}`)).status).toBe(200);
  const { options: again } = (await page().post("/api/auth/passkey/sign-in-options")).body;
  expect((await page().post("/api/auth/passkey/sign-in", { response: key.answer(again) })).status).toBe(401);
  expect((await openNotices(app, "security_changed", li.id)).map(({ change }) => change)).toEqual(["passkey_added", "passkey_removed"]);
});

test("a passkey is kept whatever its browser says about transports: known ones of a list, otherwise none", async () => {
  const li = await visitor(app);
  const said: [given: unknown, kept: string[]][] = [
    ["usb", []],
    [{}, []],
    [
      [1, null, "usb", "usb", "pigeon", "nfc"],
      ["usb", "nfc"],
    ],
    [null, []],
  ];
  for (const [transports, kept] of said) {
    const { options } = (await li.api.post("/api/auth/passkey/register-options")).body;
    const response = makeAuthenticator().register(options) as { response: object };
    const added = await li.api.post("/api/auth/passkey/register", {
      name: "Phone",
      response: { ...response, response: { ...response.response, transports } },
    });
    expect(added, JSON.stringify(transports)).toMatchObject({ status: 201 });
    const rows = await runStatement<{ transports: string[] }>(
      app.ctx.db,
      "select transports from person_passkeys where id = ?",
      added.body.id,
    );
    expect(rows).toEqual([{ transports: kept }]);
  }
});

test("a passkey survives a password that was reset by email, which ends every session and says so", async () => {
  const li = await visitor(app);
  const { key } = await addPasskey(li);
  await page().post("/api/auth/request-password-reset", { email: li.email });
  const token = new URL((await openNotices(app, "password_reset", li.email))[0]?.url ?? "").searchParams.get("token");
  expect((await page().post("/api/auth/reset-password", { token, new_password: "another good one" })).status).toBe(200);
  expect((await li.api.get("/api/profile/me")).status).toBe(401);
  const { options } = (await page().post("/api/auth/passkey/sign-in-options")).body;
  expect((await page().post("/api/auth/passkey/sign-in", { response: key.answer(options) })).status).toBe(200);
  expect((await openNotices(app, "security_changed", li.id)).map(({ change }) => change)).toEqual(["passkey_added", "password_changed"]);
});

test("another site's, passkey's or person's response is refused, as is a late one", async () => {
  const li = await visitor(app);
  const { key, options: used } = await addPasskey(li);
  const ask = async () => (await page().post("/api/auth/passkey/sign-in-options")).body.options;
  const tryWith = async (response: Record<string, unknown>) => (await page().post("/api/auth/passkey/sign-in", { response })).status;
  expect(await tryWith(key.answer(await ask(), "https://evil.example"))).toBe(401);
  expect(await tryWith({ ...makeAuthenticator().answer(await ask()), id: key.id, rawId: key.id })).toBe(401);
  expect(await tryWith(key.answer({ challenge: "self-made-challenge" }))).toBe(401);
  const late = await ask();
  app.clock.advance(5 * 60_000 + 1);
  expect(await tryWith(key.answer(late))).toBe(401);
  const wu = await visitor(app);
  const { options } = (await li.api.post("/api/auth/passkey/register-options")).body;
  const stolen = await wu.api.post("/api/auth/passkey/register", { name: "x", response: makeAuthenticator().register(options) });
  expect(stolen).toMatchObject({ status: 400, body: { error: { param: "response" } } });
  const replayed = await li.api.post("/api/auth/passkey/register", { name: "x", response: makeAuthenticator().register(used) });
  expect(replayed.status).toBe(400);
});

test("a response without a passkey's id is refused like an unknown passkey", async () => {
  for (const id of [{ toString: 1 }, ["x"], 1, null, "x".repeat(1_365)]) {
    const answer = await page().post("/api/auth/passkey/sign-in", { response: { id } });
    expect(answer, JSON.stringify(id)).toMatchObject({ status: 401, body: { error: { code: "authentication_required" } } });
  }
});

test("a passkey whose id is longer than any can be isn't stored", async () => {
  const li = await visitor(app);
  const add = async (bytes: number) => {
    const { options } = (await li.api.post("/api/auth/passkey/register-options")).body;
    return li.api.post("/api/auth/passkey/register", { name: "Phone", response: makeAuthenticator(bytes).register(options) });
  };
  expect((await add(1_023)).status).toBe(201);
  expect(await add(3_000)).toMatchObject({
    status: 400,
    body: { error: { code: "parameter_invalid", param: "response", details: [{ reason: "passkey_unverified" }] } },
  });
});

test("no one opens a session through the library's own path", async () => {
  for (const path of [
    "/api/auth/open-session",
    "/api/auth/get-session",
    "/api/auth/update-user",
    "/api/auth/delete-user",
    "/api/auth/set-password",
  ]) {
    expect(await page().post(path, {}), path).toMatchObject({ status: 404, body: { error: { code: "route_missing" } } });
  }
});
