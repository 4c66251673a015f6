import { describe, expect, test } from "vitest";
import { createApiKey, listKeysWithoutReceipts, notifyLostReceipts } from "#identity/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { refuseRows } from "#test/support/database/refuse-rows.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { listNotices } from "#test/support/mail/notices.sql.ts";
import { visitor } from "#test/support/people/visitors.ts";

const app = await testApp();
const { ctx } = app;
const shop = await app.tenant({ livemode: true });
const owner = await visitor(app, { merchant_id: shop.merchant_id });
const keys = `/api/v1/projects/${shop.project_id}/api-keys`;
const live = owner.in("live");
const receipts = `/api/v1/projects/${shop.project_id}/receipts`;
const receipt = { channel: "wechat", amount_minor: 990, occurred_at: "2026-11-20T07:59:00Z", external_id: "1000049901202611201234567890" };
const teller = {
  name: "phone",
  permissions: ["receipts:write", "payments:read"],
  receiving_account: "wechat:main",
  allowed_ips: ["203.0.113.7"],
};

describe("a LIVE key that reports transfers", () => {
  const refused: [string, object, object][] = [
    [
      "that could also make orders",
      { ...teller, permissions: ["receipts:write", "orders:write"] },
      { code: "parameter_conflict", param: "permissions" },
    ],
    [
      "that could also approve",
      { ...teller, permissions: ["receipts:write", "reviews:write"] },
      { code: "parameter_conflict", param: "permissions" },
    ],
    ["that names no account", { ...teller, receiving_account: null }, { code: "parameter_missing", param: "receiving_account" }],
    [
      "of an account of no wallet",
      { ...teller, receiving_account: "paypal:main" },
      { code: "parameter_invalid", param: "receiving_account" },
    ],
    [
      "that names an account and may report nothing",
      { ...teller, permissions: ["payments:read"] },
      { code: "parameter_conflict", param: "receiving_account" },
    ],
  ];
  for (const [what, body, error] of refused) {
    test(`${what} is refused`, async () => expect(await live.post(keys, body)).toMatchObject({ status: 400, body: { error } }));
  }

  test("can't be given a second write permission later, nor lose its account", async () => {
    const made = await live.post(keys, teller);
    expect(made).toMatchObject({ status: 201, body: { receiving_account: "wechat:main", warnings: [] } });
    const change = (body: object) => live.call("PATCH", `${keys}/${made.body.id}`, { body });
    expect(await change({ permissions: ["receipts:write", "payments:write"] })).toMatchObject({
      status: 400,
      body: { error: { code: "parameter_conflict" } },
    });
    expect(await change({ receiving_account: null })).toMatchObject({ status: 400, body: { error: { code: "parameter_missing" } } });
    expect((await live.post(`${keys}/${made.body.id}/rotate`, {})).body).toMatchObject({ receiving_account: "wechat:main" });
  });

  test("causes a warning while any address may use it", async () => {
    const { body } = await live.post(keys, { ...teller, allowed_ips: [] });
    expect(body.warnings).toMatchObject([{ code: "no_allowed_ips" }]);
    expect((await live.call("PATCH", `${keys}/${body.id}`, { body: { allowed_ips: ["203.0.113.7"] } })).body.warnings).toEqual([]);
  });
});

test("payments:write reports no transfer, in LIVE or TEST", async () => {
  for (const livemode of [true, false]) {
    const { key } = await app.key({ ...shop, livemode }, ["payments:read", "payments:write", "orders:write"]);
    for (const answer of [await app.api(key).post(receipts, receipt), await app.api(key).upload(`${receipts}/import`, Buffer.from("x"))])
      expect(answer).toMatchObject({ status: 403, body: { error: { code: "permission_denied", required_scope: "receipts:write" } } });
  }
});

test("owners are notified once of LIVE keys that the upgrade left without it, and not of others", async () => {
  const made = await Promise.all(
    ["shop server", "phone"].map((name) => createApiKey(ctx, { ...shop, name, permissions: ["payments:write"] })),
  );
  const ids = made.map((key) => key.id);
  await runStatement(ctx.db, "update api_keys set lost_receipts_at = now() where id = any (string_to_array(?, ','))", ids.join(","));
  expect((await listKeysWithoutReceipts(ctx)).map((key) => key.id)).toEqual(ids.toSorted());
  expect([await notifyLostReceipts(ctx), await notifyLostReceipts(ctx)]).toEqual([1, 0]);
  expect(await listNotices(ctx.db, "keys_without_receipts")).toMatchObject([{ recipient: shop.project_id }]);
  for (const id of ids) await live.delete(`${keys}/${id}`);
  expect(await listKeysWithoutReceipts(ctx)).toEqual([]);
});

test("an owner who can't be notified of such keys keeps no other owner from being notified", async () => {
  const shops = [await app.tenant({ livemode: true }), await app.tenant({ livemode: true })];
  const ids: string[] = [];
  for (const one of shops) ids.push((await createApiKey(ctx, { ...one, name: "phone", permissions: ["payments:write"] })).id);
  await runStatement(ctx.db, "update api_keys set lost_receipts_at = now() where id = any (string_to_array(?, ','))", ids.join(","));
  const allow = await refuseRows(app, "api_keys", { ids: ids.slice(0, 1) });
  expect(await notifyLostReceipts(ctx)).toBe(1);
  const notified = (await listNotices(ctx.db, "keys_without_receipts")).map(({ recipient }) => recipient);
  expect(shops.map(({ project_id }) => notified.includes(project_id))).toEqual([false, true]);
  await allow();
  expect(await notifyLostReceipts(ctx)).toBe(1);
});
