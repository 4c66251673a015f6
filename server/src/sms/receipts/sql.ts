import type { Tx } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";
import { partColumns, type SmsKey } from "../rows.sql.ts";
import type { PartRow } from "../shapes.ts";
import type { SmsReceipt } from "../transport.ts";
import type { IdForm } from "./provider-ids.ts";

export type NewPart = Omit<PartRow, "status" | "code" | "provider_code" | "reported_at"> & { folded_id: string | null };

/** Parts that a carrier accepted. One that is there already stays as it is. */
export async function insertParts(tx: Tx, parts: readonly NewPart[]): Promise<void> {
  if (parts.length === 0) return;
  await sql(tx)`
    -- all tenants: each row names its own project and environment
    insert into sms_parts (project_id, livemode, sms_id, place, provider, provider_message_id, folded_id, created_at)
    select project_id, livemode, sms_id, place, provider, provider_message_id, folded_id, created_at
    from jsonb_to_recordset(${sql(tx).json(parts)}) as g (project_id text, livemode boolean, sms_id text, place smallint, provider text, provider_message_id text,
      folded_id text, created_at timestamptz)
    on conflict do nothing`;
}

/** Parts that a carrier accepted of late under one of some ids, of any tenants. */
export async function listPartsById(tx: Tx, given: { provider: string; folded: readonly string[]; since: Date; limit: number }): Promise<PartRow[]> {
  return sql(tx)<PartRow>`
    -- all tenants: a carrier's report names an id of its own and nothing else
    select ${partColumns} from sms_parts
    where provider = ${given.provider} and folded_id = any (${[...given.folded]}::text[]) and created_at >= ${given.since}
    order by created_at desc limit ${given.limit}`;
}

/** What was reported of a part; the first word stands. Answers whether this was it. */
export async function updatePart(tx: Tx, part: PartRow, moves: readonly string[]): Promise<boolean> {
  const rows = await sql(tx)`
    update sms_parts set status = ${part.status}, code = ${part.code}, provider_code = ${part.provider_code}, reported_at = ${part.reported_at}
    where project_id = ${part.project_id} and livemode = ${part.livemode} and sms_id = ${part.sms_id} and place = ${part.place}
      and status || '>' || ${part.status} = any (${[...moves]}::text[])`;
  return rows.count === 1;
}

/** The spelling of ids that is known of carriers. */
export async function listIdForms(db: Db, providers: readonly string[]): Promise<{ provider: string; form: IdForm }[]> {
  return sql(db)<{ provider: string; form: IdForm }>`
    select provider, form from sms_id_forms where provider = any (${[...providers]}::text[])`;
}

export async function insertIdForm(tx: Tx, { provider, form }: { provider: string; form: IdForm }): Promise<void> {
  await sql(tx)`
    insert into sms_id_forms (provider, form, learned_at) values (${provider}, ${form}, app_now())
    on conflict (provider) do update set form = excluded.form, learned_at = excluded.learned_at`;
}

export interface EarlyReceipt extends SmsReceipt {
  id: number;
  created_at: Date;
}

/** Keeps a report until its message is known. `since`: when it came first. */
export async function insertEarly(tx: Tx, receipt: SmsReceipt, { folded, since }: { folded: string; since: Date | null }): Promise<void> {
  const { provider, provider_message_id, state, code, provider_code, occurred_at } = receipt;
  await sql(tx)`
    insert into sms_early_receipts (provider, provider_message_id, folded_id, status, code, provider_code, occurred_at, retried, created_at)
    values (${provider}, ${provider_message_id}, ${folded}, ${state}, ${code}, ${provider_code}, ${occurred_at}, ${since !== null},
      coalesce(${since}::timestamptz, app_now()))`;
}

/** Takes the reports that may be about some ids out of those that came too early, oldest first. */
export async function deleteEarly(tx: Tx, given: { providers: readonly string[]; folded: readonly string[] }): Promise<EarlyReceipt[]> {
  const rows = await sql(tx)<EarlyReceipt>`
    delete from sms_early_receipts where provider = any (${[...given.providers]}::text[]) and folded_id = any (${[...given.folded]}::text[])
    returning id, provider, provider_message_id, status as state, code, provider_code, occurred_at, created_at`;
  return rows.toSorted((left, right) => left.id - right.id);
}

/** Takes the reports that were kept for a moment and not looked at again since, and those that were kept long enough, oldest first. */
export async function deleteKeptEarly(tx: Tx, given: { fresh: Date; stale: Date; limit: number }): Promise<EarlyReceipt[]> {
  const rows = await sql(tx)<EarlyReceipt>`
    delete from sms_early_receipts where id in (
      select id from sms_early_receipts where (not retried and created_at < ${given.fresh}) or created_at < ${given.stale}
      order by created_at limit ${given.limit} for update skip locked)
    returning id, provider, provider_message_id, status as state, code, provider_code, occurred_at, created_at`;
  return rows.toSorted((left, right) => left.id - right.id);
}

/** Sent messages whose time to be judged has come. */
export async function listSettling(tx: Tx, limit: number): Promise<SmsKey[]> {
  return sql(tx)<SmsKey>`
    -- all tenants: one loop serves every tenant
    select project_id, livemode, id from sms where settle_at is not null and settle_at <= app_now() order by settle_at limit ${limit}`;
}
