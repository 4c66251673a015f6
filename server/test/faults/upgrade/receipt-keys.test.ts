import { expect, test } from "vitest";
import { checkReceiptKeys } from "#app/doctor/key-checks.ts";
import { listKeysWithoutReceipts, notifyLostReceipts } from "#identity/index.ts";
import { migrate, openDatabase } from "#platform/index.ts";
import { emptyDatabase, testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { listNotices } from "#test/support/mail/notices.sql.ts";
import { migrateBefore, migrations } from "#test/support/upgrade/migrate-before.ts";

const own = await emptyDatabase();
await migrateBefore(own.url, 30);
await writeAsBefore();
await migrate(own.url, migrations);
const { ctx } = await testApp({ own, startsAt: "2026-11-20T08:10:00.000Z" });

test("TEST keys that could record transfers still can; valid LIVE keys that did are marked, and get no new permission", async () => {
  const keys = await runStatement(
    ctx.db,
    "select id, permissions, version, lost_receipts_at is not null as marked from api_keys order by id",
  );
  const stored = { permissions: ["payments:write"], version: 1, marked: false };
  expect(keys).toEqual([
    { ...stored, id: "key_expired" },
    { ...stored, id: "key_idle" },
    { ...stored, id: "key_reader", permissions: ["payments:read"] },
    { ...stored, id: "key_revoked" },
    { ...stored, id: "key_rotated", marked: true },
    { ...stored, id: "key_teller", permissions: ["payments:read", "payments:write"], marked: true },
    { ...stored, id: "key_test", permissions: ["payments:write", "receipts:write"], version: 2 },
    { ...stored, id: "key_test_reader", permissions: ["payments:read"] },
  ]);
});

test("the marked keys are listed, and their owners notified once", async () => {
  expect((await listKeysWithoutReceipts(ctx)).map(({ id }) => id)).toEqual(["key_rotated", "key_teller"]);
  const [finding] = await checkReceiptKeys(ctx);
  expect(finding?.message.match(/key_\w+/g)).toEqual(["key_rotated", "key_teller"]);
  expect([await notifyLostReceipts(ctx), await notifyLostReceipts(ctx)]).toEqual([1, 0]);
  expect(await listNotices(ctx.db, "keys_without_receipts")).toMatchObject([{ recipient: "prj_a" }]);
});

/** Writes keys as the previous version did, and its entries for those that recorded transfers. */
async function writeAsBefore(): Promise<void> {
  const database = openDatabase({ url: own.url, max: 1 });
  const now = "'2026-11-20T08:00:00Z'";
  const write = (text: string, ...values: unknown[]) => runStatement(database.db, text, ...values);
  await write(`insert into merchants (id, display_name, created_at, updated_at) values ('mer_1', 'Books', ${now}, ${now})`);
  await write(`insert into projects (id, merchant_id, name, slug, default_currency, created_at, updated_at)
    values ('prj_a', 'mer_1', 'Shop', 'a', 'CNY', ${now}, ${now})`);
  const key = async (id: string, given: { livemode?: boolean; permissions?: string; ends?: string; recorded?: boolean }) => {
    const { livemode = true, permissions = "payments:write", ends = "null, null", recorded = true } = given;
    await write(`insert into api_keys (project_id, livemode, id, name, secret_hash, prefix, last4, permissions, expires_at, revoked_at, created_at, updated_at)
      values ('prj_a', ${livemode}, '${id}', 'Till', sha256('${id}'), 'svc_', 'abcd', '{${permissions}}', ${ends}, ${now}, ${now})`);
    await write(`insert into audit_log (merchant_id, id, project_id, livemode, actor_kind, actor_id, action, object_type, created_at)
      values ('mer_1', 'aud_${id}', 'prj_a', ${livemode}, 'api_key', '${id}', '${recorded ? "receipt.recorded" : "order.created"}', 'receipt', ${now})`);
  };
  const past = "'2020-01-01T00:00:00Z'";
  await key("key_teller", { permissions: "payments:read,payments:write" });
  // Rotated: valid until its overlap ends.
  await key("key_rotated", { ends: "null, '2999-01-01T00:00:00Z'" });
  await key("key_idle", { recorded: false });
  await key("key_reader", { permissions: "payments:read" });
  await key("key_revoked", { ends: `null, ${past}` });
  await key("key_expired", { ends: `${past}, null` });
  await key("key_test", { livemode: false });
  await key("key_test_reader", { livemode: false, permissions: "payments:read" });
  await database.close();
}
