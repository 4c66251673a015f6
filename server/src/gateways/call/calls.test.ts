import { beforeEach, describe, expect, test } from "vitest";
import type { Ctx, Tenant } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { type ScriptedReply, scriptedGateway, scriptedProvider } from "#test/support/gateways/scripted/scripted-gateway.ts";
import { changeCredential } from "../account/change-credential.ts";
import { type CredentialInput, createCredential } from "../account/create-credential.ts";
import { findCredential } from "../account/find-credential.ts";
import { recheckCredentials } from "../account/recheck-credentials.ts";
import { tidyGateways } from "../account/tidy-gateways.ts";
import { GatewayError } from "../gateway-error.ts";
import type { NewGatewayPayment } from "../port.ts";
import type { ObservedCall } from "../registry.ts";
import { callbackUrl } from "../rows/callback-url.ts";
import { callGateway } from "./call-gateway.ts";
import { chooseAccounts } from "./choose-accounts.ts";
import { listAttempts } from "./list-attempts.ts";
import { openAccount } from "./open-account.ts";

const waited: number[] = [];
const provider = await scriptedProvider();
const wait = async (ms: number) => void waited.push(ms);
const { ctx, clock, tenant } = await testApp({ gateways: { adapters: [scriptedGateway()], urls: [`testpay=${provider.url}`], wait } });
const gateway = "testpay";
beforeEach(() => {
  waited.length = 0;
  provider.received.length = 0;
  provider.down = false;
  provider.script();
});

const account = (shop: Tenant, more: Partial<CredentialInput> = {}) =>
  createCredential(ctx, shop, { gateway, fields: { key: "tp_test_1", secret: "sk-very-secret-1" }, ...more });
const attemptsOf = async (shop: Tenant, credential_id: string) =>
  (await listAttempts(ctx, shop, { gateway, credential_id, outcome: null, verb: null, reference: null, limit: 100 })).rows;

async function opened() {
  const shop = await tenant();
  const { id } = await account(shop);
  provider.received.length = 0;
  const open = () => openAccount(ctx, shop, id);
  const found = () => findCredential(ctx, shop, { gateway, id });
  const query = async (on: Ctx = ctx) =>
    callGateway(on, { opened: await open(), verb: "query", reference: "ps_1" }, (one, call) =>
      one.query(call, { reference: "ps_1", providerId: null }),
    );
  const verify = async (body: string) =>
    callGateway(ctx, { opened: await open(), verb: "verify", reference: null }, (one, call) =>
      one.verify(call, { method: "POST", path: "/", headers: {}, body: Buffer.from(body), receivedAt: ctx.now() }),
    );
  return { shop, id, open, found, query, verify };
}

