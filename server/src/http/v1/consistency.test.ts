import { beforeAll, describe, expect, test } from "vitest";
import { namedSchemas } from "#schemas/index.ts";
import { type Api, multipart } from "#test/support/app/api.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { payShop } from "#test/support/payments/pay-shop.ts";
import { photo } from "#test/support/pictures/pictures.ts";

const app = await testApp({ http: { perMinuteUnauthenticated: 1_000 } });
const { tenant: shop, order: make } = await payShop(app);
const api: Api = app.api(shop.key);
const base = `/api/v1/projects/${shop.project_id}`;

const { order } = await make({ amount_minor: 6100, customer: { email: "Ada@Example.com" }, metadata: { plan: "pro", cart: "17" } });
await make({ amount_minor: 6200, metadata: { plan: "free" } });
const orderPath = `${base}/orders/${order.id}`;
const session = (await api.post(`${orderPath}/payments`, { gateway: "wechatpay" })).body;
const voucher = (await api.post(`${orderPath}/voucher`, { transaction_reference: "4200001" })).body;
await api.post(`${orderPath}/verification`, { decision: "approve", received_amount_minor: 6100 });
const over = await make({ amount_minor: 5000 });
const open = await make({ amount_minor: 7000 });
await api.post(`${base}/orders/${over.order.id}/simulate-payment`, { outcome: "overpaid" });

const email = { from: "orders@tillpost.example", to: "ada@corner-readers.com", subject: "Hello", text: "Hello" };
const id = expect.stringMatching(/^[a-z]+_/);
const total = { total_count: expect.any(Number) };
const one = (...[asks, path, gets, so]: [string, () => string, unknown, string]) => ({ asks, path, gets, so });
const byId = (what: string, path: () => string, gets: object) => one(what, path, gets, "by its id");
const onlyOrder = { data: [{ id: order.id }] };
let found: Record<string, string> = {};
beforeAll(async () => {
  const first = async (path: string) => (await api.get(path)).body.data[0].id as string;
  found = {
    transaction: await first("/api/v1/transactions"),
    wallet: await first("/api/v1/wallets"),
    exception: await first(`${base}/exceptions`),
  };
});

describe("requests work the same way everywhere", () => {
  test.each([
    one("expand[]", () => `${orderPath}?expand[]=vouchers`, { vouchers: [{ id: voucher.id }] }, "brackets are taken"),
    one("expand", () => `${orderPath}?expand=vouchers`, { vouchers: [{ id: voucher.id }] }, "no brackets are taken"),
    one("both", () => `${orderPath}?expand=vouchers&expand[]=payment_sessions`, { vouchers: [{}], payment_sessions: [{}] }, "both add up"),
    one("include", () => `${base}/orders?include=total_count`, total, "a total comes when asked for"),
    one("include[]", () => `${base}/orders?include[]=total_count`, total, "with brackets as well"),
    one(
      "status[]",
      () => `${base}/orders?status[]=paid`,
      { data: expect.arrayContaining([expect.objectContaining({ status: "paid" })]) },
      "every filter that repeats takes brackets",
    ),
    one("metadata[plan]", () => `${base}/orders?metadata[plan]=pro`, onlyOrder, "orders are found by what is kept with them"),
    one("two keys", () => `${base}/orders?metadata[plan]=pro&metadata[cart]=18`, { data: [] }, "all keys must fit"),
    one("customer[email]", () => `${base}/orders?customer[email]=ada@example.com`, onlyOrder, "a customer is found whatever the case"),
    byId("a transaction", () => `/api/v1/transactions/${found["transaction"]}`, { object: "transaction", project_id: shop.project_id }),
    byId("a wallet", () => `/api/v1/wallets/${found["wallet"]}`, { object: "wallet", balance_minor: expect.any(Number) }),
    byId("an exception", () => `${base}/exceptions/${found["exception"]}`, { object: "payment_exception", id }),
    byId("a payment session", () => `${base}/payment-sessions/${session.id}`, { object: "payment_session", order_id: order.id }),
  ])("$asks: $so", async ({ path, gets }) => {
    const reply = await api.get(path());
    expect(reply.status, reply.text).toBe(200);
    expect(reply.body).toMatchObject(gets as object);
  });

  test("an unknown metadata filter is refused like any other", async () => {
    expect((await api.get(`${base}/orders?metadata=pro`)).body.error).toMatchObject({ code: "parameter_unknown", param: "metadata" });
    expect((await api.get(`${base}/receipts?metadata[plan]=pro`)).body.error).toMatchObject({ code: "parameter_unknown" });
  });
});

