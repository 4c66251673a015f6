import { describe, expect, test } from "vitest";
import { deleteAsset } from "#assets/index.ts";
import { changeLimits, replacePolicy } from "#guards/index.ts";
import { addMember, createMerchant } from "#identity/index.ts";
import { createOrder, simulatePayment } from "#orders/index.ts";
import type { AppError } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { openNotices } from "#test/support/people/visitor-notices.ts";
import { visitor } from "#test/support/people/visitors.ts";
import { photo } from "#test/support/pictures/pictures.ts";
import { refusalsIn } from "#test/support/refusals/refusals.ts";

const app = await testApp();
const refusals = refusalsIn(app);
const picture = await photo(48, 48);

refusals("GET /api/v1/merchant", () => ({}));
refusals("GET /api/v1/projects/:projectId", () => ({}));
refusals("GET /api/v1/projects", () => ({}), [
  {
    name: "two cursors at once",
    query: "starting_after=a&ending_before=b",
    status: 400,
    code: "parameter_conflict",
    param: "ending_before",
  },
  { name: "a cursor that names nothing", query: "starting_after=prj_none", status: 400, code: "invalid_cursor", param: "starting_after" },
  { name: "a page of none", query: "limit=0", status: 400, code: "parameter_invalid", param: "limit" },
  { name: "a page of a hundred and one", query: "limit=101", status: 400, code: "parameter_invalid", param: "limit" },
  { name: "a page of two and a half", query: "limit=2.5", status: 400, code: "parameter_invalid", param: "limit" },
  { name: "a page of 0x10", query: "limit=0x10", status: 400, code: "parameter_invalid", param: "limit" },
]);

refusals("PATCH /api/v1/merchant", () => ({ body: { display_name: "New" } }), [
  { name: "an old version", headers: { "if-match": "77" }, status: 409, code: "version_conflict" },
  { name: "a country that is none", body: { country: "China" }, status: 400, code: "parameter_invalid", param: "country" },
  ...[-1, 10_001, 1.5, "1%", null].map((shortfall_tolerance_bps) => ({
    name: `${JSON.stringify(shortfall_tolerance_bps)} hundredths of a percent`,
    body: { shortfall_tolerance_bps },
    ...{ status: 400, code: "parameter_invalid", param: "shortfall_tolerance_bps" },
  })),
]);
refusals("GET /api/v1/merchant/audit-log", () => ({}), [
  { name: "a cursor that names nothing", query: "starting_after=aud_none", status: 400, code: "invalid_cursor", param: "starting_after" },
]);
refusals("POST /api/v1/projects", () => ({ body: { name: "Shop", default_currency: "CNY" } }), [
  {
    name: "a currency that is none",
    body: { name: "Shop", default_currency: "XXX" },
    status: 400,
    code: "unsupported_currency",
    param: "default_currency",
  },
  {
    name: "a slug with spaces",
    body: { name: "Shop", slug: "a b", default_currency: "CNY" },
    status: 400,
    code: "parameter_invalid",
    param: "slug",
  },
]);
refusals("PATCH /api/v1/projects/:projectId", () => ({ body: { name: "New" } }), [
  { name: "an old version", headers: { "if-match": "77" }, status: 409, code: "version_conflict" },
  { name: "a colour that is none", body: { settings: { branding: { color: "red" } } }, status: 400, code: "parameter_invalid" },
  ...["Mars/Olympus", "", "+08:00", "SystemV/PST8", "Asia/Shanghai\u0000", "2026-01-01T00:00[Asia/Shanghai]", "A".repeat(65), 8, null].map(
    (time_zone) => ({
      name: `the time zone ${JSON.stringify(time_zone)}`.slice(0, 60),
      body: { settings: { time_zone } },
      ...{ status: 400, code: "parameter_invalid", param: "settings.time_zone" },
    }),
  ),
]);
test("accepts as its logo only what was uploaded as one, and no buyer's proof", async () => {
  const shop = await app.tenant();
  const li = await visitor(app, { merchant_id: shop.merchant_id });
  const path = `/api/v1/projects/${shop.project_id}`;
  const upload = (purpose: string) => app.api(shop.key).upload(`${path}/assets/upload`, picture, { purpose });
  const brand = async (purpose: string) => {
    const { id } = (await upload(purpose)).body;
    return li.api.call("PATCH", path, { body: { settings: { branding: { display_name: "Tea", logo_asset_id: id } } } });
  };
  expect(await brand("payment_proof")).toMatchObject({ status: 400, body: { error: { param: "settings.branding.logo_asset_id" } } });
  expect(await brand("logo")).toMatchObject({ status: 200, body: { settings: { branding: { display_name: "Tea" } } } });
});
test("prevents a logo from being deleted while the project shows it, and no longer", async () => {
  const shop = await app.tenant();
  const li = await visitor(app, { merchant_id: shop.merchant_id });
  const path = `/api/v1/projects/${shop.project_id}`;
  const upload = async () => (await app.api(shop.key).upload(`${path}/assets/upload`, picture, { purpose: "logo" })).body.id as string;
  const show = (branding: object) => li.api.call("PATCH", path, { body: { settings: { branding } } });
  const remove = (id: string) => deleteAsset(app.ctx, shop, { id }).catch((error: AppError) => error.code);
  const [first, second] = [await upload(), await upload()];
  expect((await show({ logo_asset_id: first })).status).toBe(200);
  expect(await remove(first)).toBe("asset_in_use");
  expect((await show({ logo_asset_id: second })).status).toBe(200);
  expect(await remove(first)).toMatchObject({ deleted: true });
  expect(await remove(second)).toBe("asset_in_use");
  expect((await show({})).status).toBe(200);
  expect(await remove(second)).toMatchObject({ deleted: true });
});
refusals("POST /api/v1/projects/active", (shop) => ({ body: { project_id: shop.project_id } }), [
  {
    name: "a project of another merchant",
    given: async () => ({ body: { project_id: (await app.tenant()).project_id } }),
    status: 404,
    code: "resource_missing",
  },
  { name: "a project that is none", body: { project_id: "prj_none" }, status: 404, code: "resource_missing" },
]);
refusals("POST /api/v1/projects/active-environment", () => ({ body: { environment: "LIVE" } }), [
  { name: "an environment that is none", body: { environment: "live" }, status: 400, code: "parameter_invalid", param: "environment" },
]);

