import { describe, expect, test } from "vitest";
import { createOrder, findOrder, startPayment } from "#orders/index.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { bookFaults, receiptShops } from "#test/support/payments/receipt-shop.ts";
import { visitor } from "#test/support/people/visitors.ts";
import { type WechatRow, wechatStatement, writtenTime, yuan } from "#test/support/statements/statements.ts";

const app = await testApp();
const { ctx } = app;
const shopWith = receiptShops(app);
const imports = (shop: TestTenant) => `/api/v1/projects/${shop.project_id}/receipts/import`;

describe("in LIVE", () => {
  async function live(more: WechatRow = {}) {
    const shop = await shopWith({ mode: "unique_amount" }, { tenant: { livemode: true } });
    const { order } = await createOrder(ctx, shop, { amount_minor: 4_300, currency: "CNY" });
    const { session } = await startPayment(ctx, shop, { order_id: order.id, gateway: "wechatpay" });
    const row = {
      amount: yuan(session.payable_amount_minor),
      time: writtenTime(new Date(ctx.now().getTime() + 60_000)),
      number: "1000000321",
    };
    const file = wechatStatement([{ ...row, ...more }]);
    return { shop, file, row, status: async () => (await findOrder(ctx, shop, order.id)).order.status };
  }

  test("a statement that settles is applied only by a signed-in reviewer, and the file's hash is audited", async () => {
    const { shop, file, status } = await live();
    const made = await app.key(shop, ["receipts:write"]);
    await runStatement(ctx.db, "update api_keys set receiving_account = 'wechat:main' where id = ?", made.id);
    const key = app.api(made.key);
    const preview = await key.upload(imports(shop), file);
    expect(preview).toMatchObject({ status: 200, body: { settled: 1, needs_reviewer: true } });
    const apply = `${imports(shop)}/${preview.body.preview_id}/apply`;
    expect(await key.post(apply, {})).toMatchObject({ status: 403, body: { error: { code: "session_required" } } });
    expect(await status()).toBe("unpaid");
    const developer = await visitor(app, { merchant_id: shop.merchant_id, role: "developer" });
    expect((await developer.in("live").post(apply, {})).status).toBe(403);
    const reviewer = await visitor(app, { merchant_id: shop.merchant_id, role: "reviewer" });
    expect(await reviewer.in("live").post(apply, {})).toMatchObject({ status: 200, body: { settled: 1 } });
    expect(await status()).toBe("paid");
    const audited = await runStatement(
      ctx.db,
      "select action, detail->>'file_sha256' as hash from audit_log where object_id = ? order by id",
      preview.body.preview_id,
    );
    expect(audited).toMatchObject([
      { action: "statement.previewed", hash: preview.body.file_sha256 },
      { action: "statement.imported", hash: preview.body.file_sha256 },
    ]);
  });

  test("a later statement that says a transfer is final settles, and is applied only by a reviewer", async () => {
    const { shop, file, row, status } = await live({ state: "待确认收款" });
    const second = await shopWith({ mode: "unique_amount" }, { tenant: { livemode: true, merchant_id: shop.merchant_id } });
    const reviewer = await visitor(app, { merchant_id: shop.merchant_id, role: "reviewer" });
    for (const [place, first] of [
      [shop, true],
      [second, false],
    ] as const) {
      const made = await app.key(place, ["receipts:write"]);
      await runStatement(ctx.db, "update api_keys set receiving_account = 'wechat:main' where id = ?", made.id);
      const key = app.api(made.key);
      if (first) {
        const unfinished = await key.upload(imports(place), file);
        expect(await key.post(`${imports(place)}/${unfinished.body.preview_id}/apply`, {})).toMatchObject({
          status: 200,
          body: { suggested: 1 },
        });
      }
      const preview = await key.upload(imports(place), wechatStatement([{ ...row, state: "已存入零钱" }]));
      expect(preview).toMatchObject({ status: 200, body: { settled: 1, created: 0, skipped: 0, needs_reviewer: true } });
      const apply = `${imports(place)}/${preview.body.preview_id}/apply`;
      expect(await key.post(apply, {})).toMatchObject({ status: 403, body: { error: { code: "session_required" } } });
      expect(await status()).toBe("unpaid");
      if (first) continue;
      expect(await reviewer.in("live").post(apply, {})).toMatchObject({ status: 200, body: { settled: 1, created: 0, skipped: 0 } });
    }
    expect(await status()).toBe("paid");
    expect(await bookFaults(app)).toEqual([]);
  });

  test("a statement of an account too busy for a preview to decide is applied only by a reviewer", async () => {
    const { shop, row, status } = await live();
    const amount = Math.round(Number(row.amount.slice(1)) * 100);
    const days = (count: number) => new Date(ctx.now().getTime() - count * 86_400_000);
    await runStatement(
      ctx.db,
      `insert into receipts (project_id, livemode, id, merchant_id, channel, account_ref, currency, amount_minor, occurred_at, external_id,
        external_key, source, status, decided_by, created_at, updated_at)
      select ?, true, 'rcp_old' || n, ?, 'wechat', 'main', 'CNY', ?::text::bigint, ?::timestamptz - n * interval '1 minute', 'old' || n,
        'old' || n, 'statement', 'unmatched', 'usr_old', (select app_now()), (select app_now())
      from generate_series(1, 20000) n`,
      shop.project_id,
      shop.merchant_id,
      String(amount),
      days(100),
    );
    const made = await app.key(shop, ["receipts:write"]);
    await runStatement(ctx.db, "update api_keys set receiving_account = 'wechat:main' where id = ?", made.id);
    const file = wechatStatement([row, { ...row, number: "1000000322", time: writtenTime(days(120)) }]);
    const preview = await app.api(made.key).upload(imports(shop), file);
    expect(preview).toMatchObject({ status: 200, body: { settled: 0, needs_reviewer: true } });
    const apply = `${imports(shop)}/${preview.body.preview_id}/apply`;
    expect(await app.api(made.key).post(apply, {})).toMatchObject({ status: 403, body: { error: { code: "session_required" } } });
    expect(await status()).toBe("unpaid");
    const reviewer = await visitor(app, { merchant_id: shop.merchant_id, role: "reviewer" });
    expect(await reviewer.in("live").post(apply, {})).toMatchObject({ status: 200, body: { settled: 1 } });
    expect(await status()).toBe("paid");
  });

  test("a key reports only for its own account", async () => {
    const { shop, file } = await live();
    const key = app.api((await app.key(shop, ["receipts:write"])).key);
    expect(await key.upload(imports(shop), file)).toMatchObject({ status: 400, body: { error: { code: "parameter_conflict" } } });
    const receipt = { channel: "wechat", amount_minor: 4_300, occurred_at: ctx.now().toISOString(), external_id: "1000000123" };
    const receipts = imports(shop).replace("/import", "");
    expect(await key.post(receipts, receipt)).toMatchObject({ status: 403, body: { error: { receiving_account: "alipay:main" } } });
    expect(await key.post(receipts, { ...receipt, channel: "alipay", account_ref: "second" })).toMatchObject({ status: 403 });
    expect(await key.post(receipts, { ...receipt, channel: "alipay" })).toMatchObject({
      status: 201,
      body: { source: "listener", account_ref: "main" },
    });
  });
});
