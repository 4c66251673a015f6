import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { pageHeaders, testPassword, visitor, withHeaders } from "#test/support/people/visitors.ts";

let crashes = false;
const app = await testApp({
  probe: (text) => {
    if (crashes && text.includes("insert into audit_log")) throw new Error("the power went");
  },
});

test("a person signs in, is recognized, and signs out", async () => {
  const shop = await app.tenant();
  const li = await visitor(app, { merchant_id: shop.merchant_id, role: "owner" });
  expect(li.cookie).toMatch(/^__Host-tillpost\.session_token=/);
  const me = await li.api.get("/api/profile/me");
  expect(me).toMatchObject({
    status: 200,
    body: { id: li.id, email: li.email, current: { merchant_id: shop.merchant_id, role: "owner" } },
  });
  expect((await li.api.get("/api/v1/merchant")).body).toMatchObject({ id: shop.merchant_id });
  expect((await li.api.get(`/api/v1/projects/${shop.project_id}/orders`)).status).toBe(200);
  expect((await li.api.post("/api/auth/sign-out")).status).toBe(200);
  expect(await li.api.get("/api/profile/me")).toMatchObject({ status: 401, body: { error: { code: "authentication_required" } } });
});

test("a wrong password and an unknown address are refused alike", async () => {
  const li = await visitor(app);
  const stranger = withHeaders(app, pageHeaders());
  const wrong = await stranger.post("/api/auth/sign-in/email", { email: li.email, password: "wrong" }, { from: "203.0.113.1" });
  const unknown = await stranger.post(
    "/api/auth/sign-in/email",
    { email: "nobody@example.com", password: testPassword },
    { from: "203.0.113.2" },
  );
  expect(wrong).toMatchObject({ status: 401, body: { error: { code: "authentication_required" } } });
  expect({ ...unknown.body.error, request_id: "" }).toEqual({ ...wrong.body.error, request_id: "" });
  expect(Object.keys(unknown.headers).sort()).toEqual(Object.keys(wrong.headers).sort());
});

test("nothing of a sign-in is stored if its audit row can't be written", async () => {
  const li = await visitor(app);
  const sessions = () => runStatement(app.ctx.db, "select id from person_sessions where person_id = ?", li.id);
  const before = await sessions();
  crashes = true;
  const reply = await withHeaders(app, pageHeaders()).post("/api/auth/sign-in/email", { email: li.email, password: testPassword });
  crashes = false;
  expect(reply.status).toBe(500);
  expect(reply.headers["set-cookie"]).toBeUndefined();
  expect(await sessions()).toEqual(before);
});

test("accounts are by invitation unless the operator opened them", async () => {
  const body = { email: "new@example.com", password: testPassword, name: "New" };
  const reply = await withHeaders(app, pageHeaders()).post("/api/auth/sign-up/email", body);
  expect(reply).toMatchObject({ status: 403, body: { error: { code: "permission_denied" } } });
});
