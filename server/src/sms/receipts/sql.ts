import { amongWanted, type Tx, type WantedRows } from "#platform/index.ts";
import { type ColumnsOf, columns, type Db, sql } from "#platform/sql.ts";
import { partColumns, type SmsKey } from "../rows.sql.ts";
import type { PartRow } from "../shapes.ts";
import type { SmsReceipt } from "../transport.ts";
import { foldId, type IdForm } from "./provider-ids.ts";

export type NewPart = Omit<PartRow, "status" | "code" | "provider_code" | "reported_at" | "occurred_at"> & { folded_id: string | null };

/** Inserts parts that a carrier accepted. One that already exists doesn't change. */
export async function insertParts(tx: Tx, parts: readonly NewPart[]): Promise<void> {
  if (parts.length === 0) return;
  await sql(tx)`
    -- all tenants: each row names its own project and environment
    insert into sms_parts (project_id, livemode, sms_id, place, provider, provider_message_id, folded_id, created_at)
    select project_id, livemode, sms_id, place, provider, provider_message_id, folded_id, created_at
    from jsonb_to_recordset(${sql(tx).json(parts)}) as g (project_id text, livemode boolean, sms_id text, place smallint, provider text,
      provider_message_id text, folded_id text, created_at timestamptz)
    on conflict do nothing`;
}

/** An id that a report may mean, and the report's position in the lookup. */
export interface LookedUp {
  place: number;
  provider: string;
  folded: string;
}

/** The newest parts with some ids that carriers accepted recently, of any tenants. */
export async function listPartsById(
  tx: Tx,
  ids: readonly LookedUp[],
  { since, most }: { since: Date; most: number },
): Promise<(PartRow & { asked: number })[]> {
  return sql(tx)<PartRow & { asked: number }>`
    -- all tenants: a carrier's report names an id of its own and nothing else
    select ${partColumns.of("p")}, given.asked
    from unnest(${ids.map(({ place }) => place)}::int[], ${ids.map(({ provider }) => provider)}::text[],
      ${ids.map(({ folded }) => folded)}::text[]) as given (asked, provider, folded)
    cross join lateral (
      select ${partColumns.of("q")} from sms_parts q
      where q.provider = given.provider and q.folded_id = given.folded and q.created_at >= ${since}
      order by q.created_at desc limit ${most}) p`;
}

/** Stores reports of parts, each once; the first report counts. */
export async function updateParts(tx: Tx, parts: readonly PartRow[], moves: readonly string[]): Promise<void> {
  if (parts.length === 0) return;
  await sql(tx)`
    -- all tenants: each row names its own project and environment
    update sms_parts p set status = g.status, code = g.code, provider_code = g.provider_code, reported_at = g.reported_at,
      occurred_at = g.occurred_at
    from jsonb_to_recordset(${sql(tx).json(parts)}) as g (project_id text collate "C", livemode boolean, sms_id text collate "C",
      place smallint, status text, code text, provider_code text, reported_at timestamptz, occurred_at timestamptz)
    where p.project_id = g.project_id and p.livemode = g.livemode and p.sms_id = g.sms_id and p.place = g.place
      and p.status || '>' || g.status = any (${[...moves]}::text[])`;
}

/** The known spelling of ids of some carriers, the one that was learned last at the end. */
export async function listIdForms(db: Db, providers: readonly string[]): Promise<{ provider: string; form: IdForm }[]> {
  return sql(db)<{ provider: string; form: IdForm }>`
    select provider, form from sms_id_forms where provider = any (${[...providers]}::text[]) order by learned_at`;
}

export async function insertIdForm(tx: Tx, { provider, form }: { provider: string; form: IdForm }): Promise<void> {
  await sql(tx)`
    insert into sms_id_forms (provider, form, learned_at) values (${provider}, ${form}, app_now())
    on conflict (provider) do update set form = excluded.form, learned_at = excluded.learned_at`;
}

export interface EarlyReceipt extends SmsReceipt {
  id: number;
  /** When it first arrived. */
  created_at: Date;
  /** It was checked long enough, and waits for the response to its submission. */
  retried: boolean;
}

/** As it is stored: if it identifies a message, by its columns. */
interface EarlyRow extends Omit<EarlyReceipt, "message" | "state"> {
  status: SmsReceipt["state"];
  project_id: string | null;
  livemode: boolean | null;
  sms_id: string | null;
  place: number | null;
}

const earlyColumns: ColumnsOf<EarlyRow> = columns(
  "sms_early_receipts",
  "id, provider, provider_message_id, status, code, provider_code, occurred_at, retried, created_at, project_id, livemode, sms_id, place",
);

