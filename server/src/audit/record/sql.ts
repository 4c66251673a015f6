import { known, type Pipe, type Sent, send, sql, type Tx } from "#platform/sql.ts";

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

export function insertAudits<On extends Tx | Pipe>(tx: On, rows: readonly (AuditContent & { mac: Buffer })[]): Sent<On, void> {
  if (rows.length === 0) return known(tx, undefined);
  const written = rows.map(({ mac, ...row }) => ({ ...row, mac: mac.toString("hex") }));
  return send(
    tx,
    sql(tx)`
    insert into audit_log (merchant_id, id, project_id, livemode, actor_kind, actor_id, action, object_type, object_id, detail, request_id,
      created_at, mac)
    select coalesce(given.merchant_id, (select p.merchant_id from projects p where p.id = given.project_id)), id, project_id, livemode,
      actor_kind, actor_id, action, object_type, object_id, detail, request_id, created_at, decode(mac, 'hex')
    from jsonb_to_recordset(${sql(tx).json(written)}) as given (merchant_id text, id text, project_id text, livemode boolean,
      actor_kind text, actor_id text, action text, object_type text, object_id text, detail jsonb,
      request_id text, created_at timestamptz, mac text)`,
    () => {},
  );
}