describe("a call", () => {
  test("is carried out once if the provider responds, and is logged", async () => {
    const { shop, id, query } = await opened();
    expect(await query()).toMatchObject({ reference: "ps_1" });
    const [attempt] = await attemptsOf(shop, id);
    expect(attempt).toMatchObject({
      verb: "query",
      reference: "ps_1",
      try: 1,
      outcome: "succeeded",
      code: null,
      message: null,
      created_at: ctx.now(),
    });
    expect(attempt?.exchanges).toMatchObject([
      { method: "GET", url: `${new URL(provider.url).host}/payments/ps_1`, status: 200, error_code: null },
    ]);
  });

  test.each<[string, ScriptedReply, number[]]>([
    ["hangs up", "hang_up", [250, 1_000]],
    ["is overloaded", { status: 503 }, [250, 1_000]],
    ["wants fewer calls", { status: 429 }, [250, 1_000]],
    ["says how soon it wants to be asked again", { status: 429, headers: { "retry-after": "2" } }, [2_000, 2_000]],
  ])("is repeated twice if the provider %s", async (_what, reply, waits) => {
    const { shop, id, query } = await opened();
    provider.script(reply, reply);
    expect(await query()).toMatchObject({ reference: "ps_1" });
    expect([provider.received.length, waited]).toEqual([3, waits]);
    const [last] = await attemptsOf(shop, id);
    expect(last).toMatchObject({ try: 3, outcome: "succeeded" });
    provider.script(reply, reply, reply, reply);
    await expect(query()).rejects.toBeInstanceOf(GatewayError);
    expect(provider.received).toHaveLength(6);
  });

  test.each<[string, ScriptedReply, string]>([
    ["refuses", { status: 402, body: "no funds" }, "invalid"],
    ["knows no such payment", { status: 404 }, "not_found"],
    ["refuses the credentials", { status: 401 }, "auth"],
    ["wants to be left alone for longer than anybody waits", { status: 429, headers: { "retry-after": "60" } }, "rate_limited"],
  ])("isn't repeated if the provider %s", async (_what, reply, kind) => {
    const { query } = await opened();
    provider.script(reply);
    await expect(query()).rejects.toMatchObject({ kind });
    expect([provider.received.length, waited]).toEqual([1, []]);
  });

  test("repeats with the same reference, also if the outcome is unknown", async () => {
    const { open } = await opened();
    provider.script("hang_up");
    const payment = { reference: "ps_9", amount: { amount_minor: 100, currency: "EUR" } } as NewGatewayPayment;
    const made = await callGateway(ctx, { opened: await open(), verb: "create", reference: "ps_9" }, (one, call) =>
      one.create(call, payment),
    );
    expect(made.reference).toBe("ps_9");
    expect(provider.received.map(({ method }) => method)).toEqual(["POST", "POST"]);
  });

  test("leaves no secret in its log, wherever the provider repeats it", async () => {
    const { shop, id, open } = await opened();
    provider.script({ status: 400, body: 'no: "sk-very-secret-1", sk-very-secret-1; card 4111111111111111' });
    const payment = { reference: "ps_9" } as NewGatewayPayment;
    const create = callGateway(ctx, { opened: await open(), verb: "create", reference: "ps_9" }, (one, call) => one.create(call, payment));
    await expect(create).rejects.toMatchObject({ kind: "invalid" });
    const [attempt] = await attemptsOf(shop, id);
    expect(attempt).toMatchObject({ outcome: "invalid", code: "400", provider_request_id: "prov_1" });
    expect(attempt?.message).toMatch(/^The provider refused with no: "…", …; card /);
    expect(JSON.stringify(attempt)).not.toMatch(/very-secret|4111111111111111|secret=/);
    expect(attempt?.exchanges[0]?.url).toBe(`${new URL(provider.url).host}/payments`);
  });

  test("whose adapter throws an unexpected error has an unknown outcome, and isn't repeated", async () => {
    const { open } = await opened();
    let calls = 0;
    const broken = async () => {
      calls += 1;
      throw new TypeError("x is undefined");
    };
    await expect(callGateway(ctx, { opened: await open(), verb: "create", reference: "ps_1" }, broken)).rejects.toMatchObject({
      kind: "unknown_outcome",
      code: "fault",
    });
    expect(calls).toBe(1);
  });

  test("is returned as it came, even if it can't be recorded", async () => {
    const { query } = await opened();
    const away: Ctx = { ...ctx, transactUnclaimed: () => Promise.reject(Object.assign(new Error("no"), { code: "ECONNREFUSED" })) };
    expect(await query(away)).toMatchObject({ reference: "ps_1" });
  });

  test("that sends no request leaves no row", async () => {
    const { shop, id, verify } = await opened();
    expect(await verify("sk-very-secret-1")).toMatchObject({ ok: true });
    expect(await attemptsOf(shop, id)).toHaveLength(1);
  });

  test("is reported to listeners for metrics, with its outcome", async () => {
    const { query } = await opened();
    const observed: ObservedCall[] = [];
    const stop = ctx.gateways.onCall((one) => void observed.push(one));
    provider.script({ status: 503 });
    await query();
    stop();
    expect(observed).toMatchObject([
      { gateway, verb: "query", outcome: "unavailable" },
      { gateway, verb: "query", outcome: "succeeded" },
    ]);
  });

  test("remembers what its adapter caches, only for this account and these fields", async () => {
    const { shop, id, open } = await opened();
    const others = await opened();
    const keep = async (from: typeof open, value: string | null) =>
      callGateway(ctx, { opened: await from(), verb: "query", reference: null }, async (_one, { cache }) => {
        if (value !== null) cache.set("token", value, 60);
        return cache.get("token");
      });
    await keep(open, "t-1");
    expect([await keep(open, null), await keep(others.open, null)]).toEqual(["t-1", null]);
    await changeCredential(ctx, shop, { gateway, id, if_version: null, fields: { secret: "new-secret-2" } });
    expect(await keep(open, null)).toBeNull();
    await keep(open, "t-2");
    clock.advance(60_000);
    expect(await keep(open, null)).toBeNull();
  });
});

