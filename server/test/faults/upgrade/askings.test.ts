import { expect, test } from "vitest";
import { checkNumbers } from "#app/doctor/number-checks.ts";
import { createOrder } from "#orders/index.ts";
import { migrate, openDatabase } from "#platform/index.ts";
import { recordReceipt, reviewOrder } from "#reconciliation/index.ts";
import { emptyDatabase, testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { migrateBefore, migrations } from "#test/support/upgrade/migrate-before.ts";

const own = await emptyDatabase();
await migrateBefore(own.url, 26);
await writeAsBefore(own.url);
await migrate(own.url, migrations);
const { ctx } = await testApp({ own, startsAt: "2026-11-20T08:10:00.000Z" });

const at = (time: string) => new Date(`2026-11-20T${time}:00.000Z`);
const one = <Row extends object>(text: string, ...values: unknown[]) => runStatement<Row>(ctx.db, text, ...values);

test("profiles of one merchant with one code become one account, and another code another", async () => {
  expect(await one("select project_id, account_ref from collection_profiles order by project_id")).toEqual([
    { project_id: "prj_a", account_ref: "main" },
    { project_id: "prj_b", account_ref: "main" },
    { project_id: "prj_c", account_ref: "main-2" },
  ]);
});

test("a profile that lowered amounts by nothing is reviewed by a person", async () => {
  expect(await one("select matching from collection_profiles where project_id = 'prj_c'")).toEqual([
    { matching: { mode: "exact", max_offset_minor: 99, strict: false } },
  ]);
});

test("payments in progress keep their requests, and their money still finds them", async () => {
  expect(await one("select order_id, mode, amount_minor, nominal_minor, holding from askings order by order_id")).toEqual([
    { order_id: "ord_a", mode: "unique_amount", amount_minor: 6099, nominal_minor: 6100, holding: true },
    { order_id: "ord_b", mode: "exact", amount_minor: 5000, nominal_minor: 5000, holding: true },
  ]);
  const tenant = { project_id: "prj_b", livemode: false };
  const input = { channel: "wechat", source: "statement", amount_minor: 6099, occurred_at: at("08:09"), external_id: "NEW1" } as const;
  expect(await recordReceipt(ctx, tenant, input)).toMatchObject({ outcome: "settled", receipt: { booked_project_id: "prj_a" } });
});

test("of numbers that only differed in blanks and case the oldest counts; the others are retained, marked and listed by the doctor", async () => {
  expect(
    await one(
      "select id, external_id, external_key, has_known_number from receipts where id <> 'rcp_new' and created_at < '2026-11-20T08:10Z' order by id",
    ),
  ).toEqual([
    { id: "rcp_1", external_id: "42000DUP1", external_key: "42000dup1", has_known_number: false },
    { id: "rcp_2", external_id: "42000dup1", external_key: null, has_known_number: true },
    { id: "rcp_3", external_id: "42000DUP1\t", external_key: null, has_known_number: true },
  ]);
  const [finding] = await checkNumbers(ctx);
  expect(finding).toMatchObject({ check: "numbers", state: "note" });
  expect(finding?.message).toContain('receipt "42000dup1" (wechat, prj_a, TEST)');
  expect(finding?.message).toContain('receipt "42000DUP1\\t" (wechat, prj_b, TEST)');
  const again = { channel: "wechat", source: "statement", amount_minor: 100, occurred_at: at("08:09"), external_id: " 42000Dup1" } as const;
  expect(await recordReceipt(ctx, { project_id: "prj_b", livemode: false }, again)).toMatchObject({
    created: false,
    receipt: { id: "rcp_1" },
  });
});

test("of two bookings of one transfer the oldest keeps its number; the other is marked and listed, and the number pays nothing more", async () => {
  const booked =
    "select external_id, external_key, has_known_number, order_id, outcome, amount_minor from received_payments where amount_minor = 7700 order by gateway, created_at, external_id";
  const row = { outcome: "paid", amount_minor: 7700 };
  expect(await one(booked)).toEqual([
    { ...row, external_id: "ch_AB", external_key: null, has_known_number: false, order_id: "ord_s1" },
    { ...row, external_id: "ch_ab", external_key: null, has_known_number: false, order_id: "ord_s2" },
    { ...row, external_id: "42000PAY1", external_key: "42000pay1", has_known_number: false, order_id: "ord_p1" },
    { ...row, external_id: "42000pay1\t", external_key: null, has_known_number: true, order_id: "ord_p2" },
    { ...row, external_id: "42000PAY2", external_key: "42000pay2", has_known_number: false, order_id: "ord_p3" },
  ]);
  const [finding] = await checkNumbers(ctx);
  expect(finding?.message).toContain('payment "42000pay1\\t" (wechatpay, prj_b, TEST)');
  expect(finding?.message).not.toMatch(/PAY1|PAY2|ch_/);
  const paid = "select id, status from orders where id like 'ord_p_' order by id";
  const before = await one(paid);
  const input = { channel: "wechat", source: "statement", amount_minor: 7700, occurred_at: at("08:00"), external_id: "42000Pay1" } as const;
  expect(await recordReceipt(ctx, { project_id: "prj_b", livemode: false }, input)).toMatchObject({
    outcome: "linked",
    receipt: { booked_project_id: "prj_a", booked_external_id: "42000PAY1" },
  });
  const { order } = await createOrder(ctx, { project_id: "prj_b", livemode: false }, { amount_minor: 7700, currency: "CNY" });
  const approval = { order_id: order.id, decision: "approve", gateway: "wechatpay", external_transaction_id: "42000PAY1" } as const;
  await expect(reviewOrder(ctx, { project_id: "prj_b", livemode: false }, approval)).rejects.toMatchObject({ code: "review_exists" });
  expect(await one(paid)).toEqual(before);
  expect(await one(booked)).toHaveLength(5);
});

/** Writes rows as the previous version did. */
async function writeAsBefore(url: string): Promise<void> {
  const database = openDatabase({ url, max: 1 });
  const now = "2026-11-20T08:00:00Z";
  const write = (text: string) => runStatement(database.db, text.replaceAll("NOW", `'${now}'`));
  await write("insert into merchants (id, display_name, created_at, updated_at) values ('mer_1', 'Books', NOW, NOW)");
  for (const [name, code, matching] of [
    ["a", "wxp://one", '{"mode": "unique_amount", "max_offset_minor": 20, "strict": false}'],
    ["b", "wxp://one", '{"mode": "exact", "max_offset_minor": 20, "strict": false}'],
    ["c", "wxp://two", '{"mode": "unique_amount", "max_offset_minor": 0, "strict": false}'],
  ]) {
    await write(`insert into projects (id, merchant_id, name, slug, default_currency, created_at, updated_at)
      values ('prj_${name}', 'mer_1', 'Shop', '${name}', 'CNY', NOW, NOW)`);
    await write(`insert into collection_profiles (project_id, livemode, id, channel, enabled, qr_payload, matching, session_minutes, code_changed_at, created_at,
      updated_at, updated_by) values ('prj_${name}', false, 'cp_${name}', 'wechat', true, '${code}', '${matching}', 30, NOW, NOW, NOW, 'usr_1')`);
  }
  for (const [name, mode, amount, payable] of [
    ["a", "unique_amount", 6100, 6099],
    ["b", "exact", 5000, 5000],
  ]) {
    await write(`insert into orders (project_id, livemode, id, reference, amount_minor, currency, exponent, expires_at, created_at, updated_at)
      values ('prj_${name}', false, 'ord_${name}', 'INV-${name}', ${amount}, 'CNY', 2, '2026-11-21T08:00:00Z', NOW, NOW)`);
    await write(`insert into payment_sessions (project_id, livemode, id, order_id, gateway, channel, status, amount_minor, payable_amount_minor, currency, profile_id,
      matching_mode, expires_at, created_at, updated_at) values ('prj_${name}', false, 'ps_${name}', 'ord_${name}', 'wechatpay', 'wechat', 'pending', ${amount},
      ${payable}, 'CNY', 'cp_${name}', '${mode}', '2026-11-20T08:30:00Z', NOW, NOW)`);
  }
  for (const [id, project, number] of [
    ["rcp_1", "prj_a", "42000DUP1"],
    ["rcp_2", "prj_a", "42000dup1"],
    ["rcp_3", "prj_b", "42000DUP1\t"],
  ]) {
    await write(`insert into receipts (project_id, livemode, id, channel, currency, amount_minor, occurred_at, external_id, source, status, created_at, updated_at)
      values ('${project}', false, '${id}', 'wechat', 'CNY', 100, NOW, '${number}', 'statement', 'unmatched', NOW, NOW)`);
  }
  for (const [order, project, gateway, number, time] of [
    ["ord_p1", "prj_a", "wechatpay", "42000PAY1", "08:01"],
    ["ord_p2", "prj_b", "wechatpay", "42000pay1\t", "08:02"],
    ["ord_p3", "prj_b", "wechatpay", "42000PAY2", "08:03"],
    ["ord_s1", "prj_a", "stripe", "ch_AB", "08:01"],
    ["ord_s2", "prj_b", "stripe", "ch_ab", "08:02"],
  ]) {
    await write(`insert into orders (project_id, livemode, id, reference, status, amount_minor, amount_received_minor, currency, exponent, expires_at, paid_at, created_at, updated_at)
      values ('${project}', false, '${order}', 'INV-${order}', 'paid', 7700, 7700, 'CNY', 2, '2026-11-21T08:00:00Z', NOW, NOW, NOW)`);
    await write(`insert into received_payments (project_id, livemode, gateway, external_id, order_id, source, outcome, amount_minor, currency, occurred_at, created_at)
      values ('${project}', false, '${gateway}', '${number}', '${order}', 'review', 'paid', 7700, 'CNY', NOW, '2026-11-20T${time}:00Z')`);
  }
  await database.close();
}
