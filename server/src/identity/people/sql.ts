import type { Language } from "#platform/index.ts";
import { byKey, type Db, sql, type Tx } from "#platform/sql.ts";
import type { MerchantRow } from "../merchants/sql.ts";
import type { Role } from "../roles.ts";

export interface PersonRow {
  id: string;
  email: string;
  email_verified: boolean;
  name: string;
  language: Language;
  is_operator: boolean;
  two_factor_enabled: boolean;
  created_at: Date;
  updated_at: Date;
}

export interface SessionRow {
  session_id: string;
  created_at: Date;
  expires_at: Date;
  confirmed_at: Date;
  active_project_id: string | null;
  active_livemode: boolean;
  person_id: string;
  email: string;
  name: string;
  language: Language;
  is_operator: boolean;
  two_factor_enabled: boolean;
  second_step_due_at: Date | null;
  by_passkey: boolean | null;
  second_step_required: boolean | null;
  merchant_id: string | null;
  role: Role | null;
  new_owner_until: Date | null;
  merchant_name: string | null;
  verification_status: string | null;
  messaging_tier: MerchantRow["messaging_tier"] | null;
  /** The requested project, if the person's merchant has it; without a request, the active one, or the merchant's first. */
  project_id: string | null;
  /** The database's time when it was read. */
  now: Date;
}

export interface SessionReach {
  session_id: string;
  project_id: string;
  role: Role;
  two_factor_enabled: boolean;
  by_passkey: boolean | null;
  /** The project's merchant requires a second step. */
  second_step_required: boolean;
}

/** A session with the membership that reaches the requested project, or the active one; only of `merchant_id` if given. */
export async function findSession(
  db: Db,
  token: string,
  wanted: { project_id: string | null; merchant_id: string | null },
): Promise<SessionRow | null> {
  const { project_id, merchant_id } = wanted;
  const [row] = await byKey(db)<SessionRow>`
    -- all tenants: the session says whose it is, and its memberships which projects it reaches
    select s.id as session_id, s.created_at, s.expires_at, s.confirmed_at, s.active_project_id, s.active_livemode,
      p.id as person_id, p.email, p.name, p.language, p.is_operator, p.two_factor_enabled,
      p.second_step_due_at, s.by_passkey, mer.second_step_required,
      m.merchant_id, m.role, m.new_owner_until, mer.display_name as merchant_name, mer.verification_status, mer.messaging_tier,
      pr.id as project_id, app_now() as now
    from person_sessions s
    join people p on p.id = s.person_id
    left join members m on m.person_id = p.id and (${merchant_id}::text is null or m.merchant_id = ${merchant_id})
    left join merchants mer on mer.id = m.merchant_id
    left join projects pr on pr.merchant_id = m.merchant_id and (${project_id}::text is null or pr.id = ${project_id})
    where s.token = ${token}
    order by (pr.id is not null) desc, (pr.id is not distinct from s.active_project_id) desc, m.created_at, m.merchant_id, pr.id
    limit 1`;
  return row ?? null;
}

/** When a session `s` of a person `p` ends at the latest; the same as in `authenticateSession`. */
const lastMoment = (db: Db) => sql(db)`s.created_at + case when p.is_operator then interval '12 hours' else interval '30 days' end`;

/**
 * The given pairs of session and project where the session is valid and its person belongs to the project's merchant, with their role and
 * second step.
 */
export async function listReached(db: Db, pairs: { session_id: string; project_id: string }[]): Promise<SessionReach[]> {
  return await sql(db)<SessionReach>`
    -- all tenants: the session says whose it is, and its memberships which projects it reaches
    select s.id as session_id, pr.id as project_id, m.role, p.two_factor_enabled, s.by_passkey, mer.second_step_required
    from unnest(${pairs.map((pair) => pair.session_id)}::text[], ${pairs.map((pair) => pair.project_id)}::text[])
      as w (session_id, project_id)
    join person_sessions s on s.id = w.session_id collate "C"
    join projects pr on pr.id = w.project_id collate "C"
    join members m on m.person_id = s.person_id and m.merchant_id = pr.merchant_id
    join merchants mer on mer.id = m.merchant_id
    join people p on p.id = s.person_id
    where s.expires_at > app_now() and ${lastMoment(db)} > app_now()`;
}

