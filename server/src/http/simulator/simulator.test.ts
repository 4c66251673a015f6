import { describe, expect, test } from "vitest";
import { chooseAccounts, createCredential, createDemo } from "#gateways/index.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { choose, demoGateways, gatewayNames, orderNow, startDemoPayment } from "#test/support/gateways/simulated/demo-shop.ts";
import { demoAccountsOf, expectSimulated, watchedShop } from "#test/support/gateways/simulated/first-payment.ts";
import { visitor } from "#test/support/people/visitors.ts";

const { app, delivered } = await watchedShop();
const { ctx } = app;
const rowsOf = (sql: string, ...values: unknown[]) => runStatement(ctx.db, sql, ...values);
const credentials = (tenant: TestTenant) => demoAccountsOf(app, tenant);
const [stripe = "", paypal = "", mollie = "", wechat = ""] = gatewayNames;

// Two that differ most: one redirects, the other shows a code. The others are in the long form.
test.each([stripe, wechat])("%s, without a setup in TEST, is simulated as soon as a payment uses it", (gateway) =>
  expectSimulated({ app, delivered }, gateway),
);

test("two concurrent first payments create one demo account, and a repeated request with its key gets the same response", async () => {
  const shop = await app.tenant();
  const pay = (reference: string, key: string) =>
    app.api(shop.key).call("POST", `/api/v1/projects/${shop.project_id}/gateways/${mollie}/payments`, {
      body: { reference, amount_minor: 900, currency: "EUR" },
      headers: { "idempotency-key": key },
    });
  const [one, other] = await Promise.all([pay("INV-1", "first"), pay("INV-2", "second")]);
  expect([one.status, other.status]).toEqual([201, 201]);
  expect(await credentials(shop)).toHaveLength(1);
  expect(await pay("INV-1", "first")).toMatchObject({ status: 201, body: one.body });
});

test("a gateway that can't be simulated where this server is reached is treated as one that isn't set up", async () => {
  const plain = await testApp({ gateways: demoGateways, publicUrl: "http://192.0.2.7:8080" });
  const shop = await plain.tenant();
  const pay = (gateway: string) =>
    plain
      .api(shop.key)
      .post(`/api/v1/projects/${shop.project_id}/gateways/${gateway}/payments`, { reference: gateway, amount_minor: 900, currency: "EUR" });
  expect(await pay(gatewayNames.at(-1) ?? "")).toMatchObject({ status: 409, body: { error: { code: "gateway_not_configured" } } });
  expect((await pay(mollie)).status).toBe(201);
});

test("callbacks of a simulated provider use the same route as real ones, signed: a changed byte is refused there", async () => {
  const shop = await app.tenant();
  const payment = await startDemoPayment(app, shop, stripe);
  delivered.length = 0;
  await choose(app, payment.page, "paid");
  const [callback] = delivered;
  const raw = callback?.raw ?? { path: "", headers: {}, body: Buffer.alloc(0) };
  const post = (body: string, path = raw.path) => app.api().call("POST", path, { headers: { ...raw.headers }, payload: body });
  expect(await post(raw.body.toString())).toMatchObject({ status: 200 });
  expect((await post(raw.body.toString().replace("9900", "9901"))).status).toBe(400);
  const stored = await rowsOf("select outcome from gateway_callbacks where credential_id = ?", payment.account);
  expect(new Set(stored.map(({ outcome }) => outcome))).toEqual(new Set(["applied"]));
});

test("the page is in the reader's language, loads nothing, and needs no credentials of the provider's API", async () => {
  const payment = await startDemoPayment(app, await app.tenant(), stripe);
  const page = await app.api().get(payment.page, { headers: { "accept-language": "zh-CN,zh;q=0.9" } });
  expect(page.text).toContain('<html lang="zh-CN" dir="ltr">');
  expect(page.text).toContain("不会真实扣款");
  expect(page.text).toContain('<link rel="icon" href="data:image/svg+xml,');
  expect(page.headers["content-security-policy"]).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
  );
  expect(page.headers).toMatchObject({
    "x-robots-tag": "noindex, nofollow",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
  });
});

const shopOfUnpaid = await app.tenant();
let unpaid: ReturnType<typeof startDemoPayment> | undefined;

