import { type Pipe, type Sent, send, sql, type Tx } from "#platform/sql.ts";

export interface AuditContent {
  merchant_id: string | null;
  id: string;
  project_id: string | null;
  livemode: boolean | null;
  actor_kind: string;
  actor_id: string;
  action: string;
  object_type: string;
  object_id: string | null;
  detail: unknown;
  request_id: string | null;
  created_at: Date;
}

export function insertAudit<On extends Tx | Pipe>(tx: On, row: AuditContent & { mac: Buffer }): Sent<On, void> {
  return send(
    tx,
    sql(tx)`
    insert into audit_log (merchant_id, id, project_id, livemode, actor_kind, actor_id, action, object_type, object_id, detail, request_id, created_at, mac)
    values (coalesce(${row.merchant_id}, (select merchant_id from projects where id = ${row.project_id})), ${row.id}, ${row.project_id}, ${row.livemode},
      ${row.actor_kind}, ${row.actor_id}, ${row.action}, ${row.object_type}, ${row.object_id}, ${sql(tx).json(row.detail)}, ${row.request_id}, ${row.created_at}, ${row.mac})`,
    () => {},
  );
}
