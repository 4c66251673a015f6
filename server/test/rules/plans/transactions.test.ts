import { expect, test } from "vitest";
import { listTransactionRows } from "#ledger/transaction/sql.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { onClient, plansOf } from "./plans.sql.ts";

const app = await testApp();

test("a page of transactions looks up whether each was reversed, and reads no other tenant's transfers", async () => {
  const { project_id } = await app.tenant();
  const tenant = { project_id, livemode: true };
  await onClient(app.superuserUrl, async (client) => {
    await client.query("set session_replication_role = replica");
    await client.query(
      `insert into ledger_transfers (project_id, livemode, id, kind, source, currency, gateway, debit, credit, amount_minor, created_by,
        created_at)
        select case when n % 20 = 0 then $1 else 'prj_' || n % 20 end, true, 'tr_' || n, 'order_payment', n, 'CNY', 'wechat', 'custody',
          'sales', 100, 'test', (select app_now())
        from generate_series(1, 40000) n`,
      [project_id],
    );
    await client.query("vacuum analyze ledger_transfers");
    const [plan] = await plansOf(client, (tx) => listTransactionRows(tx, tenant, { filters: {}, before: null, after: null, limit: 20 }));
    expect(plan?.indexes).toEqual(["ledger_transfers_pkey", "ledger_transfers_reversed_once"]);
    expect(plan?.text).not.toContain("Seq Scan");
  });
});
