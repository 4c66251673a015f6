import { describe, expect, test } from "vitest";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { receiver } from "#test/support/network/receiver.ts";
import { visitor } from "#test/support/people/visitors.ts";
import { type Good, refusalsIn } from "#test/support/refusals/refusals.ts";
import { emitSome, handOf } from "#test/support/webhooks/webhook-world.ts";

const app = await testApp({ egress: await localEgress(), http: { perMinuteUnauthenticated: 1_000 } });
const refusals = refusalsIn(app);
const shop = await receiver();
const hand = handOf(app.ctx);
const pathOf = (tenant: TestTenant, rest = "") => `/api/v1/projects/${tenant.project_id}/webhooks${rest}`;
const good = { url: shop.url, events: ["order.paid"] };

async function registered(tenant: TestTenant): Promise<string> {
  return (await app.api(tenant.key).post(pathOf(tenant), good)).body.id;
}

async function tested(tenant: TestTenant): Promise<{ id: string; attemptId: string }> {
  const id = await registered(tenant);
  return { id, attemptId: (await app.api(tenant.key).post(pathOf(tenant, `/${id}/test`), {})).body.id };
}

const one =
  (body?: unknown): Good =>
  async (tenant) => ({ params: { id: await registered(tenant) }, ...(body === undefined ? {} : { body }) });
const attempted =
  (body?: unknown): Good =>
  async (tenant) => ({ params: await tested(tenant), ...(body === undefined ? {} : { body }) });
const removed = {
  name: "an endpoint that was deleted",
  status: 410,
  code: "endpoint_removed",
  given: async (tenant: TestTenant, sent: { params?: Record<string, string> }) =>
    void (await app.api(tenant.key).delete(pathOf(tenant, `/${sent.params?.id}`))),
};
const hostile = [
  "http://shop.example.com/",
  "https://10.0.0.1/",
  "https://[::ffff:10.0.0.1]/",
  "https://a@shop.example.com/",
  "https://shop.example.com:22/",
  "nonsense",
].map((url) => ({
  name: `the address ${url}`,
  body: { ...good, url },
  status: 400,
  code: "url_not_allowed",
  param: "url",
}));

refusals("POST /api/v1/projects/:projectId/webhooks", () => ({ body: good }), [
  ...hostile,
  {
    name: "an event that is none",
    body: { ...good, events: ["order.paid", "order.eaten"] },
    status: 400,
    code: "parameter_invalid",
    param: "events",
  },
  { name: "no events", body: { ...good, events: [] }, status: 400, code: "parameter_invalid", param: "events" },
  { name: "a card number", body: { ...good, description: "4242 4242 4242 4242" }, status: 400, code: "card_number_refused" },
  {
    name: "a seventeenth endpoint",
    status: 400,
    code: "limit_reached",
    given: async (tenant) => {
      for (let n = 0; n < 16; n += 1) await registered(tenant);
    },
  },
]);
refusals("GET /api/v1/projects/:projectId/webhooks", () => ({}), [
  { name: "a cursor that names nothing", query: "starting_after=we_none", status: 400, code: "invalid_cursor" },
]);
refusals("GET /api/v1/projects/:projectId/webhooks/:id", one(), [removed]);
refusals("PATCH /api/v1/projects/:projectId/webhooks/:id", one({ description: "x" }), [
  removed,
  ...hostile.map(({ body, ...row }) => ({ ...row, body: { url: body.url } })),
  { name: "an older version", headers: { "if-match": "7" }, status: 409, code: "version_conflict" },
  { name: "an event that is none", body: { events: ["all"] }, status: 400, code: "parameter_invalid", param: "events" },
]);
refusals("DELETE /api/v1/projects/:projectId/webhooks/:id", one(), [removed]);
refusals("POST /api/v1/projects/:projectId/webhooks/:id/test", one({}), [
  removed,
  { name: "an event that is none", body: { event: "order.*" }, status: 400, code: "parameter_invalid", param: "event" },
]);
const acted =
  (rest: string, body: unknown = {}) =>
  async (tenant: TestTenant, sent: { params?: Record<string, string> }) =>
    void (await app.api(tenant.key).post(pathOf(tenant, `/${sent.params?.id}${rest}`), body));
