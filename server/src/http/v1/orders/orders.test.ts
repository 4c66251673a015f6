import { describe, expect, test } from "vitest";
import { putProfile } from "#collection/index.ts";
import { cancelOrder, createOrder } from "#orders/index.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { type Good, refusalsIn } from "#test/support/refusals/refusals.ts";

const app = await testApp({ http: { perMinuteUnauthenticated: 1_000 } });
const refusals = refusalsIn(app);
const order = { amount_minor: 9900, currency: "CNY" };
const good: Good = () => ({ body: order });
const existing: Good = async (shop) => ({ params: { id: (await createOrder(app.ctx, shop, order)).order.id } });
const paths = (shop: TestTenant) => `/api/v1/projects/${shop.project_id}/orders`;

refusals("POST /api/v1/projects/:projectId/orders", good, [
  ...[0, -1, 1e12].map((amount_minor) => ({
    name: `an amount of ${amount_minor}`,
    body: { ...order, amount_minor },
    status: 400,
    code: "amount_out_of_range",
    param: "amount_minor",
  })),
  ...["9900", null, true, 1.5].map((amount_minor) => ({
    name: `an amount written as ${JSON.stringify(amount_minor)}`,
    body: { ...order, amount_minor },
    status: 400,
    code: "parameter_invalid",
    param: "amount_minor",
  })),
  { name: "nothing at all", body: {}, status: 400, code: "parameter_missing", param: "amount_minor" },
  { name: "a currency that is none", body: { ...order, currency: "XYZ" }, status: 400, code: "unsupported_currency", param: "currency" },
  {
    name: "a currency of four letters",
    body: { ...order, currency: "CNYX" },
    status: 400,
    code: "unsupported_currency",
    param: "currency",
  },
  {
    name: "a reference of 65 characters",
    body: { ...order, reference: "x".repeat(65) },
    status: 400,
    code: "parameter_invalid",
    param: "reference",
  },
  { name: "a life of 299 seconds", body: { ...order, expires_in: 299 }, status: 400, code: "parameter_invalid", param: "expires_in" },
  {
    name: "51 keys of metadata",
    body: { ...order, metadata: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, "v"])) },
    status: 400,
    code: "parameter_invalid",
    param: "metadata",
  },
  {
    name: "metadata with a long key",
    body: { ...order, metadata: { ["k".repeat(41)]: "v" } },
    status: 400,
    code: "parameter_invalid",
    param: `metadata.${"k".repeat(41)}`,
  },
  { name: "metadata with a number", body: { ...order, metadata: { n: 1 } }, status: 400, code: "parameter_invalid", param: "metadata.n" },
  { name: "metadata named after a card", body: { ...order, metadata: { pan: "x" } }, status: 400, code: "card_number_refused" },
  {
    name: "a return address without https",
    body: { ...order, return_url: "http://shop.example" },
    status: 400,
    code: "parameter_invalid",
    param: "return_url",
  },
  {
    name: "an unknown field of the customer",
    body: { ...order, customer: { age: 3 } },
    status: 400,
    code: "parameter_unknown",
    param: "customer.age",
  },
  { name: "a NUL character", body: { ...order, description: "a\u0000b" }, status: 400, code: "parameter_invalid", param: "description" },
  {
    name: "half a surrogate pair",
    payload: '{"amount_minor":1,"currency":"CNY","description":"\\ud800"}',
    headers: { "content-type": "application/json" },
    status: 400,
    code: "parameter_invalid",
    param: "description",
  },
  {
    name: "a key named __proto__",
    payload: '{"amount_minor":1,"currency":"CNY","__proto__":{}}',
    headers: { "content-type": "application/json" },
    status: 400,
    code: "parameter_unknown",
    param: "__proto__",
  },
  {
    name: "bytes that are not UTF-8",
    payload: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    headers: { "content-type": "application/json" },
    status: 400,
    code: "invalid_json",
  },
  { name: "a body of 257 KB", body: { ...order, description: "x".repeat(257 * 1024) }, status: 413, code: "body_too_large" },
  {
    name: "a reference that is taken",
    given: async (shop) => void (await createOrder(app.ctx, shop, { ...order, reference: "A-1" })),
    body: { ...order, reference: "A-1" },
    status: 409,
    code: "reference_exists",
    param: "reference",
  },
]);

refusals("GET /api/v1/projects/:projectId/orders/:id", existing, [
  { name: "an expansion that is none", query: "expand[]=secrets", status: 400, code: "parameter_invalid", param: "expand[]" },
]);

