import type { Tenant } from "#platform/index.ts";
import { type Db, type Fragment, listEnd, type PageCut, type Rows, sql } from "#platform/sql.ts";

export interface AuditRow {
  id: string;
  merchant_id: string;
  project_id: string | null;
  livemode: boolean | null;
  actor_kind: string;
  actor_id: string;
  /** The person's address, if a person acted and still has one. */
  actor_email: string | null;
  action: string;
  object_type: string;
  object_id: string | null;
  detail: Record<string, unknown>;
  request_id: string | null;
  /** Position in the merchant's chain; null until it is chained, about a second. */
  position: number | null;
  hash: string | null;
  created_at: Date;
}

export interface AuditFilters {
  /** Null: every merchant, for operators. */
  merchant_id: string | null;
  actor_id?: string;
  object_id?: string;
  project_id?: string;
  action?: string;
  created_gte?: Date;
  created_gt?: Date;
  created_lte?: Date;
  created_lt?: Date;
}

export function listAuditRows(db: Db, filters: AuditFilters, cut: PageCut | null): PromiseLike<Rows<AuditRow>> & Fragment {
  return sql(db)<AuditRow>`
    -- all tenants: one log holds all projects of a merchant, and operators read every merchant's
    select a.id, a.merchant_id, a.project_id, a.livemode, a.actor_kind, a.actor_id, p.email as actor_email, a.action, a.object_type,
      a.object_id, a.detail, a.request_id, a.position, encode(a.hash, 'hex') as hash, a.created_at
    from audit_log a left join people p on p.id = a.actor_id
    where ${matching(db, filters)} ${listEnd(db, sql(db)`a.id`, cut)}`;
}

/** The recorded actions on one object, limited to these kinds. */
export interface ActionRow {
  id: string;
  action: string;
  actor_kind: string;
  actor_id: string;
  /** Of the person or the key; null once it was deleted. */
  actor_name: string | null;
  detail: Record<string, unknown>;
  created_at: Date;
}

export async function listActionRows(db: Db, tenant: Tenant, given: { objectId: string; actions: string[] }): Promise<ActionRow[]> {
  return await sql(db)<ActionRow>`
    select a.id, a.action, a.actor_kind, a.actor_id, coalesce(p.name, k.name) as actor_name, a.detail, a.created_at
    from audit_log a
    left join people p on p.id = a.actor_id
    left join api_keys k on k.project_id = ${tenant.project_id} and k.livemode = ${tenant.livemode} and k.id = a.actor_id
    where a.merchant_id = (select merchant_id from projects where id = ${tenant.project_id}) and a.object_id = ${given.objectId}
      and a.project_id = ${tenant.project_id} and a.livemode = ${tenant.livemode} and a.action = any(${given.actions}::text[])
    order by a.id desc limit 100`;
}

export async function findAuditId(db: Db, merchantId: string | null, id: string): Promise<string | null> {
  const [row] = await sql(db)<{ id: string }>`
    -- all tenants: one log holds all projects of a merchant, and operators read every merchant's
    select id from audit_log where id = ${id} and (${merchantId}::text is null or merchant_id = ${merchantId})`;
  return row?.id ?? null;
}

function matching(db: Db, filters: AuditFilters): Fragment {
  const { merchant_id, actor_id, object_id, project_id, action, created_gte, created_gt, created_lte, created_lt } = filters;
  const none = sql(db)``;
  return sql(db)`
    ${merchant_id === null ? sql(db)`true` : sql(db)`a.merchant_id = ${merchant_id}`}
    ${actor_id === undefined ? none : sql(db)`and a.actor_id = ${actor_id}`}
    ${object_id === undefined ? none : sql(db)`and a.object_id = ${object_id}`}
    ${project_id === undefined ? none : sql(db)`and a.project_id = ${project_id}`}
    ${action === undefined ? none : sql(db)`and (a.action = ${action} or starts_with(a.action, ${`${action}.`}))`}
    ${created_gte === undefined ? none : sql(db)`and a.created_at >= ${created_gte}`}
    ${created_gt === undefined ? none : sql(db)`and a.created_at > ${created_gt}`}
    ${created_lte === undefined ? none : sql(db)`and a.created_at <= ${created_lte}`}
    ${created_lt === undefined ? none : sql(db)`and a.created_at < ${created_lt}`}`;
}
