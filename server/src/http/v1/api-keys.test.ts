import { describe, expect, test } from "vitest";
import { readAgain } from "#identity/index.ts";
import { findPrincipal } from "#identity/keys/authenticate-key.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { visitor } from "#test/support/people/visitors.ts";
import { refusalsIn } from "#test/support/refusals/refusals.ts";

const app = await testApp();
const refusals = refusalsIn(app);
const path = "/api/v1/projects/:projectId/api-keys";
const body = { name: "shop", permissions: ["orders:read"] };
const own = (shop: TestTenant) => ({ params: { id: shop.key_id } });

refusals(`GET /api/v1/projects/:projectId/api-keys`, () => ({}), [
  {
    name: "two cursors at once",
    query: "starting_after=a&ending_before=b",
    status: 400,
    code: "parameter_conflict",
    param: "ending_before",
  },
  { name: "a cursor that names nothing", query: "starting_after=key_none", status: 400, code: "invalid_cursor", param: "starting_after" },
]);
refusals(`POST /api/v1/projects/:projectId/api-keys`, () => ({ body }), [
  { name: "no name", body: { permissions: ["orders:read"] }, status: 400, code: "parameter_missing", param: "name" },
  { name: "no permission", body: { name: "x", permissions: [] }, status: 400, code: "parameter_invalid", param: "permissions" },
  {
    name: "a permission that is none",
    body: { name: "x", permissions: ["orders:burn"] },
    status: 400,
    code: "parameter_invalid",
    param: "permissions",
  },
  {
    name: "an address that is none",
    body: { ...body, allowed_ips: ["10.0.0.0/99"] },
    status: 400,
    code: "parameter_invalid",
    param: "allowed_ips",
  },
  {
    name: "an end in the past",
    body: { ...body, expires_at: "2020-01-01T00:00:00Z" },
    status: 400,
    code: "parameter_invalid",
    param: "expires_at",
  },
]);
refusals(`PATCH /api/v1/projects/:projectId/api-keys/:id`, (shop) => ({ ...own(shop), body: { name: "renamed" } }), [
  { name: "an old version", headers: { "if-match": "7" }, status: 409, code: "version_conflict" },
]);
refusals(`DELETE /api/v1/projects/:projectId/api-keys/:id`, own);
refusals(`POST /api/v1/projects/:projectId/api-keys/:id/rotate`, (shop) => ({ ...own(shop), body: {} }), [
  {
    name: "an overlap of eight days",
    body: { expire_old_in_seconds: 8 * 86_400 },
    status: 400,
    code: "parameter_invalid",
    param: "expire_old_in_seconds",
  },
]);

refusals(`GET /api/v1/projects/:projectId/flat-path-uses`, () => ({}));

/** Creates keys in a project's TEST environment. */
const addKeys = ({ project_id }: TestTenant, count: number) =>
  runStatement(
    app.ctx.db,
    `insert into api_keys (project_id, livemode, id, name, secret_hash, prefix, last4, permissions, created_at, updated_at)
      select ?::text, false, 'key_' || gen_random_uuid(), 'many', sha256(gen_random_uuid()::text::bytea), 'sk_test_x', 'last',
        '{orders:read}'::text[], app_now(), app_now() from generate_series(1, ?::int)`,
    project_id,
    count,
  );

test("a project has up to a hundred active keys in each environment, and their replacements while those overlap", async () => {
  const shop = await app.tenant();
  const { api } = await visitor(app, { merchant_id: shop.merchant_id });
  const keys = path.replace(":projectId", shop.project_id);
  const refused = { status: 400, body: { error: { code: "limit_reached" } } };
  const [one, other] = [await api.post(keys, body), await api.post(keys, body)];
  await addKeys(shop, 97);
  expect(await api.post(keys, body)).toMatchObject(refused);
  expect((await api.post(keys, { ...body, environment: "live" })).status).toBe(201);
  expect((await api.post(`${keys}/${shop.key_id}/rotate`, { expire_old_in_seconds: 60 })).status).toBe(200);
  expect(await api.post(keys, body)).toMatchObject(refused);
  app.clock.advance(61_000);
  for (const key of [one, other]) expect((await api.delete(`${keys}/${key.body.id}`)).status).toBe(200);
  const made = await api.post(keys, body);
  expect(made.status, made.text).toBe(201);
  await addKeys(shop, 101);
  expect(await api.post(`${keys}/${made.body.id}/rotate`, { expire_old_in_seconds: 60 })).toMatchObject(refused);
  expect((await api.post(`${keys}/${made.body.id}/rotate`, {})).status).toBe(200);
});

