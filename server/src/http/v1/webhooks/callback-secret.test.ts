import { expect, test } from "vitest";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { refusalsIn } from "#test/support/refusals/refusals.ts";

const app = await testApp();
const refusals = refusalsIn(app);

refusals("GET /api/v1/projects/:projectId/callback-secret", () => ({}));
const rolled = (times: number) => async (tenant: TestTenant) => {
  for (let n = 0; n < times; n += 1) await app.api(tenant.key).post(`/api/v1/projects/${tenant.project_id}/callback-secret/roll`, {});
  return {};
};
const promoted = async (tenant: TestTenant) =>
  void (await app.api(tenant.key).post(`/api/v1/projects/${tenant.project_id}/callback-secret/promote`, {}));
refusals("POST /api/v1/projects/:projectId/callback-secret/roll", () => ({ body: {} }), [
  { name: "a roll while another one is open", given: rolled(2), status: 409, code: "secret_roll_conflict" },
]);
refusals("POST /api/v1/projects/:projectId/callback-secret/promote", async (tenant) => ({ body: {}, ...(await rolled(2)(tenant)) }), [
  { name: "a roll that was promoted already", given: promoted, status: 409, code: "secret_roll_conflict" },
]);

test("the callback secret is shown only when it is rolled", async () => {
  const tenant = await app.tenant();
  const api = app.api(tenant.key);
  const own = `/api/v1/projects/${tenant.project_id}/callback-secret`;
  expect((await api.get(own)).body).toMatchObject({ object: "callback_secret", secret: null, secret_last4: null, created_at: null });
  const headers = { "idempotency-key": "roll" };
  const first = await api.post(`${own}/roll`, {}, { headers });
  expect(first).toMatchObject({
    status: 200,
    body: { secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/), next_secret_last4: null },
  });
  expect((await api.post(`${own}/roll`, {}, { headers })).body).toMatchObject({ secret: null, secret_last4: first.body.secret.slice(-4) });
  const second = await api.post(`${own}/roll`, {});
  expect(second.body).toMatchObject({
    secret_last4: first.body.secret.slice(-4),
    next_secret_last4: second.body.secret.slice(-4),
    next_secret_at: expect.any(String),
  });
  const promoted = await api.post(`${own}/promote`, {});
  expect(promoted.body).toMatchObject({
    secret: null,
    secret_last4: second.body.secret.slice(-4),
    next_secret_last4: null,
    next_secret_at: null,
  });
});
