import type { Tenant } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";

/** Effects that a storm left: orders by the key that created them, and how often each was paid. */
export async function countEffects(db: Db, tenant: Tenant): Promise<{ made: number; keys: number; paid: number; income: number }> {
  const [row] = await sql(db)<{ made: number; keys: number; paid: number; income: number }>`
    select count(*) filter (where metadata ? 'key') as made, count(distinct metadata ->> 'key') as keys,
      count(*) filter (where status = 'paid') as paid, (select count(*) from ledger_transfers t
        where t.project_id = ${tenant.project_id} and t.livemode = ${tenant.livemode}) as income
    from orders where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}`;
  return row ?? { made: 0, keys: 0, paid: 0, income: 0 };
}
