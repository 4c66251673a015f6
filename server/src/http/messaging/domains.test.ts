import { expect, test } from "vitest";
import { createDomain } from "#email/index.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { type Good, refusalsIn } from "#test/support/refusals/refusals.ts";

const app = await testApp({ http: { perMinuteUnauthenticated: 1_000 } });
const refusals = refusalsIn(app);
let count = 0;
const newDomain = () => `shop${(count += 1)}.example.com`;
const good: Good = () => ({ body: { name: newDomain() } });
const existing: Good = async (shop: TestTenant) => ({ params: { id: (await createDomain(app.ctx, shop, { name: newDomain() })).id } });

refusals("POST /v1/domains", good, [
  { name: "no name", body: {}, status: 400, code: "parameter_missing", param: "name" },
  ...[
    "",
    "localhost",
    "a b.com",
    "1.2.3.4",
    "-a.com",
    `${"a".repeat(64)}.com`,
    "shop..com",
    "https://shop.com",
    "shop.com\r\nBcc: x@y.zz",
  ].map((name) => ({
    name: `the name ${JSON.stringify(name.slice(0, 30))}`,
    body: { name },
    status: 400,
    code: "parameter_invalid",
    param: "name",
  })),
  { name: "the platform's own domain", body: { name: "mail.tillpost.example" }, status: 400, code: "parameter_invalid", param: "name" },
  {
    name: "a domain that is there already",
    given: async (shop) => {
      await createDomain(app.ctx, shop, { name: "twice.example.com" });
      return { body: { name: "TWICE.example.com" } };
    },
    status: 400,
    code: "parameter_invalid",
    param: "name",
  },
]);
refusals("GET /v1/domains", () => ({}), [
  { name: "a cursor that names nothing", query: "after=dom_x", status: 400, code: "invalid_cursor", param: "starting_after" },
  { name: "a cursor twice", query: "after=a&starting_after=b", status: 400, code: "parameter_conflict", param: "after" },
  { name: "a page of 101", query: "limit=101", status: 400, code: "parameter_invalid", param: "limit" },
  { name: "an unknown state", query: "status=done", status: 400, code: "parameter_invalid", param: "status" },
]);
refusals("GET /v1/domains/:id", existing);
refusals("POST /v1/domains/:id/verify", existing);
refusals("DELETE /v1/domains/:id", existing);

test("a domain is added with records to publish, found, listed, searched for and deleted", async () => {
  const shop = await app.tenant();
  const api = app.api(shop.key);
  const made = await api.post("/v1/domains", { name: "Müller.Example.com" });
  expect(made.status, made.text).toBe(201);
  expect(made.body).toMatchObject({
    object: "domain",
    name: "xn--mller-kva.example.com",
    status: "pending",
    livemode: false,
    project_id: shop.project_id,
  });
  expect(made.body.records.map((record: { purpose: string }) => record.purpose)).toEqual(
    expect.arrayContaining(["verification", "dkim", "spf", "dmarc"]),
  );
  expect(made.text).not.toMatch(/private|BEGIN|sealed/i);
  expect((await api.get(`/v1/domains/${made.body.id}`)).body).toEqual(made.body);
  expect((await api.get("/v1/domains")).body).toMatchObject({
    object: "list",
    url: "/v1/domains",
    data: [made.body],
    has_more: false,
    next_cursor: null,
  });
  expect((await api.delete(`/v1/domains/${made.body.id}`)).body).toEqual({ id: made.body.id, object: "domain", deleted: true });
  expect((await api.get(`/v1/domains/${made.body.id}`)).status).toBe(404);
});

test("answers a repeated request with the same domain", async () => {
  const api = app.api((await app.tenant()).key);
  const headers = { "idempotency-key": "once" };
  const [first, again] = [
    await api.post("/v1/domains", { name: newDomain() }, { headers }),
    await api.post("/v1/domains", { name: `shop${count}.example.com` }, { headers }),
  ];
  expect(again.status, again.text).toBe(201);
  expect(again.headers["idempotent-replayed"]).toBe("true");
  expect(again.body).toEqual(first.body);
});