describe("an account whose provider doesn't respond", () => {
  test("isn't called for a while, longer each time, and is healthy again with the first response", async () => {
    const { found, query } = await opened();
    provider.down = true;
    for (let call = 0; call < 4; call += 1) await expect(query()).rejects.toMatchObject({ kind: "unavailable" });
    const requestCount = provider.received.length;
    expect(await found()).toMatchObject({ is_paused: true, breaker_until: new Date(ctx.now().getTime() + 30_000) });
    await expect(query()).rejects.toMatchObject({ kind: "unavailable", code: "breaker_open" });
    expect(provider.received).toHaveLength(requestCount);
    clock.advance(30_000);
    await expect(query()).rejects.toMatchObject({ kind: "unavailable" });
    expect((await found()).breaker_until).toEqual(new Date(ctx.now().getTime() + 60_000));
    clock.advance(60_000);
    provider.down = false;
    await query();
    expect(await found()).toMatchObject({ is_paused: false, consecutive_failures: 0, failing_since: null, breaker_until: null });
  });

  test("still has its callbacks verified during that time, and other accounts are called as usual", async () => {
    const { query, verify } = await opened();
    const other = await opened();
    provider.down = true;
    for (let call = 0; call < 4; call += 1) await expect(query()).rejects.toBeInstanceOf(GatewayError);
    provider.down = false;
    await verify("ask");
    expect(provider.received.at(-1)?.path).toBe("/certificates");
    expect(await other.query()).toMatchObject({ reference: "ps_1" });
  });

  test("keeps its breaker closed if the provider refuses: that is a response", async () => {
    const { found, query } = await opened();
    for (let call = 0; call < 25; call += 1) {
      provider.script({ status: 404 });
      await expect(query()).rejects.toMatchObject({ kind: "not_found" });
    }
    expect((await found()).is_paused).toBe(false);
  });
});

test("credentials that are refused in a call are checked immediately, and no more payments go there", async () => {
  while ((await recheckCredentials(ctx)) > 0);
  const { shop, found, query } = await opened();
  const choose = () => chooseAccounts(ctx, shop, { gateway, amount: { amount_minor: 100, currency: "EUR" }, key: "ord_1" });
  provider.script({ status: 401 });
  await expect(query()).rejects.toMatchObject({ kind: "auth" });
  expect(await found()).toMatchObject({ status: "unchecked" });
  expect(await choose()).toHaveLength(1);
  provider.script({ status: 401, body: "revoked" });
  expect(await recheckCredentials(ctx)).toBe(1);
  expect(await found()).toMatchObject({ status: "failed" });
  expect(await choose()).toEqual([]);
});

describe("payments go", () => {
  const choose = (shop: Tenant, { amount_minor = 100, currency = "EUR", key = "ord_1" } = {}) =>
    chooseAccounts(ctx, shop, { gateway, amount: { amount_minor, currency }, key });

  test("to the lowest position first, and nowhere that is off, refused, out of bounds or not responding", async () => {
    const shop = await tenant();
    const [second, first, off, refused, small, large, paused, third] = await Promise.all(
      [
        { position: 2 },
        { position: 1 },
        { enabled: false },
        {},
        { limits: { max_minor: 99 } },
        { limits: { min_minor: 101 } },
        {},
        { position: 3, currencies: ["EUR"], limits: { min_minor: 100, max_minor: 100 } },
      ].map((more) => account(shop, more)),
    );
    await runStatement(ctx.db, "update gateway_credentials set status = 'failed' where id = ?", refused?.id);
    await runStatement(ctx.db, "update gateway_credentials set breaker_until = app_now() + interval '1 second' where id = ?", paused?.id);
    expect((await choose(shop)).map(({ id }) => id)).toEqual([first?.id, second?.id, third?.id]);
    expect([off, small, large]).not.toContain(undefined);
  });

  test.each([
    ["too small for the gateway", { amount_minor: 49 }],
    ["too large for the gateway", { amount_minor: 1_000_001 }],
    ["of a currency that it doesn't take", { currency: "USD" }],
  ])("nowhere if they are %s", async (_what, more) => {
    const shop = await tenant();
    await account(shop);
    expect(await choose(shop, more)).toEqual([]);
  });

  test("to accounts of one position in proportion to their weights, always the same one for the same order", async () => {
    const shop = await tenant();
    const [heavy, light, spare] = [
      await account(shop, { position: 1, weight: 300 }),
      await account(shop, { position: 1 }),
      await account(shop, { position: 1, weight: 0 }),
    ];
    const firsts = new Map<string, number>();
    for (let order = 0; order < 200; order += 1) {
      const chosen = await choose(shop, { key: `ord_${order}` });
      expect(chosen.at(-1)?.id).toBe(spare?.id);
      firsts.set(chosen[0]?.id ?? "", (firsts.get(chosen[0]?.id ?? "") ?? 0) + 1);
    }
    expect(firsts.get(heavy?.id ?? "")).toBeGreaterThan(120);
    expect(firsts.get(light?.id ?? "")).toBeGreaterThan(20);
    expect(await choose(shop, { key: "ord_1" })).toEqual(await choose(shop, { key: "ord_1" }));
  });
});

test("attempts are deleted after 30 days", async () => {
  const { shop, id, query } = await opened();
  await query();
  expect(await attemptsOf(shop, id)).toHaveLength(2);
  clock.advance(30 * 86_400_000 + 1);
  while ((await tidyGateways(ctx)) > 0);
  expect(await attemptsOf(shop, id)).toEqual([]);
});

test("the URL for an account's callbacks identifies it, without a query", async () => {
  expect(callbackUrl(ctx, { gateway, id: "gc_1" })).toBe("http://localhost:8080/api/payments/testpay/webhook/gc_1");
});
