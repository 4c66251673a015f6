import { expect, test } from "vitest";
import { createMerchant } from "#identity/index.ts";
import { findPrincipal } from "#identity/keys/authenticate-key.ts";
import { findProject } from "#projects/index.ts";
import { namedSchemas } from "#schemas/index.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { payShop } from "#test/support/payments/pay-shop.ts";
import { contextOn } from "./context.ts";
import { type TestTenant, testApp } from "./test-app.ts";

const app = await testApp();
const { api, ctx, clock, database, tenant, key } = app;

test("gives a tenant whose key works", async () => {
  const shop = await tenant({ livemode: true });
  const { principal } = await findPrincipal(ctx, shop.key);
  expect(principal).toMatchObject({ project_id: shop.project_id, livemode: true, merchant_verified: true });
  expect(await findProject(ctx.db, shop.project_id)).toMatchObject({ merchant_id: shop.merchant_id });
});

/** What was written for a tenant and its merchant, without what differs between any two. */
async function rowsOf({ merchant_id, project_id }: TestTenant): Promise<unknown[]> {
  const statements = [
    ["select to_jsonb(m) - 'id' as row from merchants m where id = ?", merchant_id],
    ["select to_jsonb(p) - '{id,merchant_id,slug}'::text[] as row from projects p where id = ?", project_id],
    ["select to_jsonb(k) - '{id,project_id,secret_hash,last4}'::text[] as row from api_keys k where project_id = ?", project_id],
    ["select to_jsonb(c) - '{id,project_id}'::text[] as row from collection_profiles c where project_id = ? order by channel", project_id],
    ["select to_jsonb(a) - 'merchant_id' as row from receiving_accounts a where merchant_id = ? order by channel", merchant_id],
    ["select jsonb_build_array(action, livemode, detail, created_at) as row from audit_log where merchant_id = ? order by id", merchant_id],
    ["select jsonb_build_array(kind, state) as row from notices where recipient = ?", merchant_id],
  ] as const;
  const rows: unknown[] = [];
  for (const [text, id] of statements) rows.push(await runStatement(ctx.db, text, id));
  return rows;
}

test("writes for a tenant and its codes what creating each of them writes", async () => {
  const quick = await payShop(app);
  const merchant = await createMerchant(ctx, { display_name: "Corner Books" });
  const slow = await payShop(app, { merchant_id: merchant.id });
  const [rows, expected] = [await rowsOf(quick.tenant), await rowsOf(slow.tenant)];
  expect(rows).toEqual(expected);
  expect(expected.map((found) => (found as unknown[]).length)).toEqual([1, 1, 1, 2, 2, 6, 1]);
});

test("gives more keys with fewer permissions", async () => {
  const shop = await tenant();
  const reader = await key(shop, ["orders:read"]);
  expect((await findPrincipal(ctx, reader.key)).principal.scopes).toEqual(new Set(["orders:read"]));
});

test("moves time only when a test does", () => {
  const before = ctx.now();
  clock.advance(1_500);
  expect(ctx.now().getTime() - before.getTime()).toBe(1_500);
});

test("answers requests with and without a key", async () => {
  const shop = await tenant();
  expect(await api(shop.key).get("/api/v1/merchant")).toMatchObject({ status: 200, body: { id: shop.merchant_id } });
  expect(await api().get("/api/v1/merchant")).toMatchObject({ status: 401, body: { error: { code: "authentication_required" } } });
});

test("shares the schemas of its routes, which are compiled once, with every other app that has the same payment methods", () => {
  const other = contextOn(database, { now: () => clock.now(), files: ctx.files });
  expect(namedSchemas(other)).toBe(namedSchemas(ctx));
});
