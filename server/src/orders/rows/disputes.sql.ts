import type { Tenant, Tx } from "#platform/index.ts";
import { type ColumnsOf, columns, type Db, sql } from "#platform/sql.ts";
import type { DisputeRow } from "../dispute-row.ts";

const disputeColumns: ColumnsOf<DisputeRow> = columns(
  "disputes",
  `
  project_id, livemode, id, gateway, credential_id, provider_dispute_id, order_id, payment_session_id, status, amount_minor, currency,
  reason, in_books, of_order, fee_minor, fee_currency, transaction_id, fee_transaction_id, takings, fee_takings, exception_id, told_at,
  ended_at, counted_minor, counted_since, counted_version, version, created_at, updated_at`,
);

/** A dispute by its provider's id on an account, locked until commit. Its order comes first. */
export async function lockDispute(
  tx: Tx,
  tenant: Tenant,
  given: { credentialId: string; providerDisputeId: string },
): Promise<DisputeRow | null> {
  const [row] = await sql(tx)<DisputeRow>`
    select ${disputeColumns} from disputes
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and credential_id = ${given.credentialId}
      and provider_dispute_id = ${given.providerDisputeId} for no key update`;
  return row ?? null;
}

/** A payment's disputes whose provider last reported all that the buyer got back, locked until commit. The order comes first. */
export async function lockCountedDisputes(
  tx: Tx,
  payment: Tenant & { order_id: string; payment_session_id: string },
): Promise<DisputeRow[]> {
  return sql(tx)<DisputeRow>`
    select ${disputeColumns} from disputes
    where project_id = ${payment.project_id} and livemode = ${payment.livemode} and order_id = ${payment.order_id}
      and payment_session_id = ${payment.payment_session_id} and counted_version = version order by id for no key update`;
}

/** Writes a dispute; its order counts its amount in the same statement. A second one with the same id violates the table's key. */
export async function insertDispute(tx: Tx, row: DisputeRow): Promise<void> {
  await sql(tx)`
    insert into disputes (project_id, livemode, id, gateway, credential_id, provider_dispute_id, order_id, payment_session_id, status,
      amount_minor, currency, reason, in_books, of_order, fee_minor, fee_currency, transaction_id, fee_transaction_id, takings, fee_takings,
      exception_id, told_at, ended_at, counted_minor, counted_since, counted_version, created_at, updated_at)
    values (${row.project_id}, ${row.livemode}, ${row.id}, ${row.gateway}, ${row.credential_id}, ${row.provider_dispute_id},
      ${row.order_id}, ${row.payment_session_id}, ${row.status}, ${row.amount_minor}, ${row.currency}, ${row.reason}, ${row.in_books},
      ${row.of_order}, ${row.fee_minor}, ${row.fee_currency}, ${row.transaction_id}, ${row.fee_transaction_id}, ${row.takings},
      ${row.fee_takings}, ${row.exception_id}, ${row.told_at}, ${row.ended_at}, ${row.counted_minor}, ${row.counted_since},
      ${row.counted_version}, ${row.created_at}, ${row.updated_at})`;
}

/** Writes the new state of a locked dispute; increases `version`. */
export async function updateDispute(tx: Tx, row: DisputeRow): Promise<void> {
  await sql(tx)`
    update disputes set order_id = ${row.order_id}, payment_session_id = ${row.payment_session_id}, status = ${row.status},
      amount_minor = ${row.amount_minor}, currency = ${row.currency}, reason = ${row.reason}, in_books = ${row.in_books},
      of_order = ${row.of_order}, fee_minor = ${row.fee_minor}, fee_currency = ${row.fee_currency}, transaction_id = ${row.transaction_id},
      fee_transaction_id = ${row.fee_transaction_id}, takings = ${row.takings}, fee_takings = ${row.fee_takings},
      exception_id = ${row.exception_id}, told_at = ${row.told_at}, ended_at = ${row.ended_at}, counted_minor = ${row.counted_minor},
      counted_since = ${row.counted_since}, counted_version = ${row.counted_version}, version = version + 1, updated_at = app_now()
    where project_id = ${row.project_id} and livemode = ${row.livemode} and id = ${row.id}`;
}

/** Records a later time for which the provider reported the same. */
export async function updateDisputeReported(tx: Tx, dispute: Tenant & { id: string }, reportedAt: Date): Promise<void> {
  await sql(tx)`
    update disputes set told_at = greatest(told_at, ${reportedAt})
    where project_id = ${dispute.project_id} and livemode = ${dispute.livemode} and id = ${dispute.id}`;
}

/** Disputes of an order's payments, the newest first. */
export async function listDisputesOfOrder(db: Db, order: Tenant & { id: string }): Promise<DisputeRow[]> {
  return sql(db)<DisputeRow>`
    select ${disputeColumns} from disputes
    where project_id = ${order.project_id} and livemode = ${order.livemode} and order_id = ${order.id} order by id desc`;
}

/** Disputes of an order that are open or lost. */
export async function listEffectiveDisputes(db: Db, order: Tenant & { id: string }): Promise<string[]> {
  const rows = await sql(db)<{ id: string }>`
    select id from disputes
    where project_id = ${order.project_id} and livemode = ${order.livemode} and order_id = ${order.id} and status <> 'won' order by id`;
  return rows.map((row) => row.id);
}

/** Disputes of a payment that are open or lost. An `inquiry` has taken nothing, the others their amount. */
export async function listDisputesOfPayment(
  db: Db,
  payment: Tenant & { order_id: string; payment_session_id: string },
): Promise<Pick<DisputeRow, "id" | "status" | "amount_minor" | "currency" | "ended_at">[]> {
  return sql(db)<Pick<DisputeRow, "id" | "status" | "amount_minor" | "currency" | "ended_at">>`
    select id, status, amount_minor, currency, ended_at from disputes
    where project_id = ${payment.project_id} and livemode = ${payment.livemode} and order_id = ${payment.order_id}
      and payment_session_id = ${payment.payment_session_id} and status <> 'won' order by id`;
}

/** The amount that disputes took of an order's payments. */
export async function listDisputedByPayment(
  db: Db,
  order: Tenant & { id: string },
): Promise<{ gateway: string; payment_session_id: string | null; total: number }[]> {
  return sql(db)<{ gateway: string; payment_session_id: string | null; total: number }>`
    select gateway, payment_session_id, sum(amount_minor)::bigint as total from disputes
    where project_id = ${order.project_id} and livemode = ${order.livemode} and order_id = ${order.id} and of_order
      and status in ('opened', 'lost')
    group by gateway, payment_session_id`;
}
