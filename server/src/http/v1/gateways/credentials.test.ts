import { describe, expect, test } from "vitest";
import { callGateway, openAccount } from "#gateways/index.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { scriptedGateway, scriptedProvider } from "#test/support/gateways/scripted/scripted-gateway.ts";
import { visitor } from "#test/support/people/visitors.ts";
import { refusalsIn } from "#test/support/refusals/refusals.ts";

const provider = await scriptedProvider();
const app = await testApp({ gateways: { adapters: [scriptedGateway()], urls: [`testpay=${provider.url}`] } });
const refusals = refusalsIn(app);
const path = "/api/v1/projects/:projectId/gateways/:slug/credentials";
const params = { slug: "testpay" };
const fieldsOf = ({ livemode }: Pick<TestTenant, "livemode">) => ({
  key: `tp_${livemode ? "live" : "test"}_1`,
  secret: "sk-very-secret-1",
});
const owners = new Map<string, Awaited<ReturnType<typeof visitor>>>();

async function ownerOf(shop: TestTenant) {
  const owner = owners.get(shop.merchant_id) ?? (await visitor(app, { merchant_id: shop.merchant_id }));
  owners.set(shop.merchant_id, owner);
  return owner.in(shop.livemode ? "live" : "test");
}
const baseOf = ({ project_id }: TestTenant, slug = "testpay") => path.replace(":projectId", project_id).replace(":slug", slug);
const made = async (shop: TestTenant, body: object = {}) => {
  const answer = await (await ownerOf(shop)).post(baseOf(shop), { fields: fieldsOf(shop), ...body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
};
const own = async (shop: TestTenant) => ({ params: { ...params, id: (await made(shop)).id } });
const stranger = {
  name: "a gateway that isn't there",
  params: { slug: "stranger", id: "gc_none" },
  status: 404,
  code: "gateway_not_found",
  param: "slug",
};

refusals("GET /api/v1/projects/:projectId/gateways/:slug/credentials", () => ({ params }), [
  stranger,
  { name: "a cursor that names nothing", query: "starting_after=gc_none", status: 400, code: "invalid_cursor", param: "starting_after" },
]);
refusals("POST /api/v1/projects/:projectId/gateways/:slug/credentials", (shop) => ({ params, body: { fields: fieldsOf(shop) } }), [
  stranger,
  { name: "no fields", body: {}, status: 400, code: "parameter_missing", param: "fields" },
  { name: "a field too few", body: { fields: { key: "tp_test_1" } }, status: 400, code: "parameter_missing", param: "fields.secret" },
  {
    name: "a key of the other environment",
    body: { fields: { key: "tp_live_1", secret: "s-1" } },
    status: 400,
    code: "parameter_invalid",
    param: "fields.key",
  },
  {
    name: "a field of another kind",
    body: { fields: { key: 1, secret: "s-1" } },
    status: 400,
    code: "parameter_invalid",
    param: "fields.key",
  },
  {
    name: "credentials that the provider refuses",
    body: { fields: { key: "tp_test_1", secret: "wrong-1" } },
    status: 400,
    code: "parameter_invalid",
    param: "fields",
  },
  {
    name: "fields beside demo",
    body: { demo: true, fields: { key: "tp_test_1" } },
    status: 400,
    code: "parameter_conflict",
    param: "fields",
  },
  { name: "a demo account in LIVE", tenant: { livemode: true }, body: { demo: true }, status: 403, code: "environment_mismatch" },
  { name: "a weight above 1 000", body: { fields: {}, weight: 1_001 }, status: 400, code: "parameter_invalid", param: "weight" },
]);
refusals("GET /api/v1/projects/:projectId/gateways/:slug/credentials/:id", own, [stranger]);
refusals(
  "PATCH /api/v1/projects/:projectId/gateways/:slug/credentials/:id",
  async (shop) => ({ ...(await own(shop)), body: { label: "x" } }),
  [
    stranger,
    { name: "an old version", headers: { "if-match": "7" }, status: 409, code: "version_conflict" },
    {
      name: "an overlap of eight days",
      body: { expire_old_in_seconds: 8 * 86_400 },
      status: 400,
      code: "parameter_invalid",
      param: "expire_old_in_seconds",
    },
    {
      name: "a currency that the gateway doesn't take",
      body: { currencies: ["USD"] },
      status: 400,
      code: "unsupported_currency",
      param: "currencies",
    },
  ],
);
refusals("DELETE /api/v1/projects/:projectId/gateways/:slug/credentials/:id", own, [
  stranger,
  { name: "an old version", headers: { "if-match": "7" }, status: 409, code: "version_conflict" },
]);
refusals("POST /api/v1/projects/:projectId/gateways/:slug/credentials/:id/check", own, [stranger]);
refusals("GET /api/v1/projects/:projectId/gateways/:slug/credentials/:id/attempts", own, [
  { name: "a cursor that names nothing", query: "starting_after=gat_none", status: 400, code: "invalid_cursor", param: "starting_after" },
  { name: "an outcome that is none", query: "outcome=fine", status: 400, code: "parameter_invalid", param: "outcome" },
]);

describe("an account", () => {
  test("shows its public fields, the ends of its secrets, and where callbacks go", async () => {
    const shop = await app.tenant();
    expect(await made(shop, { label: "Main", limits: { min_minor: 100 }, currencies: ["eur"] })).toMatchObject({
      ...{
        object: "gateway_credential",
        project_id: shop.project_id,
        livemode: false,
        gateway: "testpay",
        label: "Main",
        enabled: true,
        position: 1,
        weight: 100,
      },
      ...{
        limits: { min_minor: 100, max_minor: null },
        currencies: ["EUR"],
        status: "checked",
        account: "acct_1",
        account_name: "Corner Books",
      },
      fields: { key: { secret: false, value: "tp_test_1", last4: null }, secret: { secret: true, value: null, last4: "et-1" } },
      ...{
        webhook_url: expect.stringMatching(/^http:\/\/localhost:8080\/api\/payments\/testpay\/webhook\/gc_\w{26}$/),
        old_fields_until: null,
        paused_until: null,
      },
      version: 1,
    });
  });

  test("is changed, rotated, checked and removed by a person", async () => {
    const shop = await app.tenant();
    const owner = await ownerOf(shop);
    const { id } = await made(shop);
    const at = `${baseOf(shop)}/${id}`;
    expect((await owner.call("PATCH", at, { body: { enabled: false }, headers: { "if-match": "1" } })).body).toMatchObject({
      enabled: false,
      version: 2,
    });
    const rotated = await owner.call("PATCH", at, { body: { fields: { secret: "new-secret-22" }, expire_old_in_seconds: 3_600 } });
    expect(rotated.body).toMatchObject({ version: 3, old_fields_until: new Date(app.clock.now().getTime() + 3_600_000).toISOString() });
    expect((await owner.post(`${at}/check`, undefined)).body).toMatchObject({ status: "checked" });
    expect((await owner.get(baseOf(shop))).body).toMatchObject({ object: "list", data: [{ id, version: 3 }] });
    expect((await owner.call("DELETE", at)).body).toEqual({ id, object: "gateway_credential", deleted: true });
    expect((await owner.get(at)).status).toBe(404);
    expect((await owner.get(baseOf(shop))).body.data).toEqual([]);
  });

  test("is created once for one Idempotency-Key, and the stored response contains no secret", async () => {
    const shop = await app.tenant();
    const owner = await ownerOf(shop);
    const create = () => owner.call("POST", baseOf(shop), { body: { fields: fieldsOf(shop) }, headers: { "idempotency-key": "once" } });
    const [first, second] = [await create(), await create()];
    expect([first.status, second.status, second.body.id]).toEqual([201, 201, first.body.id]);
    expect(second.body).toEqual(first.body);
    expect((await owner.get(baseOf(shop))).body.data).toHaveLength(1);
  });
});

test("its calls are listed, and found by reference, verb and outcome", async () => {
  const shop = await app.tenant();
  const owner = await ownerOf(shop);
  const { id } = await made(shop);
  const query = async (reference: string) => {
    const opened = await openAccount(app.ctx, shop, id);
    return callGateway(app.ctx, { opened, verb: "query", reference }, (account, call) =>
      account.query(call, { reference, providerId: null }),
    );
  };
  await query("ps_1");
  provider.script({ status: 404, body: "none" });
  await expect(query("ps_2")).rejects.toMatchObject({ kind: "not_found" });
  const list = async (filter: string) => (await owner.get(`${baseOf(shop)}/${id}/attempts?${filter}`)).body.data;
  expect(await list("")).toMatchObject([
    {
      object: "gateway_attempt",
      credential_id: id,
      verb: "query",
      reference: "ps_2",
      attempt: 1,
      outcome: "not_found",
      code: "404",
      provider_request_id: "prov_1",
    },
    { verb: "query", reference: "ps_1", outcome: "succeeded", code: null, exchanges: [{ method: "GET", status: 200 }] },
    { verb: "check", reference: null, outcome: "succeeded", request_id: expect.stringMatching(/^req_/) },
  ]);
  for (const filter of ["reference=ps_2", "outcome=not_found&outcome=auth", "verb=query&limit=1"])
    expect(await list(filter)).toMatchObject([{ reference: "ps_2" }]);
});

test("the list of gateways shows how many accounts there are, whether one takes payments, and the form's fields", async () => {
  const shop = await app.tenant();
  const shown = async () => (await app.api(shop.key).get(`/api/v1/projects/${shop.project_id}/gateways`)).body.data.at(-1);
  expect(await shown()).toMatchObject({ slug: "testpay", configured: false, enabled: false, accounts: 0 });
  expect((await shown()).credential_fields.map(({ name, secret }: { name: string; secret: boolean }) => [name, secret])).toEqual([
    ["key", false],
    ["secret", true],
    ["certificate", true],
  ]);
  const { id } = await made(shop);
  expect(await shown()).toMatchObject({ configured: true, enabled: true, accounts: 1 });
  await (await ownerOf(shop)).call("PATCH", `${baseOf(shop)}/${id}`, { body: { enabled: false } });
  expect(await shown()).toMatchObject({ configured: true, enabled: false, accounts: 1 });
});

test("operators see how long calls take and how they end", async () => {
  const shop = await app.tenant();
  const server = await app.server();
  await made(shop);
  const { payload } = await server.inject({ url: "/metrics", remoteAddress: "127.0.0.1" });
  expect(payload).toMatch(/tillpost_gateway_call_seconds_count\{gateway="testpay",verb="check",outcome="succeeded"\} [1-9]/);
});