test.each([
  ["PATCH", () => orderPath, { description: "x" }],
  ["PUT", () => `${base}/collection-profiles/alipay`, { qr_payload: "https://qr.alipay.com/fkx00000tillpostdemo0000" }],
] as const)("a %s of an old version gets the current one", async (method, path, body) => {
  const { version } = (await api.get(path())).body;
  const reply = await api.call(method, path(), { body, headers: { "if-match": "999" } });
  expect(reply.body.error).toMatchObject({ code: "version_conflict", version });
});

test("rules that no schema states are also reported all together, the first one at the top", async () => {
  const webhook = await api.post(`${base}/webhooks`, { url: "http://shop.example", events: ["order.paid", "bogus", "order.gone"] });
  const params = (reply: { body: { error: { details: { param: string }[] } } }) => reply.body.error.details.map(({ param }) => param);
  expect(params(webhook)).toEqual(["url", "events[1]", "events[2]"]);
  const made = await api.post(`${base}/orders`, { amount_minor: 5, currency: "XYZ", return_url: "javascript:x" });
  expect(params(made)).toEqual(["currency", "return_url"]);
  expect(made.body.error.message).toBe(made.body.error.details[0].message);
});

test("an object's fields are in the same order, whether it was just written or is read again", async () => {
  const path = `${base}/collection-profiles/alipay`;
  const put = await api.call("PUT", path, { body: { qr_payload: "https://qr.alipay.com/fkx00000tillpostdemo0000" } });
  expect((await api.get(path)).text).toBe(put.text);
});

describe("PATCH of an order", () => {
  test("changes the merchant's own data on it, and neither money nor state", async () => {
    const before = (await api.get(orderPath)).body;
    const reply = await api.call("PATCH", orderPath, {
      body: { description: "Three books", metadata: { plan: "team" }, customer: { name: "Ada" } },
    });
    expect(reply.body).toEqual({
      ...before,
      description: "Three books",
      metadata: { plan: "team" },
      customer: { ...before.customer, name: "Ada" },
      version: before.version + 1,
      updated_at: expect.any(String),
    });
    expect((await api.call("PATCH", orderPath, { body: { description: "Three books" } })).body.version).toBe(before.version + 1);
  });

  test.each([
    ["an old version", { body: { description: "x" }, headers: { "if-match": "1" } }, 409, "version_conflict"],
    ["an amount", { body: { amount_minor: 1 } }, 400, "parameter_unknown"],
    ["a card's number as metadata", { body: { metadata: { card: "x" } } }, 400, "card_number_refused"],
    [
      "more metadata than fits",
      { body: { metadata: Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, "x".repeat(400)])) } },
      400,
      "parameter_invalid",
    ],
  ])("refuses %s", async (_name, options, status, code) => {
    const before = (await api.get(orderPath)).text;
    expect(await api.call("PATCH", orderPath, options)).toMatchObject({ status, body: { error: { code } } });
    expect((await api.get(orderPath)).text).toBe(before);
  });
});