export async function findPerson(db: Db, personId: string): Promise<PersonRow | null> {
  const [row] = await byKey(db)<PersonRow>`
    select id, email, email_verified, name, language, is_operator, two_factor_enabled, created_at, updated_at from people
      where id = ${personId}`;
  return row ?? null;
}

export async function findPersonByEmail(db: Db, email: string): Promise<PersonRow | null> {
  const [row] = await sql(db)<PersonRow>`
    select id, email, email_verified, name, language, is_operator, two_factor_enabled, created_at, updated_at from people
      where email = ${email.toLowerCase()}`;
  return row ?? null;
}

export interface PersonIn {
  id: string;
  email: string;
  name: string;
  language: Language;
  is_operator: boolean;
  /** Operator only until there is another one. */
  provisional_operator: boolean;
  email_verified: boolean;
}

export async function insertPerson(tx: Tx, row: PersonIn): Promise<PersonRow> {
  const [inserted] = await sql(tx)<PersonRow>`
    insert into people (id, email, email_verified, name, language, is_operator, provisional_operator, created_at, updated_at)
    values (${row.id}, ${row.email}, ${row.email_verified}, ${row.name}, ${row.language}, ${row.is_operator}, ${row.provisional_operator},
      app_now(), app_now())
    returning id, email, email_verified, name, language, is_operator, two_factor_enabled, created_at, updated_at`;
  return inserted as PersonRow;
}

export async function updatePerson(
  tx: Tx,
  personId: string,
  given: { name: string | null; language: Language | null },
): Promise<PersonRow | null> {
  const [row] = await sql(tx)<PersonRow>`
    update people set name = coalesce(${given.name}, name), language = coalesce(${given.language}, language), updated_at = app_now()
    where id = ${personId}
    returning id, email, email_verified, name, language, is_operator, two_factor_enabled, created_at, updated_at`;
  return row ?? null;
}

export interface OpenSession {
  id: string;
  ip_address: string | null;
  user_agent: string | null;
  confirmed_at: Date;
  created_at: Date;
  updated_at: Date;
  expires_at: Date;
}

export async function listSessions(db: Db, personId: string): Promise<OpenSession[]> {
  return await sql(db)<OpenSession>`
    select s.id, s.ip_address, s.user_agent, s.confirmed_at, s.created_at, s.updated_at,
      least(s.expires_at, ${lastMoment(db)}) as expires_at
    from person_sessions s join people p on p.id = s.person_id
    where s.person_id = ${personId} and s.expires_at > app_now() and ${lastMoment(db)} > app_now() order by s.id desc`;
}

export async function deleteSession(tx: Tx, personId: string, sessionId: string): Promise<boolean> {
  const rows = await sql(tx)`delete from person_sessions where person_id = ${personId} and id = ${sessionId}`;
  return rows.count === 1;
}

/** Ends a person's sessions, except `exceptId`. */
export async function deleteSessions(tx: Tx, personId: string, exceptId: string | null): Promise<number> {
  const rows = await sql(tx)`delete from person_sessions where person_id = ${personId} and id is distinct from ${exceptId}`;
  return rows.count;
}

/** Returns the time of confirmation. */
export async function updateConfirmed(tx: Tx, sessionId: string): Promise<Date | null> {
  const [row] = await sql(tx)<{ confirmed_at: Date }>`
    update person_sessions set confirmed_at = app_now(), updated_at = app_now() where id = ${sessionId} returning confirmed_at`;
  return row?.confirmed_at ?? null;
}

export async function updateActive(
  tx: Tx,
  sessionId: string,
  given: { project_id: string | null; livemode: boolean | null },
): Promise<{ active_project_id: string | null; active_livemode: boolean } | null> {
  const [row] = await sql(tx)<{ active_project_id: string | null; active_livemode: boolean }>`
    update person_sessions set active_project_id = coalesce(${given.project_id}, active_project_id),
      active_livemode = coalesce(${given.livemode}, active_livemode), updated_at = app_now()
    where id = ${sessionId} returning active_project_id, active_livemode`;
  return row ?? null;
}

