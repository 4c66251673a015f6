import { type Db, type Fragment, sql, type Tx } from "#platform/sql.ts";
import type { AuditContent } from "../record/sql.ts";

export interface ChainedRow {
  id: string;
  /** The row's content, in the database's single text form. */
  content: string;
  position: number | null;
  hash: Buffer | null;
}

/** A waiting row with all of its columns, so that its seal can be checked. */
export interface UnchainedRow extends AuditContent {
  merchant_id: string;
  mac: Buffer | null;
  content: string;
  /** The merchant of the row's project. */
  project_merchant: string | null;
}

/**
 * The content that a row's position in the chain covers. Columns are named, because a column that a later version adds would make every
 * earlier row look changed.
 */
function contentOf(db: Db): Fragment {
  return sql(db)`
    jsonb_build_object('merchant_id', a.merchant_id, 'id', a.id, 'project_id', a.project_id, 'livemode', a.livemode, 'actor_kind',
    a.actor_kind, 'actor_id', a.actor_id, 'action', a.action, 'object_type', a.object_type, 'object_id', a.object_id, 'detail', a.detail,
    'request_id', a.request_id, 'created_at', a.created_at)::text`;
}

export async function listMerchantsToChain(db: Db, limit: number): Promise<string[]> {
  const rows = await sql(db)<{ merchant_id: string }>`
    -- all tenants: chaining works through every merchant's rows
    select merchant_id from audit_log where position is null group by merchant_id limit ${limit}`;
  return rows.map((row) => row.merchant_id);
}

export async function listUnchained(tx: Tx, merchantId: string, limit: number): Promise<UnchainedRow[]> {
  return await sql(tx)<UnchainedRow>`
    -- all tenants: one chain holds all projects of a merchant
    select a.merchant_id, a.id, a.project_id, a.livemode, a.actor_kind, a.actor_id, a.action, a.object_type, a.object_id, a.detail,
      a.request_id, a.created_at, a.mac, ${contentOf(tx)} as content, p.merchant_id as project_merchant
    from audit_log a left join projects p on p.id = a.project_id
    where a.merchant_id = ${merchantId} and a.position is null order by a.id limit ${limit}`;
}

export async function listChained(db: Db, merchantId: string, given: { after: number; limit: number }): Promise<ChainedRow[]> {
  return await sql(db)<ChainedRow>`
    -- all tenants: one chain holds all projects of a merchant
    select id, ${contentOf(db)} as content, position, hash from audit_log a
    where merchant_id = ${merchantId} and position > ${given.after} order by position limit ${given.limit}`;
}

/** Gives rows their positions in a chain, through a function of the tables' owner. */
export async function updateChained(tx: Tx, merchantId: string, links: { id: string; position: number; hash: Buffer }[]): Promise<void> {
  await sql(tx)`
    select chain_audit_rows(${merchantId}, ${links.map((link) => link.id)}::text[], ${links.map((link) => link.position)}::bigint[],
      ${links.map((link) => link.hash.toString("hex"))}::text[])`;
}

/** Waiting rows of all merchants, the oldest first. */
export async function listAllUnchained(db: Db, limit: number): Promise<UnchainedRow[]> {
  return await sql(db)<UnchainedRow>`
    -- all tenants: the operator's check of the whole log
    select a.merchant_id, a.id, a.project_id, a.livemode, a.actor_kind, a.actor_id, a.action, a.object_type, a.object_id, a.detail,
      a.request_id, a.created_at, a.mac, '' as content, p.merchant_id as project_merchant
    from audit_log a left join projects p on p.id = a.project_id where a.position is null order by a.merchant_id, a.id limit ${limit}`;
}

/** A recorded action, and whether it has a position in a chain. */
type ActionOfKind = AuditContent & { mac: Buffer | null; is_chained: boolean };

/**
 * Rows of one action with all of their columns, newest first, so that their seals can be checked. By their position in the chain, because
 * the clock may have been set back.
 */
export async function listOfAction(db: Db, given: { merchant_id: string; action: string }): Promise<ActionOfKind[]> {
  return await sql(db)<ActionOfKind>`
    -- all tenants: acts on a merchant as a whole, or on Tillpost itself
    select merchant_id, id, project_id, livemode, actor_kind, actor_id, action, object_type, object_id, detail, request_id, created_at, mac,
      position is not null as is_chained
    from audit_log where merchant_id = ${given.merchant_id} and action = ${given.action}
    order by position desc nulls first, created_at desc, id desc`;
}

export async function countUnchainedBefore(db: Db, before: Date): Promise<number> {
  const [row] = await sql(db)<{ count: number }>`
    -- all tenants: the operator's check of the whole log
    select count(*) as count from audit_log where position is null and created_at < ${before}`;
  return row?.count ?? 0;
}