describe("an Idempotency-Key compares what the API reads, not how it was written", () => {
  test("cny is CNY, 100.0 is 100, null is omitted, and the order of fields doesn't matter", async () => {
    const headers = { "idempotency-key": "spelled-twice", "content-type": "application/json" };
    const post = (payload: string) => api.post(`${base}/orders`, undefined, { payload, headers });
    const first = await post('{"amount_minor":100,"currency":"CNY"}');
    for (const payload of ['{"currency":"cny","amount_minor":100.0}', '{"amount_minor":100,"description":null,"currency":"Cny"}'])
      expect(await post(payload)).toMatchObject({ status: 201, body: { id: first.body.id }, headers: { "idempotent-replayed": "true" } });
    expect((await post('{"amount_minor":101,"currency":"cny"}')).body.error.code).toBe("idempotency_key_reused");
  });

  test("a default that is written out is the default, and an empty value is omitted", async () => {
    const headers = { "idempotency-key": "defaults", "content-type": "application/json" };
    const good = { amount_minor: 100, currency: "CNY" };
    const first = await api.post(`${base}/orders`, good, { headers });
    for (const more of [
      { locale: "auto" },
      { expires_in: 86_400 },
      { metadata: {} },
      { customer: {} },
      { customer: { name: null } },
      { return_url: null },
    ])
      expect(await api.post(`${base}/orders`, { ...good, ...more }, { headers }), JSON.stringify(more)).toMatchObject({
        status: 201,
        body: { id: first.body.id },
      });
    for (const more of [{ locale: "zh" }, { expires_in: 86_401 }, { metadata: { a: "" } }, { customer: { name: "Ada" } }])
      expect((await api.post(`${base}/orders`, { ...good, ...more }, { headers })).body.error?.code, JSON.stringify(more)).toBe(
        "idempotency_key_reused",
      );
  });

  const same = (...[what, path, body, again]: [string, string, (at: string) => object, string]) => ({ what, path, body, again });
  test.each([
    same(
      "a receipt",
      `${base}/receipts`,
      (occurred_at) => ({ channel: "wechat", amount_minor: 3100, occurred_at }),
      "2026-11-19T18:00:00+08:00",
    ),
    same("an e-mail", "/v1/emails", (scheduled_at) => ({ ...email, scheduled_at }), "2026-12-01T18:00:00+08:00"),
    same("a batch", "/v1/emails/batch", (scheduled_at) => ({ emails: [{ ...email, scheduled_at }] }), "2026-12-01T18:00:00+08:00"),
    same("a suppression", "/v1/suppressions", (expires_at) => ({ address: "eve@example.com", expires_at }), "2026-12-01T18:00:00+08:00"),
    same(
      "a voucher",
      `${base}/orders/${open.order.id}/voucher`,
      (paid_at) => ({ gateway: "alipay", transaction_reference: "77", paid_at }),
      "2026-11-19T18:00:00+08:00",
    ),
  ])("a time is the same in every zone: $what", async ({ path, body, again }) => {
    const headers = { "idempotency-key": `zones ${path}`.replaceAll(/[^a-z]/g, "-") };
    const first = await api.post(path, body(new Date(again).toISOString().replace(".000", "")), { headers });
    expect(first.status, first.text).toBe(201);
    expect(await api.post(path, body(again), { headers })).toMatchObject({ status: 201, headers: { "idempotent-replayed": "true" } });
    const later = new Date(new Date(again).getTime() + 1000).toISOString();
    expect((await api.post(path, body(later), { headers })).body.error.code).toBe("idempotency_key_reused");
  });
});

describe("every response on a flat path announces its end", () => {
  test.each([
    ["a good one", "GET", "/api/v1/orders", shop.key, 200, `</api/v1/projects/${shop.project_id}/orders>`],
    ["one without a key", "GET", "/api/v1/orders", null, 401, "</api/v1/projects/{projectId}/orders>"],
    ["one with a wrong key", "GET", "/api/v1/orders/ord_x", "svc_test_wrong", 401, "</api/v1/projects/{projectId}/orders/{id}>"],
    ["no such order", "GET", "/api/v1/orders/ord_x", shop.key, 404, `</api/v1/projects/${shop.project_id}/orders/ord_x>`],
    ["a method it does not take", "PUT", "/api/v1/orders/ord_x", shop.key, 405, "</api/v1/projects/{projectId}/orders/{id}>"],
    ["a path that is none", "GET", "/api/v1/orders/ord_x/nothing", shop.key, 404, "</api/v1/projects/{projectId}/orders>"],
    ["an id left out", "GET", "/api/v1/webhooks/", shop.key, 404, "</api/v1/projects/{projectId}/webhooks/{id}>"],
    ["a broken escape", "GET", "/api/v1/api-keys/%ff", shop.key, 400, "</api/v1/projects/{projectId}/api-keys>"],
    ["a NUL", "GET", "/api/v1/gateways/%00?x=1", shop.key, 400, "</api/v1/projects/{projectId}/gateways>"],
    ["a bad parameter", "GET", "/api/v1/orders?limit=0", shop.key, 400, `</api/v1/projects/${shop.project_id}/orders>`],
    ["a body of another kind", "POST", "/api/v1/orders", shop.key, 415, `</api/v1/projects/${shop.project_id}/orders>`],
    ["a route for people", "GET", "/api/v1/api-keys", shop.key, 403, `</api/v1/projects/${shop.project_id}/api-keys>`],
  ])("%s", async (_name, method, path, key, status, link) => {
    const body = status === 415 ? { payload: "a=1", headers: { "content-type": "text/plain" } } : {};
    const reply = await app.api(key).call(method, path, body);
    expect(reply.status).toBe(status);
    expect(reply.headers).toMatchObject({
      deprecation: expect.stringMatching(/^@\d+$/),
      sunset: expect.stringMatching(/GMT$/),
      link: `${link}; rel="successor-version"`,
    });
  });
});