export async function updateSessionExpiry(db: Db, sessionId: string, given: { expires_at: Date }): Promise<void> {
  await sql(db)`update person_sessions set expires_at = ${given.expires_at}, updated_at = app_now() where id = ${sessionId}`;
}

export interface PersonToNotify {
  id: string;
  email: string;
  name: string;
  language: Language;
  role: Role;
}

export async function listPeopleWithRoles(db: Db, merchantId: string, roles: readonly Role[]): Promise<PersonToNotify[]> {
  return await sql(db)<PersonToNotify>`
    select p.id, p.email, p.name, p.language, m.role from members m join people p on p.id = m.person_id
    where m.merchant_id = ${merchantId} and m.role = any(${roles as Role[]}::text[]) and p.email_verified order by m.created_at, m.id`;
}

export async function listOperators(db: Db): Promise<Omit<PersonToNotify, "role">[]> {
  return await sql(db)<
    Omit<PersonToNotify, "role">
  >`select id, email, name, language from people where is_operator and email_verified order by id`;
}

export async function listMerchantsOf(db: Db, personId: string): Promise<string[]> {
  const rows = await sql(db)<{ merchant_id: string }>`select merchant_id from members where person_id = ${personId} order by merchant_id`;
  return rows.map((row) => row.merchant_id);
}

/** The first value remains, however often this runs. */
export async function updateSecondStepDue(db: Db, personId: string, due: Date): Promise<void> {
  await sql(db)`update people set second_step_due_at = ${due} where id = ${personId} and second_step_due_at is null`;
}

/** Deletes all second steps of a person; an operator's grace period starts again. */
export async function deleteProofs(tx: Tx, personId: string): Promise<void> {
  await sql(tx)`delete from person_two_factors where person_id = ${personId}`;
  await sql(tx)`delete from person_passkeys where person_id = ${personId}`;
  await sql(tx)`update people set two_factor_enabled = false, second_step_due_at = null, updated_at = app_now() where id = ${personId}`;
}

/** Invalidates what a person got under their old password: links to set a new one, open second steps, trusted browsers. */
export async function deleteHandedOut(tx: Tx, personId: string): Promise<void> {
  await sql(tx)`delete from person_verifications where value = ${personId}`;
}

/** The account of an address that was never confirmed. */
export async function lockUnconfirmed(tx: Tx, email: string): Promise<Pick<PersonRow, "id"> | null> {
  const [row] = await sql(tx)<Pick<PersonRow, "id">>`
    select id from people where email = ${email.toLowerCase()} and not email_verified for no key update`;
  return row ?? null;
}

export async function updateClaimed(tx: Tx, personId: string, given: { name: string; language: Language }): Promise<PersonRow> {
  const [row] = await sql(tx)<PersonRow>`
    update people set email_verified = true, name = ${given.name}, language = ${given.language}, updated_at = app_now()
    where id = ${personId}
    returning id, email, email_verified, name, language, is_operator, two_factor_enabled, created_at, updated_at`;
  return row as PersonRow;
}

export async function updateByPasskey(tx: Tx, sessionId: string): Promise<void> {
  await sql(tx)`update person_sessions set by_passkey = true where id = ${sessionId}`;
}

/** Ends the rights of all provisional operators except one person; returns whose. */
export async function updateProvisionalEnded(tx: Tx, given: { but: string }): Promise<string[]> {
  const rows = await sql(tx)<{ id: string }>`
    update people set is_operator = false, provisional_operator = false, updated_at = app_now()
    where provisional_operator and is_operator and id <> ${given.but} returning id`;
  return rows.map(({ id }) => id);
}

export async function countOthersThanProvisional(db: Db): Promise<number> {
  const [row] = await sql(db)<{ count: number }>`select count(*)::int as count from people where provisional_operator is not true`;
  return row?.count ?? 0;
}
