import type { Tenant, Tx } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";

/** All fields of an account before they were replaced. */
export interface FormerFields {
  fields_version: number;
  sealed: string;
}

type Of = Tenant & { credential_id: string };

/** Those that still verify callbacks, newest first. */
export async function listFormerFields(db: Db, of: Of): Promise<FormerFields[]> {
  return sql(db)<FormerFields>`
    select fields_version, sealed from gateway_former_fields
    where project_id = ${of.project_id} and livemode = ${of.livemode} and credential_id = ${of.credential_id} and ends_at > app_now()
    order by fields_version desc`;
}

export async function insertFormerFields(tx: Tx, of: Of, { former, seconds }: { former: FormerFields; seconds: number }): Promise<void> {
  await sql(tx)`
    insert into gateway_former_fields (project_id, livemode, credential_id, fields_version, sealed, ends_at)
    values (${of.project_id}, ${of.livemode}, ${of.credential_id}, ${former.fields_version}, ${former.sealed},
      app_now() + ${seconds} * interval '1 second')`;
}

/** Removes all but the newest previous fields of an account. */
export async function deleteFormerFields(tx: Tx, of: Of, { except }: { except: number }): Promise<void> {
  await sql(tx)`
    delete from gateway_former_fields
    where project_id = ${of.project_id} and livemode = ${of.livemode} and credential_id = ${of.credential_id}
      and fields_version not in (select f.fields_version from gateway_former_fields f
        where f.project_id = ${of.project_id} and f.livemode = ${of.livemode} and f.credential_id = ${of.credential_id}
        order by f.fields_version desc limit ${except})`;
}

/** Removes expired previous fields; returns how many. */
export async function deleteEndedFields(tx: Tx, limit: number): Promise<number> {
  const rows = await sql(tx)`
    -- all tenants: secrets that serve nobody are forgotten, whoever's they were
    delete from gateway_former_fields
    where ctid in (select ctid from gateway_former_fields where ends_at <= app_now() limit ${limit} for update skip locked)`;
  return rows.count;
}