/** Stores reports until their messages are known; also puts back those that were taken. */
export async function insertEarly(tx: Tx, receipts: readonly (SmsReceipt | EarlyReceipt)[]): Promise<void> {
  if (receipts.length === 0) return;
  const rows = receipts.map(({ message, ...receipt }) => {
    const { project_id = null, livemode = null, id: sms_id = null, place = null } = message ?? {};
    return { ...receipt, folded: foldId(receipt.provider_message_id), project_id, livemode, sms_id, place };
  });
  await sql(tx)`
    -- all tenants: each row names its own project and environment, where the carrier did
    insert into sms_early_receipts (provider, provider_message_id, folded_id, status, code, provider_code, occurred_at, retried, created_at,
      project_id, livemode, sms_id, place)
    select provider, provider_message_id, folded, state, code, provider_code, occurred_at, coalesce(retried, false),
      coalesce(created_at, app_now()), project_id, livemode, sms_id, place
    from jsonb_to_recordset(${sql(tx).json(rows)}) as g (provider text, provider_message_id text, folded text, state text, code text,
      provider_code text, occurred_at timestamptz, retried boolean, created_at timestamptz, project_id text, livemode boolean,
      sms_id text, place smallint)`;
}

/** Takes the stored early reports that may be about some ids, oldest first. */
export async function deleteEarly(tx: Tx, given: { providers: readonly string[]; folded: readonly string[] }): Promise<EarlyReceipt[]> {
  const rows = await sql(tx)<EarlyRow>`
    -- all tenants: a carrier's report names an id of its own and nothing else
    delete from sms_early_receipts where provider = any (${[...given.providers]}::text[]) and folded_id = any (${[...given.folded]}::text[])
    returning ${earlyColumns}`;
  return earlyOf(rows);
}

/** Takes the stored early reports that identify some messages, oldest first. */
export async function deleteEarlyOf(tx: Tx, keys: readonly SmsKey[]): Promise<EarlyReceipt[]> {
  const rows = await sql(tx)<EarlyRow>`
    -- all tenants: each key names its own project and environment
    delete from sms_early_receipts e
    using unnest(${keys.map((key) => key.project_id)}::text[], ${keys.map((key) => String(key.livemode))}::text[]::boolean[],
      ${keys.map((key) => key.id)}::text[]) as key (project_id, livemode, sms_id)
    where e.project_id = key.project_id and e.livemode = key.livemode and e.sms_id = key.sms_id
    returning ${earlyColumns.of("e")}`;
  return earlyOf(rows);
}

function earlyOf(rows: readonly EarlyRow[]): EarlyReceipt[] {
  return rows
    .toSorted((left, right) => left.id - right.id)
    .map(({ project_id, livemode, sms_id, place, status: state, ...receipt }) =>
      project_id === null || livemode === null || sms_id === null
        ? { ...receipt, state }
        : { ...receipt, state, message: { project_id, livemode, id: sms_id, place } },
    );
}

/** Locks the early reports that were stored a moment ago and not marked since, and those that were stored long enough, oldest first. */
export async function lockEarly(tx: Tx, given: WantedRows & { retriedBefore: Date; stale: Date }): Promise<EarlyReceipt[]> {
  const tag = sql(tx);
  const rows = await tag<EarlyRow>`
    -- all tenants: one loop serves every tenant
    select ${earlyColumns} from sms_early_receipts
    where ((not retried and created_at < ${given.retriedBefore}) or created_at < ${given.stale}) ${amongWanted(tag, tag`id::text`, given)}
    order by created_at limit ${given.limit} for update skip locked`;
  return earlyOf(rows);
}

export async function deleteHeldEarly(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await sql(tx)`
    -- all tenants: reports that the caller holds
    delete from sms_early_receipts where id = any (${[...ids]}::bigint[])`;
}

/**
 * Marks locked reports: they wait for the response to their submission, or for their expiry. Their rows aren't replaced, so that waiting
 * transactions find them.
 */
export async function updateHeldEarly(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await sql(tx)`
    -- all tenants: reports that the caller holds
    update sms_early_receipts set retried = true where id = any (${[...ids]}::bigint[])`;
}

/** Sent messages that are due for a decision. */
export async function listSettling(tx: Tx, wanted: WantedRows): Promise<SmsKey[]> {
  const tag = sql(tx);
  return tag<SmsKey>`
    -- all tenants: one loop serves every tenant
    select project_id, livemode, id from sms
    where settle_at is not null and settle_at <= app_now() ${amongWanted(tag, tag`id`, wanted)}
    order by settle_at limit ${wanted.limit}`;
}
