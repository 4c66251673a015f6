import { describe, expect, test } from "vitest";
import { createPerson, recoverPerson } from "#identity/index.ts";
import type { Answer } from "#test/support/app/api.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { makeAuthenticator } from "#test/support/people/authenticator.ts";
import { totp } from "#test/support/people/totp.ts";
import { openNotices } from "#test/support/people/visitor-notices.ts";
import { cookiesOf, pageHeaders, signIn, testPassword, type Visitor, visitor, withHeaders } from "#test/support/people/visitors.ts";

const app = await testApp();
const refused = { status: 403, body: { error: { code: "permission_denied", reason: "second_step_required" } } };

async function setUp(person: Visitor): Promise<string> {
  const { totp_uri } = (await person.api.post("/api/auth/two-factor/enable", { password: testPassword })).body;
  expect((await person.api.post("/api/auth/two-factor/verify-totp", { code: totp(totp_uri, app.clock.now()) })).status).toBe(200);
  return totp_uri;
}

/** Signed in again with password and code. */
async function enter(person: Visitor, totp_uri: string) {
  app.clock.advance(121_000);
  const first = cookiesOf(
    (await withHeaders(app, pageHeaders()).post("/api/auth/sign-in/email", { email: person.email, password: testPassword })).headers,
  );
  const passed = await withHeaders(app, pageHeaders(first)).post("/api/auth/two-factor/verify-totp", {
    code: totp(totp_uri, app.clock.now()),
  });
  expect(passed.status, passed.text).toBe(200);
  return withHeaders(app, pageHeaders(cookiesOf(passed.headers)));
}

describe("a merchant that requires two-step sign-in of its team", () => {
  test("can be set so only by someone who has it, and then lets no one in without: TOTP and passkeys count", async () => {
    const shop = await app.tenant();
    const [owner, member] = [
      await visitor(app, { merchant_id: shop.merchant_id }),
      await visitor(app, { merchant_id: shop.merchant_id, role: "viewer" }),
    ];
    const orders = `/api/v1/projects/${shop.project_id}/orders`;
    const ask = (api: Pick<Visitor["api"], "call">) => api.call("PATCH", "/api/v1/merchant", { body: { second_step_required: true } });
    expect(await ask(owner.api)).toMatchObject({
      status: 400,
      body: { error: { code: "parameter_conflict", param: "second_step_required" } },
    });
    const uri = await setUp(owner);
    const api = await enter(owner, uri);
    expect(await ask(api)).toMatchObject({ status: 200, body: { second_step_required: true } });
    expect((await api.get(orders)).status).toBe(200);
    for (const path of [orders, "/api/v1/merchant/members", "/v1/usage"]) expect(await member.api.get(path)).toMatchObject(refused);
    // What it takes to set one up stays open.
    const me = await member.api.get("/api/profile/me");
    expect(me.body).toMatchObject({ has_second_step: false, memberships: [{ second_step_required: true }] });
    expect((await app.api(shop.key).get(orders)).status).toBe(200);

    await member.api.post("/api/auth/confirm", { password: testPassword });
    const authenticator = makeAuthenticator();
    const options = await member.api.post("/api/auth/passkey/register-options");
    const added = await member.api.post("/api/auth/passkey/register", {
      name: "Phone",
      response: authenticator.register(options.body.options),
    });
    expect(added.status, added.text).toBe(201);
    expect(await member.api.get(orders)).toMatchObject(refused);
    const page = withHeaders(app, pageHeaders());
    const challenge = await page.post("/api/auth/passkey/sign-in-options");
    const signedIn = await page.post("/api/auth/passkey/sign-in", { response: authenticator.answer(challenge.body.options) });
    expect((await withHeaders(app, pageHeaders(cookiesOf(signedIn.headers))).get(orders)).status).toBe(200);
  });

  test("readmits someone who lost theirs only by the operator's command, and asks them for a new one", async () => {
    const shop = await app.tenant();
    const owner = await visitor(app, { merchant_id: shop.merchant_id });
    const api = await enter(owner, await setUp(owner));
    expect((await api.call("PATCH", "/api/v1/merchant", { body: { second_step_required: true } })).status).toBe(200);
    await expect(recoverPerson(app.ctx, { email: "nobody@example.com", passwordWork: "light" })).rejects.toMatchObject({
      code: "resource_missing",
    });
    const commandLine = { ...app.ctx, actor: { kind: "system", id: "command line" } } as const;
    await recoverPerson(commandLine, { email: owner.email.toUpperCase(), password: "a password of the command", passwordWork: "light" });
    expect((await api.get("/api/profile/me")).status).toBe(401);
    await expect(signIn(app, owner.email, "203.0.113.90")).rejects.toThrow("not signed in");
    const page = withHeaders(app, pageHeaders());
    const entered = await page.post("/api/auth/sign-in/email", { email: owner.email, password: "a password of the command" });
    expect(entered.body).toMatchObject({ signed_in: true, two_factor_required: false });
    const again = withHeaders(app, pageHeaders(cookiesOf(entered.headers)));
    expect(await again.get("/api/v1/merchant/members")).toMatchObject(refused);
    expect((await openNotices(app, "security_changed", owner.id)).at(-1)).toMatchObject({ change: "two_factor_disabled" });
    const log = await runStatement(
      app.ctx.db,
      "select actor_kind, actor_id from audit_log where object_id = ? and action = 'person.recovered'",
      owner.id,
    );
    expect(log).toEqual([{ actor_kind: "system", actor_id: "command line" }]);
  });
});

