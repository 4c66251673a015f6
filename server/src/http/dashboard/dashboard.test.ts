import { beforeEach, describe, expect, test } from "vitest";
import { ownMerchantId } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { payShop } from "#test/support/payments/pay-shop.ts";
import { openNotices } from "#test/support/people/visitor-notices.ts";
import { visitor } from "#test/support/people/visitors.ts";
import { peopleRefusalsIn, type Trier } from "#test/support/refusals/people-refusals.ts";

const app = await testApp({ http: { perMinuteUnauthenticated: 10_000 } });
const refusals = peopleRefusalsIn(app);
const ofShop = ({ shop }: Trier) => ({ params: { id: shop.merchant_id } });
const cursors = { name: "a cursor that names nothing", query: "starting_after=aud_none", status: 400, code: "invalid_cursor" } as const;

refusals("GET /api/profile/me", () => ({}));
refusals("PATCH /api/profile/me", () => ({ body: { name: "New" } }), [
  { name: "a language that is none", body: { language: "fr" }, status: 400, code: "parameter_invalid", param: "language" },
]);
refusals("GET /api/profile/sessions", () => ({}), [cursors]);
refusals("DELETE /api/profile/sessions/:id", async ({ me }) => ({
  params: { id: (await me.api.get("/api/profile/sessions")).body.data[0].id },
}));
refusals("POST /api/profile/sessions/end-others", () => ({}));
refusals("GET /api/admin/merchants", () => ({}), [
  { name: "a state that is none", query: "status=rich", status: 400, code: "parameter_invalid", param: "status" },
  cursors,
]);
refusals("GET /api/admin/merchants/:id", ofShop);
refusals("GET /api/admin/merchants/:id/projects", ofShop, [cursors]);
refusals("PATCH /api/admin/merchants/:id", (by) => ({ ...ofShop(by), body: { messaging_tier: "pro" } }), [
  { name: "an old version", headers: { "if-match": "77" }, status: 409, code: "version_conflict" },
  { name: "a tier that is none", body: { messaging_tier: "gold" }, status: 400, code: "parameter_invalid", param: "messaging_tier" },
]);
refusals("POST /api/admin/merchants/:id/verify", ofShop);
refusals("POST /api/admin/merchants/:id/reject", (by) => ({ ...ofShop(by), body: { reason: "No papers" } }), [
  { name: "no reason", body: {}, status: 400, code: "parameter_missing", param: "reason" },
]);
refusals("POST /api/admin/merchants/:id/suspend-sending", (by) => ({ ...ofShop(by), body: { reason: "Complaints" } }), [
  { name: "no reason", body: {}, status: 400, code: "parameter_missing", param: "reason" },
]);
refusals("POST /api/admin/merchants/:id/resume-sending", ofShop);
refusals("GET /api/admin/proofs", () => ({}), [cursors]);
refusals("POST /api/admin/proofs/:id/review", async () => ({ params: { id: await waitingProof() }, body: { decision: "approve" } }), [
  { name: "a rejection without a reason", body: { decision: "reject" }, status: 400, code: "parameter_missing", param: "reason_code" },
  { name: "a proof that was decided", given: () => ({ params: { id: decided } }), status: 409, code: "review_exists" },
]);
refusals("GET /api/admin/health", () => ({}));
refusals("GET /api/admin/transports", () => ({}));
refusals("GET /api/admin/audit-log", () => ({}), [cursors]);

/** An undecided proof. */
async function waitingProof(): Promise<string> {
  const { tenant, order } = await payShop(app);
  const { order: made } = await order({ amount_minor: 5000 });
  const base = `/api/v1/projects/${tenant.project_id}/orders/${made.id}`;
  await app.api(tenant.key).post(`${base}/payments`, { gateway: "wechatpay" });
  return (await app.api(tenant.key).post(`${base}/voucher`, { transaction_reference: "4200002156" })).body.id;
}

let operator = await visitor(app, { is_operator: true });
const decided = await waitingProof();
await operator.api.post(`/api/admin/proofs/${decided}/review`, { decision: "approve" });

