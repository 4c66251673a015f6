import { expect, test } from "vitest";
import { approveNumber, rejectNumber, requestNumber } from "#numbers/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { type Good, refusalsIn } from "#test/support/refusals/refusals.ts";
import { fanOut } from "#webhooks/index.ts";

const app = await testApp({ http: { perMinuteUnauthenticated: 1_000, tierLimits: ["free.control=100000"] } });
const refusals = refusalsIn(app);
const good: Good = () => ({ body: { value: "+14155552671" } });
const existing: Good = async (shop) => ({ params: { id: (await requestNumber(app.ctx, shop, { value: "+14155552671" })).id } });

refusals("POST /v1/numbers", good, [
  { name: "no value", body: {}, status: 400, code: "parameter_missing", param: "value" },
  ...["", "112", "+1911", "+19005551234", "Bücher", "a".repeat(33)].map((value) => ({
    name: `the value ${JSON.stringify(value)}`,
    body: { value },
    status: 400,
    code: "parameter_invalid",
    param: "value",
  })),
  { name: "another kind", body: { value: "ACME", kind: "number" }, status: 400, code: "parameter_invalid", param: "kind" },
  { name: "a kind that is none", body: { value: "ACME", kind: "fax" }, status: 400, code: "parameter_invalid", param: "kind" },
  { name: "no channel", body: { value: "ACME", channels: [] }, status: 400, code: "parameter_invalid", param: "channels" },
  { name: "calls from a name", body: { value: "ACME", channels: ["call"] }, status: 400, code: "parameter_invalid", param: "channels" },
  { name: "no country", body: { value: "ACME", countries: [] }, status: 400, code: "parameter_invalid", param: "countries" },
  {
    name: "a country that is none",
    body: { value: "ACME", countries: ["US", "XX"] },
    status: 400,
    code: "parameter_invalid",
    param: "countries[1]",
  },
  {
    name: "a country in words",
    body: { value: "ACME", countries: ["China"] },
    status: 400,
    code: "parameter_invalid",
    param: "countries[0]",
  },
  {
    name: "a number that the project has",
    given: async (shop) => void (await requestNumber(app.ctx, shop, { value: "+14155552671" })),
    status: 400,
    code: "parameter_invalid",
    param: "value",
  },
  {
    name: "the hundred and first",
    given: async (shop) => {
      for (let at = 1; at <= 100; at += 1) await requestNumber(app.ctx, shop, { value: `N${at}` });
    },
    status: 400,
    code: "limit_reached",
  },
]);
refusals("GET /v1/numbers", () => ({}), [
  { name: "a cursor that names nothing", query: "after=num_x", status: 400, code: "invalid_cursor", param: "starting_after" },
  { name: "a state that is none", query: "status=lost", status: 400, code: "parameter_invalid", param: "status" },
  { name: "a kind that is none", query: "kind=fax", status: 400, code: "parameter_invalid", param: "kind" },
]);
refusals("GET /v1/numbers/:id", existing);
refusals("DELETE /v1/numbers/:id", existing);

test("a LIVE number is requested, decided on, reported, listed and removed", async () => {
  const shop = await app.tenant({ livemode: true });
  const api = app.api(shop.key);
  const made = await api.post("/v1/numbers", { value: "+14155552671", countries: ["US"], purpose: "Order updates" });
  expect(made.status, made.text).toBe(201);
  expect(made.body).toMatchObject({
    object: "number",
    value: "+14155552671",
    kind: "number",
    channels: ["sms", "call"],
    countries: ["US"],
    status: "requested",
  });
  const again = await api.post("/v1/numbers", { value: "+14155552671" });
  expect(again.body.error).toMatchObject({
    code: "parameter_invalid",
    existing_number_id: made.body.id,
    details: [{ reason: "number_exists" }],
  });
  await approveNumber(app.ctx, { id: made.body.id });
  await rejectNumber(app.ctx, { id: made.body.id, reason: "Complaints" });
  const one = await api.get(`/v1/numbers/${made.body.id}`);
  expect(one.body).toMatchObject({ status: "rejected", rejection_reason: "Complaints", version: 3 });
  expect((await api.get("/v1/numbers?status=rejected&kind=number")).body.data).toEqual([one.body]);
  expect((await api.get("/v1/numbers?status=approved")).body.data).toEqual([]);
  while ((await fanOut(app.ctx)) > 0);
  const events = (await api.get(`/api/v1/projects/${shop.project_id}/events`)).body.data;
  expect(events.map(({ event, data }: { event: string; data: { number: { status: string } } }) => [event, data.number.status])).toEqual([
    ["number.rejected", "rejected"],
    ["number.approved", "approved"],
  ]);
  expect((await api.delete(`/v1/numbers/${made.body.id}`)).body).toEqual({ id: made.body.id, object: "number", deleted: true });
  expect((await api.get(`/v1/numbers/${made.body.id}`)).status).toBe(404);
});

test("a key requests and removes what its permissions cover", async () => {
  const shop = await app.tenant();
  const [forCalls, forSms] = [
    app.api((await app.key(shop, ["calls:write"])).key),
    app.api((await app.key(shop, ["sms:write", "sms:read"])).key),
  ];
  const made = await forCalls.post("/v1/numbers", { value: "+14155552671" });
  expect(made).toMatchObject({ status: 201, body: { channels: ["call"] } });
  const lacking = (scope: string) => ({ status: 403, body: { error: { code: "permission_denied", required_scope: scope } } });
  expect(await forCalls.post("/v1/numbers", { value: "ACME" })).toMatchObject(lacking("sms:write"));
  expect(await forCalls.post("/v1/numbers", { value: "+14155552672", channels: ["sms", "call"] })).toMatchObject(lacking("sms:write"));
  expect(await forSms.get("/v1/numbers")).toMatchObject({ status: 200, body: { data: [{ id: made.body.id }] } });
  expect(await forCalls.get("/v1/numbers")).toMatchObject({ status: 403 });
  expect(await forSms.delete(`/v1/numbers/${made.body.id}`)).toMatchObject(lacking("calls:write"));
  expect((await forCalls.delete(`/v1/numbers/${made.body.id}`)).status).toBe(200);
});
