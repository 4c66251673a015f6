import { expect, test } from "vitest";
import { createCredential } from "#gateways/index.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { scriptedGateway, scriptedProvider } from "#test/support/gateways/scripted/scripted-gateway.ts";
import { visitor } from "#test/support/people/visitors.ts";
import { peopleRefusalsIn } from "#test/support/refusals/people-refusals.ts";
import { refusalsIn } from "#test/support/refusals/refusals.ts";

const provider = await scriptedProvider();
const { manifest, ...adapter } = scriptedGateway();
const entered = {
  ...manifest,
  callbackPerPayment: false,
  callbackEntry: { field: "certificate", hints: { en: "Settings, then callbacks" } },
};
const noHint = { account: null, keyId: null, reference: null, providerId: null };
const app = await testApp({
  gateways: { adapters: [{ ...adapter, manifest: entered, hint: () => noHint }], urls: [`testpay=${provider.url}`] },
  http: { perMinuteUnauthenticated: 10_000 },
});
const refusals = refusalsIn(app);

async function accountIn(tenant: TestTenant) {
  const fields = { key: `tp_${tenant.livemode ? "live" : "test"}_1`, secret: "sk-very-secret-1" };
  return (await createCredential(app.ctx, tenant, { gateway: "testpay", fields })).id;
}
const existing = async (tenant: TestTenant) => ({ params: { slug: "testpay", id: await accountIn(tenant) } });
const stranger = {
  name: "a gateway that isn't there",
  params: { slug: "stranger", id: "gc_none" },
  status: 404,
  code: "gateway_not_found",
  param: "slug",
};
const noCursor = {
  name: "a cursor that names nothing",
  query: "starting_after=gst_none",
  status: 400,
  code: "invalid_cursor",
  param: "starting_after",
};
const noReason = { name: "a reason that is none", query: "reason=odd", status: 400, code: "parameter_invalid", param: "reason" };

refusals("GET /api/v1/projects/:projectId/gateways/:slug/credentials/:id/setup", existing, [stranger]);
refusals("GET /api/v1/projects/:projectId/gateways/:slug/credentials/:id/refused-callbacks", existing, [noCursor, noReason]);
peopleRefusalsIn(app)("GET /api/admin/refused-callbacks", () => ({}), [noCursor, noReason]);

async function open() {
  const tenant = await app.tenant();
  const owner = (await visitor(app, { merchant_id: tenant.merchant_id })).in("test");
  const id = await accountIn(tenant);
  const at = `/api/v1/projects/${tenant.project_id}/gateways/testpay/credentials/${id}`;
  const send = (payload: string, to = `/${id}`) =>
    app.api().call("POST", `/api/payments/testpay/webhook${to}`, { payload, headers: { "content-type": "text/plain" } });
  const found = async () => {
    const { body } = await owner.get(`${at}/setup`);
    const findings = body.findings as unknown as { name: string; reason: string; values: object }[];
    return { ...body, of: (name: string) => findings.find((one) => one.name === name) };
  };
  return { tenant, owner, id, at, send, found };
}

test("the setup shows what works, what is missing, and the outcome of its callbacks", async () => {
  const { owner, id, at, send, found } = await open();
  expect(await found()).toMatchObject({
    ...{ object: "gateway_setup", gateway: "testpay", credential_id: id, outcome: "problem", livemode: false },
    test_payment: { amount_minor: 50, currency: "EUR" },
    webhook_url: expect.stringMatching(new RegExp(`/api/payments/testpay/webhook/${id}$`)),
  });
  expect((await found()).of("callbacks")).toMatchObject({ outcome: "problem", reason: "field_missing", values: { field: "certificate" } });
  await owner.call("PATCH", at, { body: { fields: { certificate: "that of callbacks" }, expire_old_in_seconds: 0 } });
  expect((await found()).of("callbacks")).toMatchObject({ reason: "none_yet" });
  expect((await found()).of("address")).toMatchObject({ outcome: "attention", reason: "private_address", values: { host: "localhost" } });
  expect((await send("forged")).status).toBe(400);
  expect((await found()).of("callbacks")).toMatchObject({ outcome: "problem", reason: "refused", values: { refusal: "signature" } });
  app.clock.advance(1_000);
  expect((await send("sk-very-secret-1")).status).toBe(200);
  expect((await found()).of("callbacks")).toMatchObject({ outcome: "ok", reason: "received", values: { event: "paid" } });
  expect((await found()).of("address")).toMatchObject({ outcome: "ok", reason: "reached" });
});

test("a check queries the provider, and the setup then shows its response and how far its clock is from ours", async () => {
  const { owner, at, found } = await open();
  provider.script({ status: 401, body: "no such key", headers: { date: new Date(app.clock.now().getTime() + 90_000).toUTCString() } });
  await owner.post(`${at}/check`, undefined);
  const { of } = await found();
  expect(of("credentials")).toMatchObject({
    outcome: "problem",
    reason: "refused",
    values: { provider_message: expect.stringContaining("no such key") },
  });
  expect(of("clock")).toMatchObject({ outcome: "attention", reason: "behind", values: { seconds: expect.closeTo(90, -1) } });
  const { data } = (await owner.get(`${at}/attempts`)).body as unknown as { data: { exchanges: { clock_ahead_seconds: number }[] }[] };
  expect(data[0]?.exchanges[0]?.clock_ahead_seconds).toBeCloseTo(90, -1);
});

test("a callback that can't be read because the provider doesn't respond gets a failure, so that it is sent again, and is shown in the setup", async () => {
  const { owner, at, send, found } = await open();
  await owner.call("PATCH", at, { body: { fields: { certificate: "that of callbacks" } } });
  app.clock.advance(1_000);
  provider.down = true;
  const answer = await send("ask").finally(() => {
    provider.down = false;
  });
  expect(answer).toMatchObject({ status: 400, text: "failed" });
  expect((await found()).of("callbacks")).toMatchObject({ outcome: "attention", reason: "unread" });
  expect((await owner.get(`${at}/refused-callbacks`)).body.data).toEqual([]);
});

test("refused callbacks are shown to the account's people with their reason, and those without an owner only to operators", async () => {
  const { owner, at, id, send } = await open();
  await send("forged with card 4242 4242 4242 4242");
  expect((await send("nobody expects this", "/gc_00000000000000000000000000")).status).toBe(404);
  const own = (await owner.get(`${at}/refused-callbacks`)).body.data as unknown as { body: string }[];
  expect(own).toMatchObject([
    { object: "refused_callback", gateway: "testpay", credential_id: id, reason: "signature", bytes: 36, truncated: false },
  ]);
  expect(own[0]?.body).not.toContain("4242 4242");
  expect((await owner.get(`${at}/refused-callbacks?reason=stale`)).body.data).toEqual([]);
  const operator = await visitor(app, { is_operator: true });
  const strays = (await operator.api.get("/api/admin/refused-callbacks?reason=nobody&limit=1")).body.data;
  expect(strays).toMatchObject([{ credential_id: null, reason: "nobody", body: "nobody expects this" }]);
});

test("the list of gateways shows where an account's callback URL is entered, and an account when it last worked", async () => {
  const { tenant, owner, at } = await open();
  const listed = (await app.api(tenant.key).get(`/api/v1/projects/${tenant.project_id}/gateways`)).body.data.at(-1);
  expect(listed).toMatchObject({ slug: "testpay", callback_entry: { field: "certificate", hints: { en: "Settings, then callbacks" } } });
  expect((await owner.get(at)).body).toMatchObject({ last_success_at: app.clock.now().toISOString() });
});
