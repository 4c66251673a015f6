import type { Tenant, Tx } from "#platform/index.ts";
import { firstRow, type Pipe, type Sent, send, sql } from "#platform/sql.ts";
import { transferColumns } from "../transaction/sql.ts";
import type { TransferRow } from "../transaction/transaction.ts";
import type { NewReversal } from "./new-transfer.ts";

/** Transfers of any tenants. Accounts are sorted, so that two first transfers of a wallet cannot deadlock. */
export function insertTransfers<On extends Tx | Pipe>(tx: On, transfers: readonly (Tenant & object)[]): Sent<On, TransferRow[]> {
  return send(
    tx,
    sql(tx)<TransferRow>`
    with given as (
      select * from jsonb_to_recordset(${sql(tx).json(transfers)}) as given (
        project_id text, livemode boolean, id text, kind text, source text, currency text, gateway text, debit text, credit text,
        amount_minor bigint, order_id text, reference text, payment_session_id text, external_transaction_id text, reverses text,
        description text, created_by text, created_at timestamptz, wallet_id text)
    ), opened as (
      insert into ledger_accounts (project_id, livemode, currency, gateway, code, wallet_id, created_at)
      select distinct on (project_id, livemode, currency, gateway, code) project_id, livemode, currency, gateway, code,
        case when code = 'custody' then wallet_id end, created_at
      from given cross join lateral (values (debit), (credit)) as account (code)
      order by project_id, livemode, currency, gateway, code
      on conflict (project_id, livemode, currency, gateway, code) do nothing
    )
    insert into ledger_transfers (project_id, livemode, id, kind, source, currency, gateway, debit, credit, amount_minor, order_id,
      reference, payment_session_id, external_transaction_id, reverses, description, created_by, created_at)
    select project_id, livemode, id, kind, source, currency, gateway, debit, credit, amount_minor, order_id, reference,
      payment_session_id, external_transaction_id, reverses, description, created_by, created_at
    from given
    returning ${transferColumns}`,
    (rows) => rows,
  );
}

export function insertReversal<On extends Tx | Pipe>(tx: On, tenant: Tenant, reversal: NewReversal): Sent<On, TransferRow | null> {
  return send(
    tx,
    sql(tx)<TransferRow>`
    insert into ledger_transfers (project_id, livemode, id, kind, source, currency, gateway, debit, credit, amount_minor, order_id,
      reference, payment_session_id, external_transaction_id, reverses, description, created_by, created_at)
    select project_id, livemode, ${reversal.id}, 'reversal', ${reversal.source}, currency, gateway, credit, debit, amount_minor, order_id,
      reference, payment_session_id, external_transaction_id, id, ${reversal.description ?? null}, ${reversal.created_by}, ${reversal.now}
    from ledger_transfers
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id = ${reversal.reverses}
    returning ${transferColumns}`,
    firstRow,
  );
}
