import { type Db, type Fragment, listEnd, type PageCut, type Rows, sql } from "#platform/sql.ts";
import { voucherColumns } from "../rows/vouchers.sql.ts";
import type { VoucherRow } from "../shapes.ts";

/** A waiting proof, with its tenant and order. */
export interface WaitingProofRow extends VoucherRow {
  merchant_id: string;
  merchant_name: string;
  project_name: string;
  order_reference: string | null;
  order_amount_minor: number;
  /** The amount that is still due, and the requested one: the same, or slightly less. */
  owed_minor: number;
  expected_minor: number;
  currency: string;
}

export function listWaitingProofRows(db: Db, cut: PageCut | null): PromiseLike<Rows<WaitingProofRow>> & Fragment {
  return sql(db)<WaitingProofRow>`
    -- all tenants: operators review the proofs of any merchant
    select ${voucherColumns.of("v")}, p.merchant_id, m.display_name as merchant_name, p.name as project_name,
      o.reference as order_reference, o.amount_minor as order_amount_minor, o.currency, due.owed_minor,
      case when s.amount_minor = due.owed_minor then s.payable_amount_minor else due.owed_minor end as expected_minor
    from vouchers v
    join orders o on o.project_id = v.project_id and o.livemode = v.livemode and o.id = v.order_id
    cross join lateral (select greatest(1, o.amount_minor - o.amount_held_minor) as owed_minor) due
    left join payment_sessions s on s.project_id = v.project_id and s.livemode = v.livemode and s.id = v.payment_session_id
    join projects p on p.id = v.project_id
    join merchants m on m.id = p.merchant_id
    where v.status = 'submitted'
      and o.status <> 'canceled' ${listEnd(db, sql(db)`v.id`, cut === null ? null : { ...cut, ascending: true })}`;
}

export async function findProofPlace(db: Db, id: string): Promise<{ project_id: string; livemode: boolean; order_id: string } | null> {
  const [row] = await sql(db)<{ project_id: string; livemode: boolean; order_id: string }>`
    -- all tenants: operators review the proofs of any merchant
    select project_id, livemode, order_id from vouchers where id = ${id} limit 1`;
  return row ?? null;
}