describe("a signed-in person", () => {
  test("opens the first project of one merchant while another has all the projects, by their role at the selected one", async () => {
    const shop = await app.tenant();
    const empty = await createMerchant(app.ctx, { display_name: "Second House" });
    const li = await visitor(app, { merchant_id: shop.merchant_id, role: "viewer" });
    const wu = await visitor(app, { merchant_id: shop.merchant_id, role: "owner" });
    await addMember(app.ctx, { merchant_id: empty.id, person_id: li.id, role: "owner" });
    await addMember(app.ctx, { merchant_id: empty.id, person_id: wu.id, role: "viewer" });
    const stranger = await app.tenant();
    const open = (who: typeof li, merchant: string, more: Record<string, string> = {}) =>
      who.api.call("POST", "/api/v1/projects", {
        body: { name: "First", default_currency: "CNY" },
        headers: { "tillpost-merchant": merchant, ...more },
      });
    const denied = { status: 403, body: { error: { code: "permission_denied" } } };
    expect(await open(wu, empty.id)).toMatchObject(denied);
    expect(await open(li, shop.merchant_id)).toMatchObject(denied);
    expect(await open(wu, stranger.merchant_id)).toMatchObject(denied);
    expect(await open(li, empty.id, { "tillpost-project": shop.project_id })).toMatchObject({
      status: 201,
      body: { merchant_id: empty.id, version: 1 },
    });
    const me = (await li.api.get("/api/profile/me")).body;
    const may = (merchant_id: string) =>
      me.memberships.find((one: { merchant_id: string }) => one.merchant_id === merchant_id).permissions_live;
    expect([may(shop.merchant_id).includes("reviews:write"), may(empty.id).includes("reviews:write")]).toEqual([false, true]);
    const elsewhere = await wu.api.get(`/api/v1/projects/${shop.project_id}`, { headers: { "tillpost-merchant": empty.id } });
    expect(elsewhere).toMatchObject({ status: 403, body: { error: { code: "project_mismatch" } } });
  });

  test("opens projects, chooses among them, and changes them without overwriting anyone's changes", async () => {
    const shop = await app.tenant();
    const li = await visitor(app, { merchant_id: shop.merchant_id });
    const made = await li.api.post("/api/v1/projects", { name: "Second", default_currency: "cny" });
    expect(made).toMatchObject({ status: 201, body: { merchant_id: shop.merchant_id, default_currency: "CNY", version: 1 } });
    expect((await li.api.get("/api/v1/projects")).body.data.map(({ id }: { id: string }) => id)).toEqual([made.body.id, shop.project_id]);
    const active = await li.api.post("/api/v1/projects/active", { project_id: made.body.id });
    expect(active.body).toEqual({ object: "active_project", active_project_id: made.body.id, active_environment: "TEST" });
    const path = `/api/v1/projects/${made.body.id}`;
    const change = (name: string) => li.api.call("PATCH", path, { body: { name }, headers: { "if-match": "1" } });
    expect(await change("First wins")).toMatchObject({ status: 200, body: { name: "First wins", version: 2 } });
    expect(await change("Second loses")).toMatchObject({ status: 409, body: { error: { code: "version_conflict" } } });
    expect((await li.api.get(path)).body.name).toBe("First wins");
  });

  test("sees the environment of the page, whatever another tab has chosen", async () => {
    const shop = await app.tenant();
    const li = await visitor(app, { merchant_id: shop.merchant_id });
    const orders = `/api/v1/projects/${shop.project_id}/orders`;
    const made = await li.in("test").post(orders, { amount_minor: 100, currency: "CNY" });
    expect(made).toMatchObject({ status: 201, body: { livemode: false } });
    await li.api.post("/api/v1/projects/active-environment", { environment: "LIVE" });
    expect((await li.in("test").get(`${orders}/${made.body.id}`)).status).toBe(200);
    expect((await li.in("live").get(`${orders}/${made.body.id}`)).status).toBe(404);
    expect((await li.api.get(`${orders}/${made.body.id}`)).status).toBe(404);
    const odd = await li.api.get(orders, { headers: { "tillpost-environment": "both" } });
    expect(odd).toMatchObject({ status: 400, body: { error: { param: "Tillpost-Environment" } } });
  });

  test("can't take LIVE money before the merchant is verified; with both a cookie and a key, only the key counts", async () => {
    const shop = await app.tenant({ verified: false });
    const li = await visitor(app, { merchant_id: shop.merchant_id });
    const orders = `/api/v1/projects/${shop.project_id}/orders`;
    const order = { amount_minor: 100, currency: "CNY" };
    expect(await li.in("live").post(orders, order)).toMatchObject({ status: 403, body: { error: { code: "merchant_not_verified" } } });
    const other = await app.tenant();
    const both = await li.api.post(orders, order, { headers: { authorization: `Bearer ${other.key}` } });
    expect(both).toMatchObject({ status: 403, body: { error: { code: "project_mismatch" } } });
  });

  test("can't open another country for LIVE SMS and calls by moving the merchant without an email to its owners", async () => {
    const shop = await app.tenant();
    const li = await visitor(app, { merchant_id: shop.merchant_id, role: "admin" });
    const move = (country: string | null) => li.api.call("PATCH", "/api/v1/merchant", { body: { country } });
    const choosing = (await li.api.post("/api/v1/projects", { name: "Second", default_currency: "CNY" })).body.id as string;
    await changeLimits(app.ctx, { project_id: choosing, countries: [], if_version: null });
    const policy = { allowed_countries: null, denied_countries: ["CU"], denied_prefixes: [], opened_prefixes: [] };
    await replacePolicy(app.ctx, { ...policy, if_version: null });
    for (const country of ["US", "CU", "US", "GB", "GB", null]) expect((await move(country)).status).toBe(200);
    const sent = await openNotices<Record<string, unknown>>(app, "countries_added", shop.merchant_id);
    expect(sent.map(({ project_id, countries, changed_by }) => ({ project_id, countries, changed_by }))).toEqual(
      ["US", "US", "GB"].map((country) => ({ project_id: shop.project_id, countries: [country], changed_by: li.id })),
    );
  });

  test("sets how much less may be accepted without confirmation, which then applies", async () => {
    const shop = await app.tenant();
    const li = await visitor(app, { merchant_id: shop.merchant_id });
    const allow = (shortfall_tolerance_bps: number) => li.api.call("PATCH", "/api/v1/merchant", { body: { shortfall_tolerance_bps } });
    const accept = async (amount_minor: number) => {
      const { order } = await createOrder(app.ctx, shop, { amount_minor: 10_000, currency: "CNY" });
      await simulatePayment(app.ctx, shop, { order_id: order.id, outcome: "underpaid", amount_minor });
      const own = `/api/v1/projects/${shop.project_id}/exceptions`;
      const [held] = (await app.api(shop.key).get(`${own}?status=open&limit=1`)).body.data;
      return (await li.in("test").post(`${own}/${held.id}/resolve`, { action: "accept" })).body;
    };
    const [done, unconfirmed] = [{ status: "resolved" }, { error: { code: "shortfall_unconfirmed" } }];
    expect([await accept(9_900), await accept(9_899)]).toMatchObject([done, unconfirmed]);
    expect((await allow(250)).body).toMatchObject({ shortfall_tolerance_bps: 250, display_name: "Corner Books" });
    expect([await accept(9_750), await accept(9_749)]).toMatchObject([done, unconfirmed]);
    expect((await allow(0)).body).toMatchObject({ shortfall_tolerance_bps: 0 });
    expect(await accept(9_999)).toMatchObject(unconfirmed);
  });

  test("exports the audit log, in which no text starts like a formula", async () => {
    const shop = await app.tenant();
    const li = await visitor(app, { merchant_id: shop.merchant_id });
    await li.api.call("PATCH", "/api/v1/merchant", { body: { display_name: "=1+1" } });
    const csv = await li.api.get("/api/v1/merchant/audit-log?format=csv");
    expect(csv.headers["content-type"]).toBe("text/csv; charset=utf-8");
    expect(csv.text.split("\r\n")[0]).toBe(
      "\ufeffid,created_at,merchant_id,project_id,livemode,actor_kind,actor_id,actor_email,action,object_type,object_id,detail,request_id,position,hash,created_at_local,time_zone",
    );
    expect(csv.text).toContain(`person,${li.id},${li.email},merchant.updated`);
    const lines = (await li.api.get("/api/v1/merchant/audit-log?format=jsonl&action=merchant")).text.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).action)).toEqual(["merchant.updated", "merchant.verified", "merchant.created"]);
    const page = await li.api.get("/api/v1/merchant/audit-log?limit=1&action=merchant.updated");
    const detail = { display_name: "=1+1", previous_display_name: "Corner Books" };
    expect(page.body).toMatchObject({ object: "list", has_more: false, data: [{ actor_email: li.email, detail }] });
  });

  test("exports every row of a long audit log once, and none of another merchant", async () => {
    const [shop, other] = [await app.tenant(), await app.tenant()];
    const li = await visitor(app, { merchant_id: shop.merchant_id });
    for (const [merchantId, kind] of [
      [shop.merchant_id, "a"],
      [other.merchant_id, "b"],
    ] as const) {
      await runStatement(
        app.ctx.db,
        `insert into audit_log (merchant_id, id, actor_kind, actor_id, action, object_type, detail, created_at)
         select ?, 'aud_' || ? || lpad(n::text, 25, '0'), 'system', 'many', 'many.made', 'merchant', '{}', now() from generate_series(1, 1234) n`,
        merchantId,
        kind,
      );
    }
    const rows = (await li.api.get("/api/v1/merchant/audit-log?format=jsonl&action=many.made")).text.trim().split("\n");
    const ids = rows.map((row) => (JSON.parse(row) as { id: string }).id);
    expect([new Set(ids).size, ids.length]).toEqual([1234, 1234]);
    expect(ids.every((id) => id.startsWith("aud_a"))).toBe(true);
  });
});

