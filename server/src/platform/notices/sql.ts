import { type Claim, leased, updateLeased } from "../queue/lease.sql.ts";
import type { QueueTable } from "../queue/queue-table.ts";
import { type SealedColumn, sealedColumn } from "../sealed/sealed-column.ts";
import { type Db, type Pipe, type Sent, type Sql, send, sql, type Tx } from "../sql.ts";
import { type NoticeState, noticeStates } from "./states.ts";

export const noticeQueue: QueueTable = {
  name: "notices",
  table: (tag) => tag`notices`,
  job: (tag) => tag`q.id`,
};

/** The params of notices: sealed until they end, then empty. */
export const noticeSecrets: readonly SealedColumn[] = [
  sealedColumn({
    name: "notices.params",
    table: (tag) => tag`notices`,
    column: (tag) => tag`params`,
    row: (tag) => tag`id`,
    // Links in old notices have expired.
    exposes: null,
  }),
];

export function insertNotice<On extends Tx | Pipe>(
  tx: On,
  row: { id: string; kind: string; recipient: string; params: string; gather_ms: number },
): Sent<On, void> {
  return send(
    tx,
    sql(tx)`
    insert into notices (id, kind, recipient, params, due_at, created_at)
    values (${row.id}, ${row.kind}, ${row.recipient}, ${row.params}, app_now() + ${row.gather_ms} * interval '1 millisecond', app_now())`,
    () => {},
  );
}

export interface NoticeRow {
  id: string;
  kind: string;
  recipient: string;
  /** Sealed; empty once the notice has ended. */
  params: string;
  attempts: number;
  created_at: Date;
  /** Identifies notices that are sent together: the same at every attempt. */
  batch: string;
}

/** Leases due notices, oldest first. */
export function updateLeasedNotices(tx: Tx, claim: Omit<Claim, "more" | "columns">): Promise<NoticeRow[]> {
  return updateLeased<NoticeRow>(tx, noticeQueue, {
    ...claim,
    more: (tag) => tag`, batch = coalesce(q.batch, ${claim.lease})`,
    columns: noticeColumns,
  });
}

function noticeColumns(tag: Sql) {
  return tag`q.id, q.kind, q.recipient, q.params, q.attempts, q.created_at, q.batch`;
}

/** Leases other waiting notices of this kind to a reader although they aren't due, so that they are in the same email. */
export async function updateGathered(
  tx: Tx,
  claim: { lease: string; durationMs: number },
  given: { kind: string; recipients: string[]; limit: number },
): Promise<NoticeRow[]> {
  return sql(tx)<NoticeRow>`
    with picked as (
      select id from notices
      where state = 'due' and kind = ${given.kind} and recipient = any(${given.recipients}::text[]) and batch is null and deaths < 2
      order by id limit ${given.limit} for update skip locked)
    update notices q set ${leased(sql(tx), claim)}, batch = ${claim.lease}, attempts = attempts + 1
    from picked p where q.id = p.id
    returning ${noticeColumns(sql(tx))}`;
}

/** When each of these readers last got a notice of this kind, if recently, and not at a time to come, while the clock was ahead. */
export async function listSentSince(
  db: Db,
  given: { kind: string; recipients: string[]; withinMs: number },
): Promise<{ recipient: string; finished_at: Date }[]> {
  return sql(db)<{ recipient: string; finished_at: Date }>`
    select recipient, max(finished_at) as finished_at from notices
    where kind = ${given.kind} and recipient = any(${given.recipients}::text[])
      and finished_at > app_now() - ${given.withinMs} * interval '1 millisecond' and finished_at < app_now() + interval '1 minute'
      and state = 'sent'
    group by recipient`;
}

/** Releases notices until later, as if they had not been tried. */
export async function updatePostponed(tx: Tx, given: { ids: string[]; lease: string; due: Date }): Promise<void> {
  await sql(tx)`
    update notices set state = 'due', lease = null, lease_until = null, batch = null, due_at = ${given.due}, attempts = attempts - 1
    where id = any(${given.ids}::text[]) and lease = ${given.lease} and state = 'leased'`;
}

/** Releases notices that weren't started, as if they had not been claimed; their email stays the same. */
export async function updateReturned(tx: Tx, given: { ids: string[]; lease: string }): Promise<void> {
  await sql(tx)`
    update notices set state = 'due', lease = null, lease_until = null, attempts = attempts - 1
    where id = any(${given.ids}::text[]) and lease = ${given.lease} and state = 'leased'`;
}

/** Ends notices that are still leased, and deletes their params, which may be secret. */
export async function updateFinished(
  tx: Tx,
  given: { ids: string[]; lease: string; state: NoticeState; reason: string | null },
): Promise<number> {
  noticeStates.check(["leased"], given.state);
  const rows = await sql(tx)`
    update notices set state = ${given.state}, reason = ${given.reason}, params = '', lease_until = null, finished_at = app_now()
    where id = any(${given.ids}::text[]) and lease = ${given.lease} and state = 'leased'`;
  return rows.count;
}

/** Has notices retried, together as before. */
export async function updateRetried(tx: Tx, given: { ids: string[]; lease: string; wait_ms: number; reason: string }): Promise<void> {
  await sql(tx)`
    update notices set state = 'due', lease = null, lease_until = null, deaths = 0,
      due_at = app_now() + ${given.wait_ms} * interval '1 millisecond', reason = ${given.reason}
    where id = any(${given.ids}::text[]) and lease = ${given.lease} and state = 'leased'`;
}

export async function deleteOldNotices(tx: Tx, retentionDays: number, limit: number): Promise<number> {
  const rows = await sql(tx)`
    delete from notices where id in (
      select id from notices where finished_at < app_now() - ${retentionDays} * interval '24 hours' and state <> 'due'
      limit ${limit} for update skip locked)`;
  return rows.count;
}
