import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { createApiKey, createKeyCache, listApiKeys, requireVerified, revokeApiKey } from "./index.ts";
import { findPrincipal } from "./keys/authenticate-key.ts";

const texts: string[] = [];
const app = await testApp({ probe: (text) => void texts.push(text) });
const { ctx, clock } = app;
const lookUps = () => texts.filter((text) => text.includes("from api_keys")).length;

test("a key with a typing error is refused without querying the database", async () => {
  const { key } = await app.tenant();
  const before = texts.length;
  const wrong = [
    `${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`,
    key.toLowerCase(),
    `${key}a`,
    key.replace("test", "live"),
    "svc_test_",
    "",
  ];
  for (const text of wrong) await expect(findPrincipal(ctx, text)).rejects.toMatchObject({ code: "api_key_invalid", status: 401 });
  expect(texts.length).toBe(before);
});

test("a database dump contains no key", async () => {
  const shop = await app.tenant();
  const rows = await runStatement<{ all: string }>(ctx.db, "select string_agg(k::text, ' ') as all from api_keys k");
  expect(rows[0]?.all).not.toContain(shop.key.slice(9, 39));
});

test("many requests with one key share one lookup, for ten seconds", async () => {
  const shop = await app.tenant();
  const keys = createKeyCache(ctx);
  const before = lookUps();
  await Promise.all(Array.from({ length: 50 }, () => keys.authenticate(shop.key)));
  clock.advance(9_999);
  await keys.authenticate(shop.key);
  expect(lookUps() - before).toBe(1);
  clock.advance(2);
  await keys.authenticate(shop.key);
  expect(lookUps() - before).toBe(2);
});

test("a refusal is remembered for three seconds", async () => {
  const shop = await app.tenant();
  await revokeApiKey(ctx, shop, { id: shop.key_id });
  const keys = createKeyCache(ctx);
  const before = lookUps();
  for (let n = 0; n < 3; n += 1)
    await expect((async () => keys.authenticate(shop.key))()).rejects.toMatchObject({ code: "api_key_revoked" });
  expect(lookUps() - before).toBe(1);
  clock.advance(3_001);
  await expect((async () => keys.authenticate(shop.key))()).rejects.toMatchObject({ code: "api_key_revoked" });
  expect(lookUps() - before).toBe(2);
});

test("the last use of a key is written in the background", async () => {
  const shop = await app.tenant();
  const keys = createKeyCache(ctx);
  await keys.authenticate(shop.key);
  keys.countFlatUse(await keys.authenticate(shop.key), "GET /api/v1/orders");
  await keys.flushUses();
  expect(await listApiKeys(ctx, shop)).toMatchObject([
    { id: shop.key_id, last_used_at: ctx.now(), status: "active", last4: shop.key.slice(-4) },
  ]);
  expect(await runStatement(ctx.db, "select uses from flat_path_uses where key_id = ?", shop.key_id)).toEqual([{ uses: 1 }]);
});

test("a key is shown once, and never to a replay", async () => {
  const shop = await app.tenant();
  const made = await createApiKey(ctx, { ...shop, name: "shop", permissions: ["orders:read", "orders:read"] });
  expect(made).toMatchObject({
    object: "api_key",
    environment: "test",
    permissions: ["orders:read"],
    prefix: "svc_test_",
    secret: expect.stringMatching(/^svc_test_/),
  });
  await expect(createApiKey(ctx, { ...shop, name: "x", permissions: ["orders:burn"] })).rejects.toMatchObject({
    code: "parameter_invalid",
  });
});

test("LIVE money waits for verification, TEST money does not", async () => {
  const shop = await app.tenant({ verified: false });
  await expect(requireVerified(ctx, shop)).resolves.toBeUndefined();
  await expect(requireVerified(ctx, { ...shop, livemode: true })).rejects.toMatchObject({ code: "merchant_not_verified", status: 403 });
});
