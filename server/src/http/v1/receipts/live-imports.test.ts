import { describe, expect, test } from "vitest";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { bookFaults, receiptShops } from "#test/support/payments/receipt-shop.ts";
import { visitor } from "#test/support/people/visitors.ts";
import { liveStatements } from "#test/support/statements/live-statement.ts";
import { wechatStatement } from "#test/support/statements/statements.ts";

const app = await testApp();
const { ctx } = app;
const shopWith = receiptShops(app);
const live = liveStatements(app, shopWith);
const imports = (shop: TestTenant) => `/api/v1/projects/${shop.project_id}/receipts/import`;

describe("in LIVE", () => {
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