test("a session opened with a passkey keeps its second step with a new password, and with two-step sign-in on and off again", async () => {
  const shop = await app.tenant();
  const owner = await visitor(app, { merchant_id: shop.merchant_id });
  const member = await visitor(app, { merchant_id: shop.merchant_id, role: "viewer" });
  const authenticator = makeAuthenticator();
  const { options } = (await owner.api.post("/api/auth/passkey/register-options")).body;
  await owner.api.post("/api/auth/passkey/register", { name: "Phone", response: authenticator.register(options) });
  const orders = `/api/v1/projects/${shop.project_id}/orders`;
  const after = async (answer: Promise<Answer>) => {
    const { status, headers, text } = await answer;
    expect(status, text).toBe(200);
    return withHeaders(app, pageHeaders(cookiesOf(headers)));
  };
  const page = withHeaders(app, pageHeaders());
  const challenge = (await page.post("/api/auth/passkey/sign-in-options")).body.options;
  const entered = await after(page.post("/api/auth/passkey/sign-in", { response: authenticator.answer(challenge) }));
  expect((await entered.call("PATCH", "/api/v1/merchant", { body: { second_step_required: true } })).status).toBe(200);
  // Another person who signs in with a password in the same browser gets nothing of it.
  const other = await after(entered.post("/api/auth/sign-in/email", { email: member.email, password: testPassword }));
  expect(await other.get(orders)).toMatchObject(refused);
  const password = "another good one";
  const changed = await after(entered.post("/api/auth/change-password", { current_password: testPassword, new_password: password }));
  expect((await changed.get(orders)).status).toBe(200);
  const { totp_uri } = (await changed.post("/api/auth/two-factor/enable", { password })).body;
  const on = await after(changed.post("/api/auth/two-factor/verify-totp", { code: totp(totp_uri, app.clock.now()) }));
  const off = await after(on.post("/api/auth/two-factor/disable", { password }));
  expect((await off.get(orders)).status).toBe(200);
});

test("turning on two-step sign-in ends the sessions that only passed a password, and keeps the one that turned it on", async () => {
  const shop = await app.tenant();
  const owner = await visitor(app, { merchant_id: shop.merchant_id });
  const older = withHeaders(app, pageHeaders(await signIn(app, owner.email, "203.0.113.92")));
  const orders = `/api/v1/projects/${shop.project_id}/orders`;
  expect((await older.get(orders)).status).toBe(200);
  const { totp_uri } = (await owner.api.post("/api/auth/two-factor/enable", { password: testPassword })).body;
  expect((await older.get(orders)).status).toBe(200);
  const on = await owner.api.post("/api/auth/two-factor/verify-totp", { code: totp(totp_uri, app.clock.now()) });
  const api = withHeaders(app, pageHeaders(cookiesOf(on.headers)));
  expect((await api.call("PATCH", "/api/v1/merchant", { body: { second_step_required: true } })).status).toBe(200);
  expect((await api.get(orders)).status).toBe(200);
  expect((await older.get(orders)).status).toBe(401);
  expect((await api.get("/api/profile/sessions")).body.data).toHaveLength(1);
});

test("the audit log names the command line when it creates an operator, and the person for what they do themselves", async () => {
  const commandLine = { ...app.ctx, actor: { kind: "system", id: "command line" } } as const;
  const given = { email: "made@tea.example", name: "Made", password: testPassword, passwordWork: "light" } as const;
  const { id } = await createPerson(commandLine, { ...given, is_operator: true });
  await signIn(app, given.email, "203.0.113.91");
  const actions = ["person.created", "person.operator_granted", "person.signed_in"];
  const log = await runStatement(
    app.ctx.db,
    "select action, actor_kind, actor_id from audit_log where object_id = ? and action = any (?::text[]) order by id",
    id,
    actions,
  );
  const bySystem = { actor_kind: "system", actor_id: "command line" };
  const [created, granted, signedIn] = actions;
  expect(log).toEqual([
    { action: created, ...bySystem },
    { action: granted, ...bySystem },
    { action: signedIn, actor_kind: "person", actor_id: id },
  ]);
});

describe("an operator without two-step sign-in", () => {
  test("continues as before if this server is only reached from this machine", async () => {
    const operator = await visitor(app, { is_operator: true });
    expect((await operator.api.get("/api/admin/merchants")).status).toBe(200);
    expect((await operator.api.get("/api/profile/me")).body).toMatchObject({ second_step_due_at: null });
  });
});