describe("a key", () => {
  test("that still uses a deprecated path is listed with the path and how often", async () => {
    const shop = await app.tenant();
    await app.api(shop.key).get("/api/v1/orders");
    await app.api(shop.key).get("/api/v1/orders");
    await (await app.server()).keys.flushUses();
    const li = await visitor(app, { merchant_id: shop.merchant_id, role: "viewer" });
    const { body } = await li.api.get(`/api/v1/projects/${shop.project_id}/flat-path-uses`);
    expect(body.data).toMatchObject([{ key_id: shop.key_id, endpoint: "GET /api/v1/projects/:projectId/orders", uses: 2 }]);
  });

  test("is shown once, works immediately, and is refused immediately after its rotation", async () => {
    const shop = await app.tenant();
    const li = await visitor(app, { merchant_id: shop.merchant_id });
    const keys = path.replace(":projectId", shop.project_id);
    const made = await li.api.post(keys, { ...body, environment: "test" });
    expect(made).toMatchObject({
      status: 201,
      body: { object: "api_key", secret: expect.stringMatching(/^svc_test_/), created_by: li.id },
    });
    const merchant = (key: string) => app.api(key).get("/api/v1/merchant");
    expect((await merchant(made.body.secret)).status).toBe(200);
    const rotated = await li.api.post(`${keys}/${made.body.id}/rotate`, {});
    expect(rotated.body).toMatchObject({ rotated_from: made.body.id, permissions: ["orders:read"] });
    expect(await merchant(made.body.secret)).toMatchObject({ status: 401, body: { error: { code: "api_key_revoked" } } });
    expect((await merchant(rotated.body.secret)).status).toBe(200);
    expect((await li.api.get(keys)).text).not.toContain(rotated.body.secret);
    const again = await li.api.post(`${keys}/${made.body.id}/rotate`, {});
    expect(again).toMatchObject({ status: 400, body: { error: { code: "parameter_conflict" } } });
  });

  test("continues to work through its overlap and no longer", async () => {
    const shop = await app.tenant();
    const li = await visitor(app, { merchant_id: shop.merchant_id });
    const rotated = await li.api.post(`/api/v1/projects/${shop.project_id}/api-keys/${shop.key_id}/rotate`, { expire_old_in_seconds: 60 });
    expect(rotated.status, rotated.text).toBe(200);
    app.clock.advance(59_000);
    expect((await app.api(shop.key).get("/api/v1/merchant")).status).toBe(200);
    app.clock.advance(1_000);
    expect((await app.api(shop.key).get("/api/v1/merchant")).status).toBe(401);
  });

  test("that is being replaced can be ended before its overlap is over, and until then its streams stay open", async () => {
    const shop = await app.tenant();
    const li = await visitor(app, { merchant_id: shop.merchant_id });
    const own_ = `/api/v1/projects/${shop.project_id}/api-keys/${shop.key_id}`;
    await li.api.post(`${own_}/rotate`, { expire_old_in_seconds: 7 * 86_400 });
    const { principal } = await findPrincipal(app.ctx, shop.key);
    expect(await readAgain(app.ctx, [principal])).toEqual([principal]);
    expect((await app.api(shop.key).get("/api/v1/merchant")).status).toBe(200);
    expect((await li.api.delete(own_)).status).toBe(200);
    expect(await app.api(shop.key).get("/api/v1/merchant")).toMatchObject({ status: 401, body: { error: { code: "api_key_revoked" } } });
    expect(await readAgain(app.ctx, [principal])).toEqual([null]);
  });

  test("that both expires and is being replaced ends at the earlier time, to the second", async () => {
    const shop = await app.tenant();
    const li = await visitor(app, { merchant_id: shop.merchant_id });
    const keys = path.replace(":projectId", shop.project_id);
    const made = (await li.api.post(keys, { ...body, expires_at: new Date(app.ctx.now().getTime() + 86_400_000).toISOString() })).body;
    await li.api.post(`${keys}/${made.id}/rotate`, { expire_old_in_seconds: 60 });
    app.clock.advance(59_000);
    expect((await app.api(made.secret).get("/api/v1/merchant")).status).toBe(200);
    app.clock.advance(1_000);
    expect((await app.api(made.secret).get("/api/v1/merchant")).body.error.code).toBe("api_key_revoked");
  });

  test("never has more permissions than its creator", async () => {
    const shop = await app.tenant({ livemode: true });
    const dev = await visitor(app, { merchant_id: shop.merchant_id, role: "developer" });
    const keys = `/api/v1/projects/${shop.project_id}/api-keys`;
    for (const [name, sent] of [
      ["made", () => dev.in("live").post(keys, { name: "x", permissions: ["reviews:write"] })],
      ["rotated", () => dev.in("live").post(`${keys}/${shop.key_id}/rotate`, {})],
      ["changed", () => dev.in("live").call("PATCH", `${keys}/${shop.key_id}`, { body: { allowed_ips: [] } })],
    ] as const) {
      const refused = await sent();
      expect(refused, name).toMatchObject({
        status: 403,
        body: { error: { code: "permission_denied", required_scope: expect.any(String) } },
      });
    }
    expect((await dev.in("test").post(keys, { name: "x", permissions: ["reviews:write"] })).status).toBe(201);
  });

  test("of a repeated request is created once, and its secret is never shown again", async () => {
    const shop = await app.tenant();
    const li = await visitor(app, { merchant_id: shop.merchant_id });
    const send = () => li.api.post(`/api/v1/projects/${shop.project_id}/api-keys`, body, { headers: { "idempotency-key": "once" } });
    const [first, second] = [await send(), await send()];
    expect(second.headers["idempotent-replayed"]).toBe("true");
    expect(second.body).toEqual({ ...first.body, secret: null });
  });
});
