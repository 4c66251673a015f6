import { describe, expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { fingerprintDatabase } from "#test/support/database/whole-database.sql.ts";
import { type GatewayShop, keyedShops } from "#test/support/gateways/scripted/gateway-shop.ts";
import { payingGateway, type SentCallback } from "#test/support/gateways/scripted/paying-gateway.ts";
import { findOrderRow } from "../rows/orders.sql.ts";

const gateway = payingGateway();
const app = await testApp({ gateways: { adapters: [gateway.adapter] }, http: { perMinuteUnauthenticated: 100_000 } });
const { ctx } = app;

const { open, send } = keyedShops(app);
const other = await open();
const straysOf = (credential: string) =>
  runStatement<{ reason: string; body: string }>(
    ctx.db,
    "select reason, convert_from(body, 'UTF8') as body from gateway_strays where credential_id = ?",
    credential,
  );
const deleteStrays = () => runStatement(ctx.db, "delete from gateway_strays");
const orderOf = (shop: GatewayShop, id: string) => findOrderRow(ctx.db, shop.tenant, id);

describe("a callback that isn't accepted changes nothing and gets a response", () => {
  const forged: { name: string; change: (real: SentCallback) => SentCallback; status: number; reason: string }[] = [
    {
      name: "no signature",
      change: ({ payload }) => ({ headers: { "content-type": "application/json" }, payload }),
      status: 401,
      reason: "malformed",
    },
    { name: "an empty signature", change: (real) => signed(real, ""), status: 401, reason: "signature" },
    { name: "a short signature", change: (real) => signed(real, "ab12"), status: 401, reason: "signature" },
    {
      name: "the signature of another body",
      change: (real) => ({ ...real, payload: real.payload.replace("9900", "9901") }),
      status: 401,
      reason: "signature",
    },
    {
      name: "a body that was written anew",
      change: (real) => ({ ...real, payload: JSON.stringify(JSON.parse(real.payload), null, 1) }),
      status: 401,
      reason: "signature",
    },
    { name: "a signature by another key", change: (real) => signed(real, "f".repeat(64)), status: 401, reason: "signature" },
    { name: "bytes that are no callback", change: (real) => ({ ...real, payload: "%PDF-1.7" }), status: 401, reason: "malformed" },
    { name: "nothing at all", change: () => ({ headers: {}, payload: "" }), status: 401, reason: "malformed" },
  ];

  test.each(forged)("$name", async ({ change, status, reason }) => {
    const shop = await open();
    const { order, session } = await shop.started();
    gateway.pay(session.id);
    const before = await orderOf(shop, order.id);
    const sent = change(gateway.callback(session.id));
    expect(await send(shop.credential, sent)).toMatchObject({ status });
    expect(await orderOf(shop, order.id)).toEqual(before);
    expect(await straysOf(shop.credential)).toMatchObject([{ reason, body: sent.payload }]);
  });

  const strays: {
    name: string;
    to: (shop: { credential: string }) => string | null;
    change?: (real: SentCallback) => SentCallback;
    on?: string;
  }[] = [
    { name: "an account that doesn't exist", to: () => "gc_00000000000000000000000000" },
    { name: "a gateway that doesn't exist", to: ({ credential }) => credential, on: "nopay" },
    { name: "a gateway that is another account's", to: ({ credential }) => credential, on: "wechatpay" },
    {
      name: "the shared address, with an account and a payment of two shops",
      to: () => null,
      change: (real) => ({ ...real, payload: real.payload.replace(/"account":"[^"]+"/, `"account":"${other.key}"`) }),
    },
    { name: "the shared address, with nothing that is known", to: () => null, change: (real) => ({ ...real, payload: "{}" }) },
    ...[
      ["an account", "account"],
      ["a payment", "reference"],
    ].map(([what, name]) => ({
      name: `the shared address, with ${what} of characters that no database takes`,
      to: () => null,
      change: (real: SentCallback) => ({ ...real, payload: JSON.stringify({ [String(name)]: "a\u0000\ud83d" }) }),
    })),
  ];

  test.each(strays)("like every unknown URL: $name", async ({ to, change, on }) => {
    const shop = await open();
    const { order, session } = await shop.started();
    gateway.pay(session.id);
    const real = gateway.callback(session.id);
    const answer = await send(to(shop), change?.(real) ?? real, on);
    expect(answer).toMatchObject({ status: 404, body: { error: { code: "route_missing" } } });
    expect(await orderOf(shop, order.id)).toMatchObject({ status: "unpaid" });
  });

  test("for GET, and for a body that is too large", async () => {
    const shop = await open();
    expect(await app.api().get(`/api/payments/testpay/webhook/${shop.credential}`)).toMatchObject({ status: 405 });
    expect(await send(shop.credential, { headers: {}, payload: "x".repeat(257 * 1024) })).toMatchObject({ status: 413 });
  });

  test("and strays of one account don't displace those of another", async () => {
    const [quiet, flooded] = [await open(), await open()];
    await deleteStrays();
    for (const payload of ["one", "two"]) await send(quiet.credential, { headers: {}, payload });
    app.clock.advance(2_000_000);
    await runStatement(
      ctx.db,
      "insert into gateway_strays select 'gst_' || n, 'testpay', ?, 'malformed', '/', '{}', convert_to(repeat('x', 40000), 'UTF8'), app_now() - n * interval '1 second' from generate_series(1, 1200) n",
      flooded.credential,
    );
    for (const payload of ["last", "last of all"]) await send(flooded.credential, { headers: {}, payload });
    expect((await straysOf(quiet.credential)).map(({ body }) => body).sort()).toEqual(["one", "two"]);
    const strays = await straysOf(flooded.credential);
    expect(strays.map(({ body }) => body)).toEqual(expect.arrayContaining(["last", "last of all"]));
    expect(strays.length, "by their bytes").toBeLessThan(900);
    expect(strays.length).toBeGreaterThan(700);
    await deleteStrays();
  });

  test("and the whole database except the strays is as before", async () => {
    const shop = await open();
    const { session } = await shop.started();
    gateway.pay(session.id);
    const real = gateway.callback(session.id);
    await deleteStrays();
    const before = await fingerprintDatabase(ctx.db);
    for (const { change } of forged) await send(shop.credential, change(real));
    await deleteStrays();
    expect(await fingerprintDatabase(ctx.db)).toBe(before);
  });
});

const signed = (real: SentCallback, signature: string) => ({ ...real, headers: { ...real.headers, "x-testpay-signature": signature } });
