import { expect, test } from "vitest";
import { emailChannel } from "#email/index.ts";
import { createSuppression } from "#messaging/index.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { type Good, refusalsIn } from "#test/support/refusals/refusals.ts";
import { fanOut } from "#webhooks/index.ts";

const app = await testApp({ http: { perMinuteUnauthenticated: 1_000 } });
const refusals = refusalsIn(app);
const good: Good = () => ({ body: { address: "ada@example.com" } });
const existing: Good = async (shop: TestTenant) => ({
  params: { id: (await createSuppression(app.ctx, shop, { channel: emailChannel, address: "ada@example.com" })).id },
});

refusals("POST /v1/suppressions", good, [
  { name: "no address", body: {}, status: 400, code: "parameter_missing", param: "address" },
  ...["ada", "ada@", "@example.com", "a b@example.com", "ada@example.com, bob@example.com", "ada@example.com\nBcc: x@y.zz"].map(
    (address) => ({
      name: `the address ${JSON.stringify(address)}`,
      body: { address },
      status: 400,
      code: "parameter_invalid",
      param: "address",
    }),
  ),
  ...["12", "112", "+4407400123456", "+15551230000 / ACME", "+15551230000/ ACME", "+15551230000/", "+15551230000/\u0410CME", "/ACME"].map(
    (address) => ({
      name: `the address ${JSON.stringify(address)} of SMS, which would stop nothing`,
      body: { address, channel: "sms" },
      status: 400,
      code: "parameter_invalid",
      param: "address",
    }),
  ),
  {
    name: "an unknown channel",
    body: { address: "ada@example.com", channel: "fax" },
    status: 400,
    code: "parameter_invalid",
    param: "channel",
  },
  {
    name: "an end in the past",
    body: { address: "ada@example.com", expires_at: "2026-11-01T00:00:00Z" },
    status: 400,
    code: "parameter_invalid",
    param: "expires_at",
  },
]);
refusals("GET /v1/suppressions", () => ({}), [
  { name: "a cursor that names nothing", query: "before=sup_x", status: 400, code: "invalid_cursor", param: "ending_before" },
  { name: "an unknown reason", query: "reason=whim", status: 400, code: "parameter_invalid", param: "reason" },
]);
refusals("GET /v1/suppressions/:id", existing);
refusals("DELETE /v1/suppressions/:id", existing);

test("suppressions are found by the beginning of an address, however it is written, but not by a pattern", async () => {
  const api = app.api((await app.tenant()).key);
  for (const address of ["ada@example.com", "adam@example.com", "bob@ada.example", "张三@example.com"])
    await api.post("/v1/suppressions", { address });
  const found = async (q: string) =>
    (await api.get(`/v1/suppressions?q=${encodeURIComponent(q)}`)).body.data.map(({ address }: { address: string }) => address);
  expect(await found("ADA")).toEqual(["adam@example.com", "ada@example.com"]);
  expect(await found("ada@")).toEqual(["ada@example.com"]);
  expect(await found("张")).toEqual(["张三@example.com"]);
  expect([await found("%"), await found("a_a")]).toEqual([[], []]);
});

test("an address is suppressed, found by id and by the address, and released", async () => {
  const shop = await app.tenant();
  const api = app.api(shop.key);
  const made = await api.post("/v1/suppressions", { address: "Ada@Example.com" });
  expect(made.status, made.text).toBe(201);
  expect(made.body).toMatchObject({
    object: "suppression",
    channel: "email",
    address: "ada@example.com",
    reason: "manual",
    source_id: null,
    expires_at: null,
  });
  for (const name of [made.body.id, "ADA@example.com", encodeURIComponent("ada@example.com")])
    expect((await api.get(`/v1/suppressions/${name}`)).body).toEqual(made.body);
  const bounced = await api.post("/v1/suppressions", { address: "bob@example.com", reason: "bounce", expires_at: null });
  expect(bounced.body).toMatchObject({ reason: "bounce", expires_at: null });
  expect((await api.get("/v1/suppressions?limit=1")).body).toMatchObject({
    data: [bounced.body],
    has_more: true,
    next_cursor: bounced.body.id,
  });
  expect((await api.get(`/v1/suppressions?after=${bounced.body.id}`)).body).toMatchObject({ data: [made.body], has_more: false });
  expect((await api.get("/v1/suppressions?reason=manual&address=ADA@example.com")).body.data).toEqual([made.body]);
  expect((await api.delete("/v1/suppressions/bob@example.com")).body).toEqual({
    id: bounced.body.id,
    object: "suppression",
    deleted: true,
  });
  expect((await api.get(`/v1/suppressions/${bounced.body.id}`)).status).toBe(404);
  while ((await fanOut(app.ctx)) > 0);
  const events = (await api.get(`/api/v1/projects/${shop.project_id}/events`)).body.data;
  expect(
    events.map(({ event, data }: { event: string; data: { suppression: { address: string } } }) => [event, data.suppression.address]),
  ).toEqual([
    ["suppression.deleted", "bob@example.com"],
    ["suppression.created", "bob@example.com"],
    ["suppression.created", "ada@example.com"],
  ]);
});

test("accepts the address under either name, and refuses two that differ or none at all", async () => {
  const api = app.api((await app.tenant()).key);
  const by = (body: object) =>
    api
      .post("/v1/suppressions", body)
      .then(({ status, body: { address, error, name, statusCode } }) => ({ status, address, code: error?.code, name, statusCode }));
  const taken = { status: 201, address: "ada@corner-readers.com", code: undefined, name: undefined, statusCode: undefined };
  expect(await by({ email: "ada@corner-readers.com" })).toEqual(taken);
  expect(await by({ address: "ada@corner-readers.com", email: "ada@corner-readers.com" })).toEqual(taken);
  const refused = (code: string) => ({ status: 400, address: undefined, code, name: code, statusCode: 400 });
  expect(await by({ address: "ada@corner-readers.com", email: "bob@corner-readers.com" })).toEqual(refused("parameter_conflict"));
  expect(await by({})).toEqual(refused("parameter_missing"));
});