test.each([
  ["an outcome that there is none of", (page: string) => choose(app, page, "jackpot"), 409],
  ["no outcome", (page: string) => choose(app, page, ""), 409],
  ["the provider's API", (page: string) => app.api().get(`${page.split("/c/pay/")[0]}/v1/account`), 404],
  ["another account", (page: string) => app.api().get(page.replace(/gc_\w+/, "gc_00000000000000000000000000")), 404],
  ["another payment", (page: string) => app.api().get(`${page}x`), 404],
  ["a form of another kind", (page: string) => app.api().post(page, { outcome: "paid" }), 415],
])("%s pays nothing", async (_what, ask, status) => {
  const payment = await (unpaid ??= startDemoPayment(app, shopOfUnpaid, stripe));
  expect((await ask(payment.page)).status).toBe(status);
  expect((await orderNow(app, shopOfUnpaid, payment.order_id)).status).toBe("unpaid");
});

test("a client that sends endless requests is slowed down, as on payment links", async () => {
  const strict = await testApp({ gateways: demoGateways, http: { perMinuteLinkReadsPerAddress: 3 } });
  const statuses: number[] = [];
  for (let count = 0; count < 4; count += 1) statuses.push((await strict.api().get("/simulator/gc_1/c/pay/x")).status);
  expect(statuses).toEqual([404, 404, 404, 429]);
});

describe("a demo account", () => {
  const path = ({ project_id }: TestTenant, gateway = stripe) => `/api/v1/projects/${project_id}/gateways/${gateway}/credentials`;
  const owner = async (shop: TestTenant) => (await visitor(app, { merchant_id: shop.merchant_id })).in(shop.livemode ? "live" : "test");

  test("is added by a person, once, and shows no secret", async () => {
    const shop = await app.tenant();
    const person = await owner(shop);
    const made = await person.post(path(shop), { demo: true, label: "Try it" });
    expect(made).toMatchObject({ status: 201, body: { demo: true, label: "Try it", status: "checked", livemode: false } });
    expect(Object.values(made.body.fields)).toEqual([expect.objectContaining({ value: null }), expect.objectContaining({ value: null })]);
    expect(await person.post(path(shop), { demo: true })).toMatchObject({ status: 200, body: { id: made.body.id } });
    expect(await person.post(`${path(shop)}/${made.body.id}/check`, undefined)).toMatchObject({ status: 200, body: { status: "checked" } });
  });

  test("has its calls listed like any account's", async () => {
    const shop = await app.tenant();
    const payment = await startDemoPayment(app, shop, stripe);
    const listed = await (await owner(shop)).get(`${path(shop)}/${payment.account}/attempts`);
    expect(listed, listed.text).toMatchObject({
      status: 200,
      body: { data: [{ verb: "create", outcome: "succeeded", exchanges: [{ status: 200 }] }] },
    });
  });

  test.each([
    ["with fields", "POST", { demo: true, fields: { secret_key: "sk_test_1" } }],
    ["and given fields later", "PATCH", { fields: { secret_key: `sk_test_${"a".repeat(40)}` } }],
  ])("%s is refused", async (_what, method, body) => {
    const shop = await app.tenant();
    const { credential } = await createDemo(ctx, shop, { gateway: stripe });
    const at = method === "POST" ? path(shop) : `${path(shop)}/${credential.id}`;
    expect(await (await owner(shop)).call(method, at, { body })).toMatchObject({
      status: 400,
      body: { error: { code: "parameter_conflict", param: "fields" } },
    });
  });

  test("is replaced as soon as the gateway has a real account, and no payment creates one next to that", async () => {
    const shop = await app.tenant();
    const { credential } = await createDemo(ctx, shop, { gateway: stripe });
    const accounts = async () =>
      (await chooseAccounts(ctx, shop, { gateway: stripe, amount: { amount_minor: 900, currency: "EUR" }, key: "ord_1" })).map(
        ({ id }) => id,
      );
    expect(await accounts()).toEqual([credential.id]);
    const fields = { secret_key: `sk_test_${"a".repeat(40)}`, webhook_secret: `whsec_${"b".repeat(32)}` };
    const real = await createCredential(ctx, shop, { gateway: stripe, fields });
    expect(await accounts()).toEqual([real.id]);
    const listed = (await app.api(shop.key).get(`/api/v1/projects/${shop.project_id}/gateways`)).body.data;
    expect(listed.find(({ slug }: { slug: string }) => slug === stripe)).toMatchObject({ demo: false, enabled: true, accounts: 2 });
    await rowsOf("update gateway_credentials set enabled = false where id = ?", real.id);
    expect(await accounts()).toEqual([]);
    const off = (await app.api(shop.key).get(`/api/v1/projects/${shop.project_id}/gateways`)).body.data;
    expect(off.find(({ slug }: { slug: string }) => slug === stripe)).toMatchObject({ enabled: false });
  });
});

