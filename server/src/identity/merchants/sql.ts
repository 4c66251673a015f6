import {
  byKey,
  type Db,
  type Fragment,
  listEnd,
  type PageCut,
  type Pipe,
  type Rows,
  type Sent,
  send,
  sql,
  type Tx,
} from "#platform/sql.ts";
import type { VerificationStatus } from "./states.ts";

export interface MerchantRow {
  id: string;
  display_name: string;
  country: string | null;
  verification_status: VerificationStatus;
  verified_at: Date | null;
  messaging_tier: "free" | "starter" | "pro" | "enterprise";
  /** In hundredths of a percent: how much less than requested still counts as the full amount without a confirmation. */
  shortfall_tolerance_bps: number;
  /** Everyone on its team needs a second step. */
  second_step_required: boolean;
  version: number;
  created_at: Date;
  updated_at: Date;
}

export async function insertMerchant(
  tx: Tx,
  row: Pick<MerchantRow, "id" | "display_name" | "country" | "messaging_tier" | "created_at">,
): Promise<MerchantRow> {
  const [inserted] = await sql(tx)<MerchantRow>`
    insert into merchants (id, display_name, country, messaging_tier, created_at, updated_at)
    values (${row.id}, ${row.display_name}, ${row.country}, ${row.messaging_tier}, ${row.created_at}, ${row.created_at})
    returning id, display_name, country, verification_status, verified_at, messaging_tier, shortfall_tolerance_bps, second_step_required,
      version, created_at, updated_at`;
  return inserted as MerchantRow;
}

export async function findMerchantRow(db: Db, merchantId: string): Promise<MerchantRow | null> {
  const [row] = await byKey(db)<MerchantRow>`
    select id, display_name, country, verification_status, verified_at, messaging_tier, shortfall_tolerance_bps, second_step_required,
      version, created_at, updated_at
    from merchants where id = ${merchantId}`;
  return row ?? null;
}

export async function updateVerification(
  tx: Tx,
  merchantId: string,
  given: { status: VerificationStatus; reason: string | null },
): Promise<MerchantRow | null> {
  const [row] = await sql(tx)<MerchantRow>`
    update merchants set verification_status = ${given.status}, verified_at = case when ${given.status} = 'verified' then app_now() end,
      rejection_reason = ${given.reason}, version = version + 1, updated_at = app_now()
    where id = ${merchantId}
    returning id, display_name, country, verification_status, verified_at, messaging_tier, shortfall_tolerance_bps, second_step_required,
      version, created_at, updated_at`;
  return row ?? null;
}

export interface Suspension {
  sending_suspended_at: Date | null;
  sending_suspended_reason: string | null;
}

/** A repeated suspension keeps the time of the first and stores the new reason and person. Also returns the previous reason. */
export async function updateSuspension(
  tx: Tx,
  merchantId: string,
  given: { reason: string | null; by: string },
): Promise<{ id: string; before: string | null } | null> {
  const { reason, by } = given;
  const [row] = await sql(tx)<{ id: string; before: string | null }>`
    with held as (select id, sending_suspended_reason as before from merchants where id = ${merchantId} for update)
    update merchants m
    set sending_suspended_at = case when ${reason}::text is null then null else coalesce(sending_suspended_at, app_now()) end,
      sending_suspended_reason = ${reason}, sending_suspended_by = case when ${reason}::text is null then null else ${by} end,
      version = version + 1, updated_at = app_now()
    from held where m.id = held.id returning m.id, held.before`;
  return row ?? null;
}

export async function findSuspension(db: Db, merchantId: string): Promise<Suspension | null> {
  const [row] = await byKey(db)<Suspension>`select sending_suspended_at, sending_suspended_reason from merchants where id = ${merchantId}`;
  return row ?? null;
}

