import { describe, expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { receiptShops } from "#test/support/payments/receipt-shop.ts";
import { visitor } from "#test/support/people/visitors.ts";
import { liveStatements } from "#test/support/statements/live-statement.ts";
import { wechatStatement, writtenTime } from "#test/support/statements/statements.ts";

const app = await testApp();
const { ctx } = app;
const live = liveStatements(app, receiptShops(app));

describe("in LIVE", () => {
  test("a statement of an account too busy for a preview to decide is applied only by a reviewer", async () => {
    const { shop, row, status } = await live();
    const imports = `/api/v1/projects/${shop.project_id}/receipts/import`;
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
    const preview = await app.api(made.key).upload(imports, file);
    expect(preview).toMatchObject({ status: 200, body: { settled: 0, needs_reviewer: true } });
    const apply = `${imports}/${preview.body.preview_id}/apply`;
    expect(await app.api(made.key).post(apply, {})).toMatchObject({ status: 403, body: { error: { code: "session_required" } } });
    expect(await status()).toBe("unpaid");
    const reviewer = await visitor(app, { merchant_id: shop.merchant_id, role: "reviewer" });
    expect(await reviewer.in("live").post(apply, {})).toMatchObject({ status: 200, body: { settled: 1 } });
    expect(await status()).toBe("paid");
  });
});
