import type { Tenant, Tx } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";

/** The key of a demo account. */
export interface DemoPlace extends Tenant {
  id: string;
  gateway: string;
}

/** A document of a simulated provider; `value` is its JSON. */
export interface DemoDocument {
  kind: string;
  key: string;
  value: string;
}

/** A demo account by its id, removed or not; null for every other account, and for all of LIVE. */
export async function findDemoPlace(db: Db, id: string): Promise<DemoPlace | null> {
  const [row] = await sql(db)<DemoPlace>`
    -- all tenants: whoever opens a simulated provider's page holds nothing but its address
    select project_id, livemode, id, gateway from gateway_credentials where id = ${id} and demo and not livemode`;
  return row ?? null;
}

/** Locks a demo account's simulator for one request; false for every other account, and for all of LIVE. */
export async function lockDemo(tx: Tx, place: DemoPlace): Promise<boolean> {
  const rows = await sql(tx)`
    select from gateway_credentials
    where project_id = ${place.project_id} and livemode = ${place.livemode} and id = ${place.id} and gateway = ${place.gateway} and demo
      and not livemode
    for no key update`;
  return rows.count === 1;
}

export async function findDemoDocument(tx: Tx, of: DemoPlace, { kind, key }: Pick<DemoDocument, "kind" | "key">): Promise<string | null> {
  const [row] = await sql(tx)<{ value: string }>`
    select value from gateway_demo_documents
    where project_id = ${of.project_id} and livemode = ${of.livemode} and credential_id = ${of.id} and kind = ${kind} and key = ${key}`;
  return row?.value ?? null;
}

export async function listDemoDocuments(tx: Tx, of: DemoPlace, kind: string): Promise<string[]> {
  const rows = await sql(tx)<{ value: string }>`
    select value from gateway_demo_documents
    where project_id = ${of.project_id} and livemode = ${of.livemode} and credential_id = ${of.id} and kind = ${kind} order by place`;
  return rows.map(({ value }) => value);
}

/** Writes a document, new or replacing the previous one. A permanent one stays permanent. */
export async function insertDemoDocument(tx: Tx, of: DemoPlace, document: DemoDocument & { lasting: boolean }): Promise<void> {
  const { kind, key, value, lasting } = document;
  await sql(tx)`
    insert into gateway_demo_documents (project_id, livemode, credential_id, kind, key, value, lasting, written_at)
    values (${of.project_id}, ${of.livemode}, ${of.id}, ${kind}, ${key}, ${value}, ${lasting}, app_now())
    on conflict (project_id, livemode, credential_id, kind, key) do update set value = excluded.value, written_at = excluded.written_at`;
}

/** Removes all but a number of an account's newest documents. */
export async function deleteExcessDocuments(tx: Tx, of: DemoPlace, most: number): Promise<void> {
  await sql(tx)`
    delete from gateway_demo_documents
    where project_id = ${of.project_id} and livemode = ${of.livemode} and credential_id = ${of.id} and not lasting and place <= (
      select d.place from gateway_demo_documents d
      where d.project_id = ${of.project_id} and d.livemode = ${of.livemode} and d.credential_id = ${of.id} and not d.lasting
      order by d.place desc offset ${most} limit 1)`;
}

/** Removes documents that weren't written for a number of days, and all of accounts that were removed that long ago; returns how many. */
export async function deleteOldDocuments(tx: Tx, { days, limit }: { days: number; limit: number }): Promise<number> {
  const old = await sql(tx)`
    -- all tenants: what simulated providers remember is forgotten, whoever's it was
    delete from gateway_demo_documents where ctid in (
      select ctid from gateway_demo_documents where not lasting and written_at < app_now() - ${days} * interval '1 day'
      limit ${limit} for update skip locked)`;
  const removed = await sql(tx)`
    -- all tenants: so are simulated accounts that were removed, whoever's they were
    delete from gateway_demo_documents where ctid in (
      select d.ctid from gateway_demo_documents d
      join gateway_credentials c on c.project_id = d.project_id and c.livemode = d.livemode and c.id = d.credential_id
      where d.lasting and c.removed_at < app_now() - ${days} * interval '1 day' limit ${limit} for update of d skip locked)`;
  return old.count + removed.count;
}