refusals("GET /api/v1/projects/:projectId/orders", () => ({}), [
  { name: "a state that is none", query: "status=lost", status: 400, code: "parameter_invalid", param: "status" },
  {
    name: "an instant before all calendars",
    query: "created[gte]=0000-01-01T00:00:00Z",
    status: 400,
    code: "parameter_invalid",
    param: "created[gte]",
  },
  { name: "a leap second", query: "created[lt]=2026-06-30T23:59:60Z", status: 400, code: "parameter_invalid", param: "created[lt]" },
  { name: "a day in place of an instant", query: "created[gte]=yesterday", status: 400, code: "parameter_invalid", param: "created[gte]" },
  { name: "a claim since a day", query: "claimed[gte]=monday", status: 400, code: "parameter_invalid", param: "claimed[gte]" },
  { name: "a limit of 0", query: "limit=0", status: 400, code: "parameter_invalid", param: "limit" },
  { name: "two cursors", query: "starting_after=a&ending_before=b", status: 400, code: "parameter_conflict", param: "ending_before" },
  { name: "a cursor that names nothing", query: "starting_after=ord_none", status: 400, code: "invalid_cursor", param: "starting_after" },
  {
    name: "another tenant's order as a cursor",
    status: 400,
    code: "invalid_cursor",
    param: "starting_after",
    given: async () => ({ query: `starting_after=${(await createOrder(app.ctx, await app.tenant(), order)).order.id}` }),
  },
]);

