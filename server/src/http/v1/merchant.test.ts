import { expect, test } from "vitest";
import { house } from "#test/house.ts";
import { refusalsIn } from "#test/refusals.ts";

const home = await house();
const refusals = refusalsIn(home);

refusals("GET /api/v1/merchant", () => ({}));
refusals("GET /api/v1/projects/:projectId", () => ({}));
refusals("GET /api/v1/projects", () => ({}), [
  { name: "two cursors at once", query: "starting_after=a&ending_before=b", status: 400, code: "parameter_conflict", param: "ending_before" },
  { name: "a cursor that names nothing", query: "starting_after=prj_none", status: 400, code: "invalid_cursor", param: "starting_after" },
  { name: "a page of none", query: "limit=0", status: 400, code: "parameter_invalid", param: "limit" },
  { name: "a page of a hundred and one", query: "limit=101", status: 400, code: "parameter_invalid", param: "limit" },
  { name: "a page of two and a half", query: "limit=2.5", status: 400, code: "parameter_invalid", param: "limit" },
  { name: "a page of 0x10", query: "limit=0x10", status: 400, code: "parameter_invalid", param: "limit" },
]);

test("tells whom a key belongs to, in either header", async () => {
  const shop = await home.tenant();
  const merchant = { id: shop.merchant_id, object: "merchant", display_name: "Corner Books", verification_status: "verified" };
  expect((await home.api(shop.key).get("/api/v1/merchant")).body).toMatchObject(merchant);
  expect((await home.api().get("/api/v1/merchant", { headers: { "x-api-key": shop.key } })).body).toMatchObject(merchant);
  expect((await home.api(shop.key).get("/api/v1/merchant", { headers: { "x-api-key": shop.key } })).status).toBe(200);
});

test("refuses two different keys in one request", async () => {
  const [one, other] = [await home.tenant(), await home.tenant()];
  const reply = await home.api(one.key).get("/api/v1/merchant", { headers: { "x-api-key": other.key } });
  expect(reply).toMatchObject({ status: 400, body: { error: { code: "parameter_conflict", param: "X-API-Key" } } });
});

test("lists and shows the key's own project", async () => {
  const shop = await home.tenant();
  const project = { id: shop.project_id, object: "project", merchant_id: shop.merchant_id, default_currency: "CNY", settings: {}, version: 1 };
  expect((await home.api(shop.key).get(`/api/v1/projects/${shop.project_id}`)).body).toMatchObject(project);
  const list = await home.api(shop.key).get("/api/v1/projects?limit=1");
  expect(list.body).toMatchObject({ object: "list", url: "/api/v1/projects", data: [project], has_more: false, next_cursor: null });
});
