import { type Db, sql, type Tx } from "#platform/sql.ts";

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

export interface ChainedRow {
  id: string;
  /** All columns but the chain's own, as the database prints them in one spelling. */
  content: string;
  position: number | null;
  hash: Buffer | null;
}

export interface ChainEnd {
  position: number;
  hash: Buffer;
}

export async function insertAudit(tx: Tx, row: AuditContent): Promise<void> {
  await sql(tx)`
    insert into audit_log (merchant_id, id, project_id, livemode, actor_kind, actor_id, action, object_type, object_id, detail, request_id, created_at)
    values (coalesce(${row.merchant_id}, (select merchant_id from projects where id = ${row.project_id})), ${row.id}, ${row.project_id}, ${row.livemode},
      ${row.actor_kind}, ${row.actor_id}, ${row.action}, ${row.object_type}, ${row.object_id}, ${sql(tx).json(row.detail)}, ${row.request_id}, ${row.created_at})`;
}

export async function listMerchantsToChain(db: Db, limit: number): Promise<string[]> {
  const rows = await sql(db)<{ merchant_id: string }>`
    -- all tenants: chaining works through every merchant's rows
    select merchant_id from audit_log where position is null group by merchant_id limit ${limit}`;
  return rows.map((row) => row.merchant_id);
}

export async function lockChainEnd(tx: Tx, merchantId: string): Promise<ChainEnd | null> {
  await sql(tx)`insert into audit_chains (merchant_id) values (${merchantId}) on conflict do nothing`;
  const [end] = await sql(tx)<ChainEnd>`select position, hash from audit_chains where merchant_id = ${merchantId} for update skip locked`;
  return end ?? null;
}

export async function listUnchained(tx: Tx, merchantId: string, limit: number): Promise<ChainedRow[]> {
  return await sql(tx)<ChainedRow>`
    -- all tenants: one chain holds all projects of a merchant
    select id, (to_jsonb(a) - 'position' - 'hash')::text as content, position, hash from audit_log a
    where merchant_id = ${merchantId} and position is null order by id limit ${limit}`;
}

export async function listChained(db: Db, merchantId: string, given: { after: number; limit: number }): Promise<ChainedRow[]> {
  return await sql(db)<ChainedRow>`
    -- all tenants: one chain holds all projects of a merchant
    select id, (to_jsonb(a) - 'position' - 'hash')::text as content, position, hash from audit_log a
    where merchant_id = ${merchantId} and position > ${given.after} order by position limit ${given.limit}`;
}

export async function updateChained(tx: Tx, merchantId: string, links: { id: string; position: number; hash: Buffer }[]): Promise<void> {
  const last = links.at(-1);
  if (last === undefined) return;
  await sql(tx)`
    -- all tenants: one chain holds all projects of a merchant
    update audit_log a set position = u.position, hash = decode(u.hash, 'hex')
    from unnest(${links.map((link) => link.id)}::text[], ${links.map((link) => link.position)}::bigint[], ${links.map((link) => link.hash.toString("hex"))}::text[])
      as u (id, position, hash)
    where a.merchant_id = ${merchantId} and a.id = u.id collate "C"`;
  await sql(tx)`update audit_chains set position = ${last.position}, hash = ${last.hash} where merchant_id = ${merchantId}`;
}

export async function listChainEnds(db: Db): Promise<(ChainEnd & { merchant_id: string })[]> {
  return await sql(db)<ChainEnd & { merchant_id: string }>`select merchant_id, position, hash from audit_chains order by merchant_id`;
}

export async function countUnchainedBefore(db: Db, before: Date): Promise<number> {
  const [row] = await sql(db)<{ count: number }>`
    -- all tenants: the operator's check of the whole log
    select count(*) as count from audit_log where position is null and created_at < ${before}`;
  return row?.count ?? 0;
}