/** Projects of merchants whose LIVE messages are suspended; among some projects, or all. */
export function listSuspendedProjects<On extends Db | Pipe>(db: On, of: string[] | null): Sent<On, string[]> {
  return send(
    db,
    sql(db)<{ id: string }>`
    select p.id from merchants m join projects p on p.merchant_id = m.id
    where m.sending_suspended_at is not null and (${of}::text[] is null or p.id = any(${of}::text[]))`,
    (rows) => rows.map(({ id }) => id),
  );
}

export async function findVerificationOfProject(db: Db, projectId: string): Promise<VerificationStatus | null> {
  const [row] = await byKey(db)<{ verification_status: VerificationStatus }>`
    select m.verification_status from projects p join merchants m on m.id = p.merchant_id where p.id = ${projectId}`;
  return row?.verification_status ?? null;
}

export async function findToleranceOfProject(db: Db, projectId: string): Promise<number> {
  const [row] = await byKey(db)<{ shortfall_tolerance_bps: number }>`
    select m.shortfall_tolerance_bps from projects p join merchants m on m.id = p.merchant_id where p.id = ${projectId}`;
  return row?.shortfall_tolerance_bps ?? 0;
}

export async function lockMerchant(tx: Tx, merchantId: string): Promise<MerchantRow | null> {
  const [row] = await sql(tx)<MerchantRow>`
    select id, display_name, country, verification_status, verified_at, messaging_tier, shortfall_tolerance_bps, second_step_required,
      version, created_at, updated_at
    from merchants where id = ${merchantId} for update`;
  return row ?? null;
}

export async function updateMerchant(
  tx: Tx,
  row: Pick<
    MerchantRow,
    "id" | "display_name" | "country" | "messaging_tier" | "shortfall_tolerance_bps" | "second_step_required" | "updated_at"
  >,
): Promise<MerchantRow> {
  const [changed] = await sql(tx)<MerchantRow>`
    update merchants set display_name = ${row.display_name}, country = ${row.country}, messaging_tier = ${row.messaging_tier},
      shortfall_tolerance_bps = ${row.shortfall_tolerance_bps}, second_step_required = ${row.second_step_required}, version = version + 1,
      updated_at = ${row.updated_at}
    where id = ${row.id}
    returning id, display_name, country, verification_status, verified_at, messaging_tier, shortfall_tolerance_bps, second_step_required,
      version, created_at, updated_at`;
  return changed as MerchantRow;
}

export interface MerchantOverview extends MerchantRow, Suspension {
  rejection_reason: string | null;
  /** Name of the person, or the id of the other actor. */
  sending_suspended_by: string | null;
  projects: number;
  members: number;
  owner_email: string | null;
}

export function listMerchantRows(
  db: Db,
  given: { own: string; id: string | null; status: string[]; q: string | null; cut: PageCut | null },
): PromiseLike<Rows<MerchantOverview>> & Fragment {
  return sql(db)<MerchantOverview>`
    select m.id, m.display_name, m.country, m.verification_status, m.verified_at, m.messaging_tier, m.shortfall_tolerance_bps,
      m.second_step_required, m.version, m.created_at, m.updated_at, m.rejection_reason, m.sending_suspended_at, m.sending_suspended_reason,
      coalesce((select p.name from people p where p.id = m.sending_suspended_by), m.sending_suspended_by) as sending_suspended_by,
      (select count(*) from projects p where p.merchant_id = m.id) as projects,
      (select count(*) from members b where b.merchant_id = m.id) as members,
      (select p.email from members b join people p on p.id = b.person_id where b.merchant_id = m.id and b.role = 'owner'
        order by b.id limit 1) as owner_email
    from merchants m
    where m.id <> ${given.own} and (${given.id}::text is null or m.id = ${given.id})
      and (cardinality(${given.status}::text[]) = 0 or m.verification_status = any(${given.status}::text[]))
      and (${given.q}::text is null or m.id = ${given.q} or strpos(lower(m.display_name), lower(${given.q})) > 0)
      ${listEnd(db, sql(db)`m.id`, given.cut)}`;
}
