import type { Tenant, Tx } from "#platform/index.ts";
import {
  after,
  type ColumnsOf,
  columns,
  type Db,
  type Fragment,
  firstRow,
  givenRows,
  known,
  type Pipe,
  type Sent,
  send,
  sql,
} from "#platform/sql.ts";
import type { VoucherRow } from "../shapes.ts";
import { type VoucherStatus, voucherStates } from "../states.ts";

export const voucherColumns: ColumnsOf<VoucherRow> = columns(
  "vouchers",
  `
  project_id, livemode, id, order_id, payment_session_id, status, asset_id, transaction_reference, payer_name, paid_at, amount_minor, note,
  sha256, risk_flags, reviewed_by, reviewed_at, rejection_reason, created_at, updated_at, reference_key`,
);

export async function insertVoucher(tx: Tx, row: VoucherRow): Promise<VoucherRow> {
  const [made] = await sql(tx)<VoucherRow>`
    insert into vouchers (project_id, livemode, id, order_id, payment_session_id, status, asset_id, transaction_reference, reference_key,
      payer_name, paid_at, amount_minor, note, sha256, risk_flags, created_at, updated_at)
    values (${row.project_id}, ${row.livemode}, ${row.id}, ${row.order_id}, ${row.payment_session_id}, ${row.status}, ${row.asset_id},
      ${row.transaction_reference}, ${row.reference_key}, ${row.payer_name}, ${row.paid_at}, ${row.amount_minor}, ${row.note},
      ${row.sha256}, ${row.risk_flags}, ${row.created_at}, ${row.updated_at})
    returning ${voucherColumns}`;
  if (made === undefined) throw new Error("voucher not inserted");
  return made;
}

export async function countVouchers(tx: Tx, tenant: Tenant, orderId: string): Promise<number> {
  const [row] = await sql(tx)<{ total: number }>`
    select count(*) as total from vouchers where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
      and order_id = ${orderId}`;
  return row?.total ?? 0;
}

export async function listVoucherRows(db: Db, tenant: Tenant, orderIds: string[]): Promise<VoucherRow[]> {
  return sql(db)<VoucherRow>`
    select ${voucherColumns} from vouchers where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
      and order_id = any (${orderIds}::text[]) order by id desc`;
}

export async function findLatestVoucher(db: Db, tenant: Tenant, orderId: string): Promise<VoucherRow | null> {
  const [row] = await sql(db)<VoucherRow>`
    select ${voucherColumns} from vouchers where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
      and order_id = ${orderId} order by id desc limit 1`;
  return row ?? null;
}

/** A proof of another order that may show the same transfer. */
export interface Lookalike {
  id: string;
  status: string;
  same_file: boolean;
  same_reference: boolean;
}

/** A proof's status; `superseded` for one that was approved and whose payment was reversed since, so that it may show another order's. */
function currentVoucher(tx: Tx): Fragment {
  return sql(tx)`
    case when v.status = 'approved' and exists (select from reversed_payments p
        where p.project_id = v.project_id and p.livemode = v.livemode and p.order_id = v.order_id and p.created_at >= v.reviewed_at)
      then 'superseded' else v.status end`;
}

/** Proofs of other orders with the same file, a similar image, or the same transfer. */
export async function listLookalikes(
  tx: Tx,
  tenant: Tenant,
  given: { orderId: string; sha256: string | null; assetIds: string[]; referenceKey: string | null },
): Promise<Lookalike[]> {
  return sql(tx)<Lookalike>`
    select id, ${currentVoucher(tx)} as status, coalesce(sha256 = ${given.sha256}, false) as same_file,
      coalesce(reference_key = ${given.referenceKey}, false) as same_reference
    from vouchers v
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and order_id <> ${given.orderId}
      and (sha256 = ${given.sha256} or asset_id = any (${given.assetIds}::text[]) or reference_key = ${given.referenceKey})
    limit 100`;
}

/** As `listLookalikes`, these and the order's own proofs held until commit: of two that are approved at once, the second sees the first. */
export async function lockLookalikes(
  tx: Tx,
  tenant: Tenant,
  given: { orderId: string; sha256: string | null; assetIds: string[]; referenceKey: string | null },
): Promise<Lookalike[]> {
  const rows = await sql(tx)<Lookalike & { order_id: string }>`
    select id, order_id, ${currentVoucher(tx)} as status, coalesce(sha256 = ${given.sha256}, false) as same_file,
      coalesce(reference_key = ${given.referenceKey}, false) as same_reference
    from vouchers v
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
      and (order_id = ${given.orderId} or sha256 = ${given.sha256} or asset_id = any (${given.assetIds}::text[])
        or reference_key = ${given.referenceKey})
    order by id for no key update`;
  return rows.filter((row) => row.order_id !== given.orderId);
}

/** Adds the risk flags from a later proof of another order to waiting proofs. */
export async function updateRiskFlags(tx: Tx, tenant: Tenant, given: { ids: string[]; flag: string }): Promise<void> {
  await sql(tx)`
    update vouchers set risk_flags = array_append(risk_flags, ${given.flag}), updated_at = app_now()
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id = any (${given.ids}::text[]) and status = 'submitted'
      and not ${given.flag} = any (risk_flags)`;
}

/** The decision on an order's waiting proof. */
export interface ProofDecision {
  order: Tenant & { id: string };
  status: Exclude<VoucherStatus, "submitted">;
  reviewedBy: string | null;
  reason: string | null;
}

/** Decides the order's submitted proof, if there is one. */
export function updateSubmittedVoucher<On extends Tx | Pipe>(
  tx: On,
  tenant: Tenant,
  given: Omit<ProofDecision, "order"> & { orderId: string },
): Sent<On, VoucherRow | null> {
  const { orderId, ...decision } = given;
  return after(tx, updateSubmittedVouchers(tx, [{ ...decision, order: { ...tenant, id: orderId } }]), firstRow);
}

const decisionColumns = {
  project_id: "text",
  livemode: "boolean",
  order_id: "text",
  status: "text",
  reviewed_by: "text",
  reason: "text",
} as const;

/** Like `updateSubmittedVoucher`, for orders of any tenants, each once; returns the decided proofs. */
export function updateSubmittedVouchers<On extends Tx | Pipe>(tx: On, decided: readonly ProofDecision[]): Sent<On, VoucherRow[]> {
  if (decided.length === 0) return known(tx, []);
  for (const { status } of decided) voucherStates.check(["submitted"], status);
  const rows = decided.map(({ order, status, reviewedBy, reason }) => ({
    project_id: order.project_id,
    livemode: order.livemode,
    order_id: order.id,
    status,
    reviewed_by: reviewedBy,
    reason,
  }));
  return send(
    tx,
    sql(tx)<VoucherRow>`
    -- all tenants: each order names its own project and environment
    update vouchers v set status = d.status, reviewed_by = d.reviewed_by,
      reviewed_at = case when d.reviewed_by is not null then app_now() end, rejection_reason = d.reason, updated_at = app_now()
    from ${givenRows("d", decisionColumns, rows)}
    where v.project_id = d.project_id and v.livemode = d.livemode and v.order_id = d.order_id and v.status = 'submitted'
    returning ${voucherColumns.of("v")}`,
    (found) => found,
  );
}
