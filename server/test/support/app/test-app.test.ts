import { expect, test } from "vitest";
import { findPrincipal } from "#identity/keys/authenticate-key.ts";
import { findProject } from "#projects/index.ts";
import { namedSchemas } from "#schemas/index.ts";
import { contextOn } from "./context.ts";
import { testApp } from "./test-app.ts";

const { api, ctx, clock, database, tenant, key } = await testApp();

test("gives a tenant whose key works", async () => {
  const shop = await tenant({ livemode: true });
  const { principal } = await findPrincipal(ctx, shop.key);
  expect(principal).toMatchObject({ project_id: shop.project_id, livemode: true, merchant_verified: true });
  expect(await findProject(ctx.db, shop.project_id)).toMatchObject({ merchant_id: shop.merchant_id });
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