const disabled = async (tenant: TestTenant, sent: { params?: Record<string, string> }) =>
  void (await app.api(tenant.key).call("PATCH", pathOf(tenant, `/${sent.params?.id}`), { body: { status: "disabled" } }));
const rolling =
  (body?: unknown): Good =>
  async (tenant) => {
    const id = await registered(tenant);
    await app.api(tenant.key).post(pathOf(tenant, `/${id}/roll-secret`), {});
    return { params: { id }, ...(body === undefined ? {} : { body }) };
  };
refusals("POST /api/v1/projects/:projectId/webhooks/:id/roll-secret", one({}), [
  removed,
  { name: "a roll while another one is open", given: acted("/roll-secret"), status: 409, code: "secret_roll_conflict" },
]);
refusals("POST /api/v1/projects/:projectId/webhooks/:id/promote-secret", rolling({}), [
  removed,
  { name: "a roll that was promoted already", given: acted("/promote-secret"), status: 409, code: "secret_roll_conflict" },
]);
refusals("POST /api/v1/projects/:projectId/webhooks/:id/replay", one({ since: "2026-11-20T00:00:00Z" }), [
  removed,
  { name: "a disabled endpoint", given: disabled, status: 409, code: "endpoint_disabled" },
  { name: "no time", body: {}, status: 400, code: "parameter_missing", param: "since" },
  { name: "a time too long ago", body: { since: "2026-10-01T00:00:00Z" }, status: 400, code: "parameter_invalid", param: "since" },
  { name: "a time to come", body: { since: "2027-10-01T00:00:00Z" }, status: 400, code: "parameter_invalid", param: "since" },
]);
refusals("GET /api/v1/projects/:projectId/webhooks/:id/attempts", one(), [
  removed,
  { name: "a status that is none", query: "status=odd", status: 400, code: "parameter_invalid", param: "status" },
  { name: "a cursor that names nothing", query: "starting_after=wat_none", status: 400, code: "invalid_cursor" },
]);
refusals("GET /api/v1/projects/:projectId/webhooks/:id/attempts/:attemptId", attempted(), [removed]);
refusals("POST /api/v1/projects/:projectId/webhooks/:id/attempts/:attemptId/retry", attempted({}), [removed]);

