import { type Db, sql } from "#platform/sql.ts";
import type { LineKey, LineReport } from "./carrier-lines.ts";

export async function insertLine(db: Db, { project_id, livemode, call_id, lastsMs }: LineKey & { lastsMs: number }): Promise<void> {
  await sql(db)`
    insert into call_lines (project_id, livemode, call_id, expires_at, created_at)
    values (${project_id}, ${livemode}, ${call_id}, app_now() + ${lastsMs} * interval '1 millisecond', app_now())`;
}

interface Shown {
  number: number;
  document: string;
  sound: string | null;
}

/** Stores the call's next document in place of the previous one. */
export async function updateShown(db: Db, { project_id, livemode, call_id }: LineKey, { number, document, sound }: Shown): Promise<void> {
  await sql(db)`
    update call_lines set document = ${number}, sealed_document = ${document}, sealed_sound = ${sound}
    where project_id = ${project_id} and livemode = ${livemode} and call_id = ${call_id} and document < ${number}`;
}

/** The carrier's current instructions for a call. null if the call has ended, or the process that ran it is lost. */
export async function findShown(
  db: Db,
  { project_id, livemode, call_id }: LineKey,
): Promise<{ number: number; document: string | null } | null> {
  const [row] = await sql(db)<{ number: number; document: string | null }>`
    select l.document as number, l.sealed_document as document from call_lines l
    join calls c on c.project_id = l.project_id and c.livemode = l.livemode and c.id = l.call_id
    where l.project_id = ${project_id} and l.livemode = ${livemode} and l.call_id = ${call_id} and c.state = 'leased'
      and c.lease_until > app_now()`;
  return row ?? null;
}

export async function findSound(db: Db, { project_id, livemode, call_id }: LineKey, number: number): Promise<string | null> {
  const [row] = await sql(db)<{ sound: string | null }>`
    select sealed_sound as sound from call_lines
    where project_id = ${project_id} and livemode = ${livemode} and call_id = ${call_id} and document = ${number}`;
  return row?.sound ?? null;
}

/** A topic that was already reported doesn't change, and an ended call stores nothing. */
export async function insertReport(db: Db, { project_id, livemode, call_id }: LineKey, { topic, facts }: LineReport): Promise<void> {
  await sql(db)`
    insert into call_line_reports (project_id, livemode, call_id, topic, facts)
    select project_id, livemode, call_id, ${topic}, ${sql(db).json(facts)} from call_lines
    where project_id = ${project_id} and livemode = ${livemode} and call_id = ${call_id}
    on conflict do nothing`;
}

/** Takes new reports of some calls, in the order of arrival. */
export async function updateTaken(db: Db, lines: readonly LineKey[]): Promise<(LineKey & LineReport)[]> {
  const [projects, modes, calls] = [
    lines.map((one) => one.project_id),
    lines.map((one) => String(one.livemode)),
    lines.map((one) => one.call_id),
  ];
  return sql(db)<LineKey & LineReport>`
    -- all tenants: each line names its own project and environment
    with new as (
      update call_line_reports r set taken = true
      from unnest(${projects}::text[], ${modes}::text[]::boolean[], ${calls}::text[]) as line (project_id, livemode, call_id)
      where r.project_id = line.project_id and r.livemode = line.livemode and r.call_id = line.call_id and not r.taken
      returning r.project_id, r.livemode, r.call_id, r.topic, r.facts, r.place)
    select project_id, livemode, call_id, topic, facts from new order by place`;
}

/** How many other calls went between the same two numbers since a given time. */
export async function countSiblings(db: Db, { project_id, livemode, call_id }: LineKey, since: Date): Promise<number> {
  const [row] = await sql(db)<{ total: number }>`
    select count(*) as total from calls own join calls other
      on other.project_id = own.project_id and other.livemode = own.livemode and other.to_number = own.to_number
        and other.from_number = own.from_number and other.id <> own.id and other.started_at >= ${since}
    where own.project_id = ${project_id} and own.livemode = ${livemode} and own.id = ${call_id}`;
  return row?.total ?? 0;
}

export async function deleteLine(db: Db, { project_id, livemode, call_id }: LineKey): Promise<void> {
  await sql(db)`delete from call_lines where project_id = ${project_id} and livemode = ${livemode} and call_id = ${call_id}`;
}

/** Deletes lines of calls that must have ended. */
export async function deleteExpiredLines(db: Db, limit: number): Promise<number> {
  const gone = await sql(db)`
    -- all tenants: what was left over goes everywhere alike
    delete from call_lines l
    using (select project_id, livemode, call_id from call_lines where expires_at < app_now() order by expires_at limit ${limit}) old
    where l.project_id = old.project_id and l.livemode = old.livemode and l.call_id = old.call_id`;
  return gone.count;
}