test("shows whom a key belongs to, in either header", async () => {
  const shop = await app.tenant();
  const merchant = { id: shop.merchant_id, object: "merchant", display_name: "Corner Books", verification_status: "verified" };
  expect((await app.api(shop.key).get("/api/v1/merchant")).body).toMatchObject(merchant);
  expect((await app.api().get("/api/v1/merchant", { headers: { "x-api-key": shop.key } })).body).toMatchObject(merchant);
  expect((await app.api(shop.key).get("/api/v1/merchant", { headers: { "x-api-key": shop.key } })).status).toBe(200);
});

test("refuses two different keys in one request", async () => {
  const [one, other] = [await app.tenant(), await app.tenant()];
  const reply = await app.api(one.key).get("/api/v1/merchant", { headers: { "x-api-key": other.key } });
  expect(reply).toMatchObject({ status: 400, body: { error: { code: "parameter_conflict", param: "X-API-Key" } } });
});

test("lists and shows the key's own project", async () => {
  const shop = await app.tenant();
  const project = {
    id: shop.project_id,
    object: "project",
    merchant_id: shop.merchant_id,
    default_currency: "CNY",
    settings: {},
    version: 1,
  };
  expect((await app.api(shop.key).get(`/api/v1/projects/${shop.project_id}`)).body).toMatchObject(project);
  const list = await app.api(shop.key).get("/api/v1/projects?limit=1");
  expect(list.body).toMatchObject({ object: "list", url: "/api/v1/projects", data: [project], has_more: false, next_cursor: null });
});