describe("an endpoint", () => {
  test("shows its secret only when it is created and when it is rolled", async () => {
    const tenant = await app.tenant();
    const api = app.api(tenant.key);
    const headers = { "idempotency-key": "once" };
    const made = await api.post(pathOf(tenant), { ...good, description: "the shop" }, { headers });
    expect(made).toMatchObject({
      status: 201,
      body: { object: "webhook", status: "enabled", version: 1, secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) },
    });
    expect(Buffer.from(made.body.secret.slice(6), "base64")).toHaveLength(32);
    const again = await api.post(pathOf(tenant), { ...good, description: "the shop" }, { headers });
    expect(again).toMatchObject({ status: 201, headers: { "idempotent-replayed": "true" }, body: { id: made.body.id, secret: null } });
    expect((await api.get(pathOf(tenant, `/${made.body.id}`))).body).toMatchObject({
      secret: null,
      secret_last4: made.body.secret.slice(-4),
    });
    const rolled = await api.post(pathOf(tenant, `/${made.body.id}/roll-secret`), {}, { headers: { "idempotency-key": "roll" } });
    expect(rolled.body).toMatchObject({ next_secret_last4: rolled.body.secret.slice(-4), next_secret_at: expect.any(String) });
    expect(
      (await api.post(pathOf(tenant, `/${made.body.id}/roll-secret`), {}, { headers: { "idempotency-key": "roll" } })).body,
    ).toMatchObject({
      secret: null,
      next_secret_at: rolled.body.next_secret_at,
    });
    const promoted = await api.post(pathOf(tenant, `/${made.body.id}/promote-secret`), {});
    expect(promoted.body).toMatchObject({ secret: null, secret_last4: rolled.body.secret.slice(-4), next_secret_last4: null });
  });

  test("is listed, changed, disabled and deleted, on the nested and on the flat path", async () => {
    const tenant = await app.tenant();
    const api = app.api(tenant.key);
    const id = await registered(tenant);
    expect((await api.get(pathOf(tenant, "?include=total_count"))).body).toMatchObject({ total_count: 1, data: [{ id }] });
    expect(await api.call("PATCH", `/api/v1/webhooks/${id}`, { body: { status: "disabled" }, headers: { "if-match": "1" } })).toMatchObject(
      {
        status: 200,
        body: { status: "disabled", disabled_reason: "requested", version: 2 },
        headers: { deprecation: expect.any(String) },
      },
    );
    expect((await api.delete(pathOf(tenant, `/${id}`))).body).toEqual({ id, object: "webhook", deleted: true });
    expect((await api.get(pathOf(tenant))).body.data).toEqual([]);
  });

  test("returns the attempt of a test, once for one idempotency key, and sends it again on request", async () => {
    const tenant = await app.tenant();
    const api = app.api(tenant.key);
    const id = await registered(tenant);
    const before = shop.received.length;
    const headers = { "idempotency-key": "test-1" };
    const attempt = await api.post(pathOf(tenant, `/${id}/test`), { event: "order.failed" }, { headers });
    expect(attempt).toMatchObject({
      status: 200,
      body: {
        object: "webhook_attempt",
        webhook_id: id,
        trigger: "test",
        status: "succeeded",
        attempt: 1,
        response: { status: 200, body: "ok", truncated: false },
        error_code: null,
      },
    });
    expect(JSON.parse(attempt.body.request.body)).toMatchObject({ event: "order.failed", data: { order: { status: "failed" } } });
    expect(attempt.text).not.toContain(shop.received.at(-1)?.headers["x-service-signature"]);
    expect((await api.post(pathOf(tenant, `/${id}/test`), { event: "order.failed" }, { headers })).body.id).toBe(attempt.body.id);
    expect(shop.received.length - before).toBe(1);
    const retried = await api.post(pathOf(tenant, `/${id}/attempts/${attempt.body.id}/retry`), {});
    expect(retried.body).toMatchObject({ attempt: 2, trigger: "manual", status: "succeeded", event_id: attempt.body.event_id });
    const list = await api.get(pathOf(tenant, `/${id}/attempts?limit=1`));
    expect(list.body).toMatchObject({ has_more: true, data: [{ id: retried.body.id }] });
    expect((await api.get(pathOf(tenant, `/${id}/attempts/${attempt.body.id}`))).body).toEqual(attempt.body);
  });

  test("is tested and retried in the audit log, once for one idempotency key, and not when refused", async () => {
    const tenant = await app.tenant();
    const owner = await visitor(app, { merchant_id: tenant.merchant_id });
    const id = await registered(tenant);
    const test = (body: object, key: string) =>
      owner.api.post(pathOf(tenant, `/${id}/test`), body, { headers: { "idempotency-key": key } });
    const { id: attempt_id } = (await test({ event: "order.failed" }, "one")).body;
    expect((await test({ event: "order.failed" }, "one")).body.id).toBe(attempt_id);
    expect((await test({ event: "order.eaten" }, "two")).status).toBe(400);
    expect((await owner.api.post(pathOf(tenant, `/${id}/attempts/${attempt_id}/retry`), {})).status).toBe(200);
    const log = (await owner.api.get("/api/v1/merchant/audit-log?limit=2")).body.data;
    expect(log).toMatchObject([
      { action: "webhook.attempt_retried", actor_id: owner.id, object_type: "webhook", object_id: id, detail: { attempt_id } },
      { action: "webhook.tested", actor_id: owner.id, object_type: "webhook", object_id: id, detail: { event: "order.failed" } },
    ]);
    const tests = (await owner.api.get("/api/v1/merchant/audit-log?action=webhook.tested")).body.data;
    expect(tests).toHaveLength(1);
  });

  test("can be sent again everything that it missed", async () => {
    const tenant = await app.tenant();
    const api = app.api(tenant.key);
    await emitSome(app.ctx, tenant, 2);
    await hand.deliver();
    const id = await registered(tenant);
    const replay = await api.post(pathOf(tenant, `/${id}/replay`), { since: "2026-11-20T00:00:00Z" });
    expect(replay).toMatchObject({ status: 200, body: { object: "webhook_replay", webhook_id: id, scheduled: 2, has_more: false } });
  });
});