describe("POST orders", () => {
  test("returns the whole order with its link", async () => {
    const shop = await app.tenant();
    const reply = await app.api(shop.key).post(paths(shop), {
      ...order,
      currency: "cny",
      reference: "INV-1001",
      metadata: { plan: "pro" },
      customer: { email: "ada@example.com" },
    });
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({
      object: "order",
      project_id: shop.project_id,
      livemode: false,
      reference: "INV-1001",
      status: "unpaid",
      flags: [],
      version: 1,
      amount_minor: 9900,
      currency: "CNY",
      amount_received_minor: 0,
      amount_refunded_minor: 0,
      description: null,
      metadata: { plan: "pro" },
      customer: { name: null, email: "ada@example.com", phone: null },
      return_url: null,
      locale: "auto",
      latest_payment_session: null,
      failure_code: null,
      paid_at: null,
      failed_at: null,
      canceled_at: null,
      payment_link: { object: "payment_link", status: "active" },
    });
    expect(reply.body.payment_link.url).toBe(`http://localhost:8080/pay/${reply.body.payment_link.token}`);
    expect(reply.body.payment_link.token).toMatch(/^pl_test_[0-9A-Za-z]{32}$/);
    expect(reply.body.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test("warns of an order that no payment method of the project can take, until one can", async () => {
    const shop = await app.tenant();
    const api = app.api(shop.key);
    const warned = async (currency: string) => {
      const made = await api.post(paths(shop), { amount_minor: 500, currency });
      const read = await api.get(`${paths(shop)}/${made.body.id}`);
      const listed = (await api.get(`${paths(shop)}?limit=1`)).body.data[0];
      expect([made.status, read.body.warnings, listed.warnings]).toEqual([201, made.body.warnings, made.body.warnings]);
      return made.body.warnings.map(({ code }: { code: string }) => code);
    };
    expect(await warned("CNY")).toEqual(["no_payment_method"]);
    const profile = { channel: "wechat", if_version: null, qr_payload: "wxp://f2f0AbCdEfGhIjKlMnOpQrStUvWxYz01234" } as const;
    const { version } = await putProfile(app.ctx, shop, profile);
    app.clock.advance(1_000);
    expect(await warned("CNY")).toEqual([]);
    expect(await warned("EUR")).toEqual(["no_payment_method"]);
    await putProfile(app.ctx, shop, { ...profile, if_version: version, enabled: false });
    app.clock.advance(10_000);
    expect(await warned("CNY")).toEqual(["no_payment_method"]);
    const { body } = await api.post(paths(shop), { amount_minor: 500, currency: "EUR" });
    await cancelOrder(app.ctx, shop, { order_id: body.id });
    expect((await api.get(`${paths(shop)}/${body.id}`)).body.warnings).toEqual([]);
  });

  test("accepts 100.0 as 100", async () => {
    const shop = await app.tenant();
    const reply = await app.api(shop.key).post(paths(shop), undefined, {
      payload: '{"amount_minor":100.0,"currency":"CNY"}',
      headers: { "content-type": "application/json" },
    });
    expect(reply).toMatchObject({ status: 201, body: { amount_minor: 100 } });
  });

  test("reports all faults together", async () => {
    const shop = await app.tenant();
    const reply = await app.api(shop.key).post(paths(shop), { amount_minor: 0, currency: "??", customer: { email: "nobody" }, colour: 1 });
    expect(reply.body.error.details.map((detail: { param: string; code: string }) => `${detail.param} ${detail.code}`).sort()).toEqual([
      "amount_minor amount_out_of_range",
      "colour parameter_unknown",
      "currency unsupported_currency",
      "customer.email parameter_invalid",
    ]);
  });

  test("answers a repeated Idempotency-Key with the first order, whatever the order of the fields", async () => {
    const shop = await app.tenant();
    const api = app.api(shop.key);
    const headers = { "idempotency-key": '"k-1"' };
    const first = await api.post(paths(shop), { amount_minor: 500, currency: "CNY" }, { headers });
    const again = await api.post(paths(shop), { currency: "CNY", amount_minor: 500 }, { headers: { "idempotency-key": "k-1" } });
    const flat = await api.post("/api/v1/orders", { amount_minor: 500, currency: "CNY" }, { headers });
    expect(first.headers["idempotent-replayed"]).toBeUndefined();
    for (const reply of [again, flat]) {
      expect(reply).toMatchObject({ status: 201, body: first.body });
      expect(reply.headers["idempotent-replayed"]).toBe("true");
    }
    expect(await api.post(paths(shop), { amount_minor: 501, currency: "CNY" }, { headers })).toMatchObject({
      status: 422,
      body: { error: { code: "idempotency_key_reused" } },
    });
  });

  test("returns a caller's own texts unchanged, also those that look like times but aren't", async () => {
    const shop = await app.tenant();
    const headers = { "idempotency-key": "k-3" };
    const metadata = {
      a: "2026-02-31T00:00:00.000Z",
      b: "9999-99-99T99:99:99.999Z",
      c: "2026-11-20T24:00:00.000Z",
      d: "2026-11-20T08:00:00.000Z",
    };
    const first = await app.api(shop.key).post(paths(shop), { ...order, metadata }, { headers });
    expect(first.body.metadata).toEqual(metadata);
    expect((await app.api(shop.key).post(paths(shop), { ...order, metadata }, { headers })).body).toEqual(first.body);
  });

  test("stores no refusal under an Idempotency-Key", async () => {
    const shop = await app.tenant();
    const headers = { "idempotency-key": "k-2" };
    expect((await app.api(shop.key).post(paths(shop), { amount_minor: 0, currency: "CNY" }, { headers })).status).toBe(400);
    expect((await app.api(shop.key).post(paths(shop), order, { headers })).status).toBe(201);
  });
});

describe("GET orders", () => {
  test("pages through all of them, newest first, in both directions", async () => {
    const shop = await app.tenant();
    const made: string[] = [];
    for (let n = 0; n < 5; n += 1) made.unshift((await createOrder(app.ctx, shop, { ...order, reference: `R-${n}` })).order.id);
    const api = app.api(shop.key);
    const first = await api.get(`${paths(shop)}?limit=2&include=total_count`);
    expect(first.body).toMatchObject({ object: "list", url: paths(shop), has_more: true, next_cursor: made[1], total_count: 5 });
    const second = await api.get(`${paths(shop)}?limit=3&starting_after=${first.body.next_cursor}`);
    expect(second.body).toMatchObject({ has_more: false, next_cursor: null });
    expect([...first.body.data, ...second.body.data].map(({ id }: { id: string }) => id)).toEqual(made);
    const back = await api.get(`${paths(shop)}?limit=2&ending_before=${made[3]}`);
    expect(back.body).toMatchObject({ has_more: true, next_cursor: made[1] });
    expect(back.body.data.map(({ id }: { id: string }) => id)).toEqual([made[1], made[2]]);
  });

  test("filters by repeated states, reference, time and a word", async () => {
    const shop = await app.tenant();
    for (const reference of ["ONE", "TWO"])
      await createOrder(app.ctx, shop, { ...order, reference, customer: { email: `${reference}@example.com` } });
    const found = async (query: string) =>
      (await app.api(shop.key).get(`${paths(shop)}?${query}`)).body.data.map(({ reference }: { reference: string }) => reference);
    expect(await found("status=unpaid&status=paid")).toEqual(["TWO", "ONE"]);
    expect(await found("status=paid")).toEqual([]);
    expect(await found("reference=ONE")).toEqual(["ONE"]);
    expect(await found("currency=cny&q=two@")).toEqual(["TWO"]);
    expect(await found(`created[lt]=${app.ctx.now().toISOString()}`)).toEqual([]);
  });

  test("adds what expand[] requests, and only that", async () => {
    const shop = await app.tenant();
    const { id } = (await createOrder(app.ctx, shop, order)).order;
    const plain = await app.api(shop.key).get(`${paths(shop)}/${id}`);
    expect(plain.body).not.toHaveProperty("vouchers");
    const full = await app.api(shop.key).get(`${paths(shop)}/${id}?expand[]=payment_sessions&expand[]=vouchers&expand[]=refunds`);
    expect(full.body).toMatchObject({ ...plain.body, payment_sessions: [], vouchers: [], refunds: [] });
  });
});
