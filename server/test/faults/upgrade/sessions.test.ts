import { expect, test } from "vitest";
import { codeOf, findOrder, type SessionRow, sessionView, startPayment } from "#orders/index.ts";
import { migrate, openDatabase } from "#platform/index.ts";
import { emptyDatabase, testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { migrateBefore, migrations } from "#test/support/upgrade/migrate-before.ts";

const now = "'2026-11-20T08:00:00Z'";
const tenant = { project_id: "prj_a", livemode: false };
const wechatCode = "wxp://f2f0ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefgh";

/** A payment as the previous version writes it: without method, data or account. */
const session = (id: string, order: string, more: { gateway?: string; status?: string; asking?: string; remark?: string } = {}) => `
  insert into payment_sessions (project_id, livemode, id, order_id, gateway, channel, status, amount_minor, payable_amount_minor, currency, profile_id,
    qr_payload, payee_name, instructions, matching_mode, remark_code, asking_id, expires_at, created_at, updated_at)
  values ('prj_a', false, '${id}', '${order}', '${more.gateway ?? "wechatpay"}', '${more.gateway ?? "wechat"}', '${more.status ?? "pending"}', 1000, 1000,
    'CNY', 'cp_a', '${wechatCode}', '张*', '{"en":"Thank you"}', 'remark', '${more.remark ?? "48210"}', ${more.asking === undefined ? "null" : `'${more.asking}'`},
    '2026-11-20T09:00:00Z', ${now}, ${now})`;

const asking = (id: string, order: string) => `
  insert into askings (project_id, livemode, id, merchant_id, channel, account_ref, order_id, mode, amount_minor, nominal_minor, code, asked_from,
    asked_until, held_until, created_at, updated_at)
  values ('prj_a', false, '${id}', 'mer_1', 'wechat', 'till-2', '${order}', 'remark', 1000, 1000, '${id.slice(-5)}', ${now}, ${now}, ${now}, ${now}, ${now})`;

const own = await emptyDatabase();
await migrateBefore(own.url, 80);
await writeAsBefore();
await migrate(own.url, migrations);
const { ctx } = await testApp({ own, startsAt: "2026-11-20T08:10:00.000Z" });

const columns = "method, method_data, account from payment_sessions";
const data = {
  type: "personal_qr",
  profile_id: "cp_a",
  qr_payload: wechatCode,
  qr_asset_id: null,
  payee_name: "张*",
  instructions: { en: "Thank you" },
  matching_mode: "remark",
  remark_code: "48210",
};

test("every earlier payment has its method, its data and the account of its code", async () => {
  expect(await runStatement(ctx.db, `select id, ${columns} order by id`)).toEqual([
    { id: "ps_ali", method: "alipay", method_data: data, account: null },
    { id: "ps_open", method: "wechatpay", method_data: data, account: "wechat:till-2" },
  ]);
});

test("it reads as before, in addition to the new fields", async () => {
  const { link, session: old } = await findOrder(ctx, tenant, "ord_open");
  expect(sessionView(ctx, old as SessionRow, link)).toMatchObject({
    id: "ps_open",
    gateway: "wechatpay",
    channel: "wechat",
    matching_mode: "remark",
    remark_code: "48210",
    next_action: { type: "display_qr", qr_payload: wechatCode, instructions: { en: "Thank you" } },
    method: "wechatpay",
    method_data: { type: "personal_qr", payee_name: "张*", matching_mode: "remark", remark_code: "48210" },
    account: "wechat:till-2",
  });
  expect(await startPayment(ctx, tenant, { order_id: "ord_open", gateway: "wechatpay" })).toMatchObject({
    created: false,
    session: { id: "ps_open" },
  });
});

test("a result that the previous version stored for a repeated request is shown, too", async () => {
  const { link, session: row } = await findOrder(ctx, tenant, "ord_open");
  const { method: _method, method_data: _data, account: _account, ...session } = row as SessionRow;
  const view = sessionView(ctx, session as SessionRow, link);
  expect(view).toMatchObject({ method: "wechatpay", account: null, remark_code: "48210", next_action: { qr_payload: wechatCode } });
});

test("what a concurrent process of the previous version writes is completed", async () => {
  await runStatement(ctx.db, asking("ask_48211", "ord_beside"));
  await runStatement(ctx.db, session("ps_beside", "ord_beside", { asking: "ask_48211", remark: "48211" }));
  const [row] = await runStatement(ctx.db, `select ${columns} where id = 'ps_beside'`);
  expect(row).toEqual({ method: "wechatpay", method_data: { ...data, remark_code: "48211" }, account: "wechat:till-2" });
});

test("the previous version can read what this version writes in its columns", async () => {
  const { session: made } = await startPayment(ctx, tenant, { order_id: "ord_fresh", gateway: "wechatpay" });
  const [row] = await runStatement(
    ctx.db,
    "select profile_id, qr_payload, payee_name, matching_mode from payment_sessions where id = ?",
    made.id,
  );
  expect(row).toEqual({ profile_id: "cp_a", qr_payload: wechatCode, payee_name: null, matching_mode: "exact" });
  expect(made).toMatchObject({ method: "wechatpay", account: "wechat:main", method_data: { type: "personal_qr", qr_payload: wechatCode } });
  expect(codeOf(made)).toMatchObject({ qr_payload: wechatCode });
});

async function writeAsBefore(): Promise<void> {
  const database = openDatabase({ url: own.url, max: 1 });
  const write = (text: string) => runStatement(database.db, text);
  await write(`insert into merchants (id, display_name, created_at, updated_at) values ('mer_1', 'Books', ${now}, ${now})`);
  await write(`insert into projects (id, merchant_id, name, slug, default_currency, created_at, updated_at)
    values ('prj_a', 'mer_1', 'Shop', 'a', 'CNY', ${now}, ${now})`);
  await write(
    `insert into receiving_accounts (merchant_id, livemode, channel, account_ref, created_at) values ('mer_1', false, 'wechat', 'main', ${now})`,
  );
  await write(`insert into collection_profiles (project_id, livemode, id, channel, enabled, qr_payload, matching, session_minutes, account_ref, code_changed_at,
    created_at, updated_at, updated_by) values ('prj_a', false, 'cp_a', 'wechat', true, '${wechatCode}', '{"mode":"exact","max_offset_minor":99,"strict":false}',
    30, 'main', ${now}, ${now}, ${now}, 'usr_1')`);
  for (const [at, id] of ["open", "ali", "beside", "fresh"].entries()) {
    await write(`insert into orders (project_id, livemode, id, reference, status, amount_minor, currency, exponent, expires_at, created_at, updated_at)
      values ('prj_a', false, 'ord_${id}', '${id}', 'unpaid', 1000, 'CNY', 2, '2026-11-21T08:00:00Z', ${now}, ${now})`);
    await write(`insert into payment_links (project_id, livemode, id, order_id, token, created_at)
      values ('prj_a', false, 'lnk_${id}', 'ord_${id}', 'pl_test_${String(at).repeat(32)}', ${now})`);
  }
  await write(asking("ask_48210", "ord_open"));
  await write(session("ps_open", "ord_open", { asking: "ask_48210" }));
  await write(session("ps_ali", "ord_ali", { gateway: "alipay", status: "expired" }));
  await database.close();
}