describe("an operator", () => {
  beforeEach(async () => {
    operator = await visitor(app, { is_operator: true });
  });

  test("verifies a merchant, whose LIVE orders work immediately, and rejects one with a reason that is emailed", async () => {
    const shop = await app.tenant({ livemode: true, verified: false });
    const orders = `/api/v1/projects/${shop.project_id}/orders`;
    const order = { amount_minor: 100, currency: "CNY" };
    expect((await app.api(shop.key).post(orders, order)).body.error.code).toBe("merchant_not_verified");
    const verified = await operator.api.post(`/api/admin/merchants/${shop.merchant_id}/verify`);
    expect(verified).toMatchObject({ status: 200, body: { verification_status: "verified", projects: 1 } });
    expect((await app.api(shop.key).post(orders, order)).status).toBe(201);
    const rejected = await operator.api.post(`/api/admin/merchants/${shop.merchant_id}/reject`, { reason: "No papers" });
    expect(rejected.body).toMatchObject({ verification_status: "rejected", rejection_reason: "No papers" });
    expect((await app.api(shop.key).post(orders, { ...order, amount_minor: 101 })).body.error.code).toBe("merchant_not_verified");
    expect(await openNotices(app, "merchant_rejected", shop.merchant_id)).toEqual([{ reason: "No papers" }]);
    const log = await operator.api.get(`/api/admin/audit-log?object_id=${shop.merchant_id}&actor_id=${operator.id}`);
    expect(log.body.data.map(({ action }: { action: string }) => action)).toEqual(["merchant.rejected", "merchant.verified"]);
  });

  test("reviews the proof of any merchant", async () => {
    const id = await waitingProof();
    const list = await operator.api.get("/api/admin/proofs?limit=100");
    expect(list.body.data.map((proof: { id: string }) => proof.id)).toContain(id);
    const reviewed = await operator.api.post(`/api/admin/proofs/${id}/review`, { decision: "approve" });
    expect(reviewed).toMatchObject({ status: 200, body: { status: "paid" } });
    expect((await operator.api.get("/api/admin/proofs?limit=100")).text).not.toContain(id);
  });

  test("finds merchants and sets their tier", async () => {
    const shop = await app.tenant();
    const owner = await visitor(app, { merchant_id: shop.merchant_id });
    const found = await operator.api.get(`/api/admin/merchants?q=${shop.merchant_id}`);
    expect(found.body.data).toMatchObject([{ id: shop.merchant_id, owner_email: owner.email, members: 1, messaging_tier: "free" }]);
    const tier = await operator.api.call("PATCH", `/api/admin/merchants/${shop.merchant_id}`, { body: { messaging_tier: "pro" } });
    expect(tier.body.messaging_tier).toBe("pro");
    expect((await app.api(shop.key).get("/api/v1/merchant")).body.messaging_tier).toBe("pro");
  });

  test("suspends a merchant's LIVE sending with a reason and lifts it again, and the audit log has both", async () => {
    const shop = await app.tenant({ livemode: true });
    const send = () =>
      app.api(shop.key).post("/v1/emails", { from: "orders@tillpost.example", to: "ada@lovelace.dev", subject: "Hi", text: "Hi" });
    const base = `/api/admin/merchants/${shop.merchant_id}`;
    const suspended = await operator.api.post(`${base}/suspend-sending`, { reason: "Complaints" });
    expect(suspended).toMatchObject({
      status: 200,
      body: {
        sending_suspended_reason: "Complaints",
        sending_suspended_at: expect.any(String),
        sending_suspended_by: expect.stringMatching(/^Person \d+$/),
      },
    });
    expect(await send()).toMatchObject({ status: 403, body: { error: { code: "sending_suspended" } } });
    const lifted = await operator.api.post(`${base}/resume-sending`);
    expect(lifted.body).toMatchObject({ sending_suspended_reason: null, sending_suspended_at: null, sending_suspended_by: null });
    expect((await send()).status).toBe(201);
    const log = await operator.api.get(`/api/admin/audit-log?object_id=${shop.merchant_id}&actor_id=${operator.id}`);
    expect(log.body.data.map(({ action }: { action: string }) => action)).toEqual([
      "merchant.sending_resumed",
      "merchant.sending_suspended",
    ]);
  });

  test("can't change Tillpost's own merchant", async () => {
    const own = `/api/admin/merchants/${ownMerchantId}`;
    const before = await runStatement(app.ctx.db, "select * from merchants where id = ?", ownMerchantId);
    expect(before).toHaveLength(1);
    const tries = [
      operator.api.post(`${own}/verify`),
      operator.api.post(`${own}/reject`, { reason: "No papers" }),
      operator.api.call("PATCH", own, { body: { messaging_tier: "free" } }),
    ];
    for (const reply of await Promise.all(tries))
      expect(reply).toMatchObject({ status: 404, body: { error: { code: "resource_missing" } } });
    expect(await runStatement(app.ctx.db, "select * from merchants where id = ?", ownMerchantId)).toEqual(before);
  });

  test("sees what waits and how much disk space there is", async () => {
    const { body } = await operator.api.get("/api/admin/health");
    expect(body.queues.map(({ name }: { name: string }) => name)).toEqual([
      "webhook_deliveries",
      "events_to_fan_out",
      "emails",
      "sms",
      "calls",
      "notices",
      "gateway_payments",
      "gateway_refunds",
      "gateway_callbacks",
      "gateway_comparisons",
      "audit_to_chain",
    ]);
    expect(body.disk_free_bytes).toBeGreaterThan(0);
    expect(body.database_bytes).toBeGreaterThan(0);
    // The tests' database is not Tillpost's own.
    expect(body).toMatchObject({
      backups: "elsewhere",
      backup_at: null,
      backup_verified_at: null,
      backup_failed_at: null,
      backup_failure: null,
      command_prefix: "npm run tillpost --",
    });
  });
});

test("a person changes their name and language", async () => {
  const li = await visitor(app);
  const changed = await li.api.call("PATCH", "/api/profile/me", { body: { name: "Li", language: "zh" } });
  expect(changed.body).toMatchObject({ id: li.id, name: "Li", language: "zh", current: null });
});