test("no other path has these headers", async () => {
  for (const path of ["/api/v1/projects", "/api/v1/ordersx", `${base}/orders`, "/v1/emails"]) {
    const { headers } = await api.call("PUT", path);
    expect(headers).not.toHaveProperty("deprecation");
  }
});

describe("every object has the same structure", () => {
  type Properties = Record<string, { enum?: unknown[] }>;
  const objects = Object.entries(namedSchemas(app.ctx) as Record<string, { properties?: Properties }>).filter(
    ([, { properties = {} }]) => "id" in properties && "object" in properties,
  );

  /** They show first what the contract or their own nature puts before the environment: a channel, a key's name, the merchant. */
  const laterPlace = new Set(["ApiKey", "AuditEntry", "CollectionProfile"]);

  test.each(objects)("%s begins with what it is and where it belongs", (name, { properties = {} }) => {
    const names = Object.keys(properties);
    expect(names.slice(0, 2)).toEqual(["id", "object"]);
    if (!laterPlace.has(name) && "project_id" in properties && "livemode" in properties)
      expect(names.slice(2, 4)).toEqual(["project_id", "livemode"]);
  });

  /** What a project's routes answer without naming it, and why. */
  const nameless: Readonly<Record<string, string>> = {
    Event: "its project stands in its data, whose bytes are the document's",
    Project: "it is the project, and of both environments",
    Deleted: "nothing but an id is left",
    SmsEstimate: "it is of a text alone, and nothing is stored",
    MessagingLimits: "they hold for LIVE, and a project has them once",
    MessagingPause: "ranges are paused for LIVE only",
    MessagingSpend: "only LIVE costs anything",
  };

  test("every object in a project's responses identifies its project and environment", async () => {
    const named = namedSchemas(app.ctx) as Record<string, Shape>;
    const own = (await app.server()).routes.filter(({ url, config }) => config.aliasOf === undefined && ofProjects.test(url));
    const answered = new Map(
      own.flatMap(({ method, url, schema }) => objectsOf(schema?.response).map((shape) => [shape.$ref ?? `${method} ${url}`, shape])),
    );
    expect(answered.size).toBeGreaterThan(30);
    const without = [...answered].flatMap(([name, shape]) => {
      const { properties = {} } = shape.$ref === undefined ? shape : (named[name.slice(0, -1)] ?? {});
      return "project_id" in properties && "livemode" in properties ? [] : [name.replace("#", "")];
    });
    expect(without.sort()).toEqual(Object.keys(nameless).sort());
  });

  test("responses have their fields in the order of their schema", async () => {
    const asset = (await api.call("POST", `${base}/assets/upload`, sent(await photo(64, 64)))).body;
    const shown = { Order: order, PaymentSession: session, Voucher: voucher, Asset: asset };
    const read = {
      ...shown,
      Order: (await api.get(orderPath)).body,
      PaymentException: (await api.get(`${base}/exceptions/${found["exception"]}`)).body,
    };
    for (const [name, body] of Object.entries(read)) {
      const fields = Object.keys((namedSchemas(app.ctx)[name] as { properties: Properties }).properties);
      expect(Object.keys(body), name).toEqual(fields.filter((field) => field in body));
    }
  });
});

interface Shape {
  $ref?: string;
  properties?: Record<string, Shape>;
  items?: Shape;
}

const ofProjects = /^\/api\/v1\/(projects\/:projectId|transactions|wallets)(\/|$)|^\/v1\//;

/** The objects that a route answers when it succeeds: orderPath, or what its list holds. Streams and files are none. */
function objectsOf(response: unknown): Shape[] {
  const answers = Object.entries((response ?? {}) as Record<string, Shape>).filter(([status]) => status.startsWith("2"));
  return answers.flatMap(([, shape]) => {
    const { data } = shape.properties ?? {};
    const one = data?.items ?? shape;
    return one.$ref === undefined && one.properties === undefined ? [] : [one];
  });
}

function sent(picture: Uint8Array) {
  const { payload, type } = multipart(picture, { purpose: "payment_proof" });
  return { payload, headers: { "content-type": type } };
}
