import { expect, test } from "vitest";
import { house } from "#test/house.ts";
import { pageHeaders, testPassword, visitor, withHeaders } from "#test/visitors.ts";

const home = await house();

test("a person signs in, is known, and signs out", async () => {
  const shop = await home.tenant();
  const li = await visitor(home, { merchant_id: shop.merchant_id, role: "owner" });
  expect(li.cookie).toMatch(/^__Host-tillpost\.session_token=/);
  const me = await li.api.get("/api/profile/me");
  expect(me).toMatchObject({ status: 200, body: { id: li.id, email: li.email, current: { merchant_id: shop.merchant_id, role: "owner" } } });
  expect((await li.api.get("/api/v1/merchant")).body).toMatchObject({ id: shop.merchant_id });
  expect((await li.api.get(`/api/v1/projects/${shop.project_id}/orders`)).status).toBe(200);
  expect((await li.api.post("/api/auth/sign-out")).status).toBe(200);
  expect(await li.api.get("/api/profile/me")).toMatchObject({ status: 401, body: { error: { code: "authentication_required" } } });
});

test("a wrong password and an unknown address are refused alike", async () => {
  const li = await visitor(home);
  const stranger = withHeaders(home, pageHeaders());
  const wrong = await stranger.post("/api/auth/sign-in/email", { email: li.email, password: "wrong" }, { from: "203.0.113.1" });
  const unknown = await stranger.post("/api/auth/sign-in/email", { email: "nobody@example.com", password: testPassword }, { from: "203.0.113.2" });
  expect(wrong).toMatchObject({ status: 401, body: { error: { code: "authentication_required" } } });
  expect({ ...unknown.body.error, request_id: "" }).toEqual({ ...wrong.body.error, request_id: "" });
  expect(Object.keys(unknown.headers).sort()).toEqual(Object.keys(wrong.headers).sort());
});