describe("LIVE never uses a simulated provider:", () => {
  const live = () => app.tenant({ livemode: true });

  test("no demo account is added there", async () => {
    const shop = await live();
    const person = (await visitor(app, { merchant_id: shop.merchant_id })).in("live");
    const answer = await person.post(`/api/v1/projects/${shop.project_id}/gateways/${stripe}/credentials`, { demo: true });
    expect(answer).toMatchObject({ status: 403, body: { error: { code: "environment_mismatch" } } });
    await expect(createDemo(ctx, shop, { gateway: stripe })).rejects.toMatchObject({ code: "environment_mismatch" });
    expect(await credentials(shop)).toEqual([]);
  });

  test("no payment creates one", async () => {
    const shop = await live();
    const body = { reference: "INV-live", amount_minor: 900, currency: "EUR" };
    const answer = await app.api(shop.key).post(`/api/v1/projects/${shop.project_id}/gateways/${stripe}/payments`, body);
    expect(answer).toMatchObject({ status: 409, body: { error: { code: "gateway_not_configured" } } });
    expect(await credentials(shop)).toEqual([]);
  });

  test("the database accepts neither a demo account nor a document of one", async () => {
    const [shop, test] = [await live(), await app.tenant()];
    const { credential } = await createDemo(ctx, test, { gateway: stripe });
    const moved = rowsOf("update gateway_credentials set livemode = true, project_id = ? where id = ?", shop.project_id, credential.id);
    await expect(moved).rejects.toThrow(/gateway_credentials_demo_in_test/);
    const copied = rowsOf("update gateway_demo_documents set livemode = true where credential_id = ?", credential.id);
    await expect(copied).rejects.toThrow(/gateway_demo_documents_in_test/);
  });

  test("a simulated account's credentials open nothing there: the real provider is queried", async () => {
    const [shop, test] = [await live(), await app.tenant()];
    const made = new Map<string, string>();
    for (const gateway of [stripe, paypal, mollie, wechat]) {
      const adapter = ctx.gateways.find(gateway);
      const simulator = await adapter?.simulator();
      const rows = await rowsOf("select 1 from gateway_credentials where project_id = ? and gateway = ?", test.project_id, gateway);
      expect(rows).toEqual([]);
      const { memoryDocuments } = await import("#gateways/index.ts");
      const token = (length: number) => "a1B2".repeat(length).slice(0, length);
      const world = { origin: "https://simulator.test", now: ctx.now, token, documents: memoryDocuments(), send: async () => {} };
      const fields = (await simulator?.openAccount(world, "shop")) ?? {};
      const saved = await createCredential(ctx, shop, { gateway, fields }).then(
        ({ demo, status }) => `${demo} ${status}`,
        (error: { code: string }) => error.code,
      );
      made.set(gateway, saved);
    }
    // Keys that tell their environment are refused as TEST ones; the others are checked with their provider, which this test can't reach.
    expect(Object.fromEntries(made)).toEqual({
      [stripe]: "parameter_invalid",
      [paypal]: "false unchecked",
      [mollie]: "parameter_invalid",
      [wechat]: "false unchecked",
    });
    const attempts = await rowsOf("select exchanges from gateway_attempts where project_id = ? and livemode", shop.project_id);
    expect(JSON.stringify(attempts)).not.toContain("/simulator/");
  });

  test("its page doesn't exist for an account that isn't simulated", async () => {
    const fields = (mode: string) => ({ secret_key: `sk_${mode}_${"a".repeat(40)}`, webhook_secret: `whsec_${"b".repeat(32)}` });
    for (const livemode of [true, false]) {
      const shop = await app.tenant({ livemode });
      const { id } = await createCredential(ctx, shop, { gateway: stripe, fields: fields(livemode ? "live" : "test") });
      expect((await app.api().get(`/simulator/${id}/c/pay/cs_test_1`)).status).toBe(404);
      expect((await choose(app, `/simulator/${id}/c/pay/cs_test_1`, "paid")).status).toBe(404);
    }
  });

  test("its callbacks are refused by a LIVE account", async () => {
    const [shop, test] = [await live(), await app.tenant()];
    const fields = { secret_key: `sk_live_${"a".repeat(40)}`, webhook_secret: `whsec_${"b".repeat(32)}` };
    const { id } = await createCredential(ctx, shop, { gateway: stripe, fields });
    const payment = await startDemoPayment(app, test, stripe);
    delivered.length = 0;
    await choose(app, payment.page, "paid");
    const raw = delivered[0]?.raw ?? { headers: {}, body: Buffer.alloc(0) };
    const answer = await app
      .api()
      .call("POST", `/api/payments/${stripe}/webhook/${id}`, { headers: { ...raw.headers }, payload: raw.body });
    expect(answer.status).toBe(400);
    expect(await rowsOf("select id from gateway_callbacks where credential_id = ?", id)).toEqual([]);
  });
});
