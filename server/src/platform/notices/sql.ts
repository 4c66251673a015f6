import { type Db, sql, type Tx } from "../sql.ts";

export async function insertNotice(tx: Tx, row: { id: string; kind: string; recipient: string; params: string; due: Date; now: Date }): Promise<void> {
  await sql(tx)`
    insert into notices (id, kind, recipient, params, due_at, created_at)
    values (${row.id}, ${row.kind}, ${row.recipient}, ${row.params}, ${row.due}, ${row.now})`;
}

export interface NoticeRow {
  id: string;
  kind: string;
  recipient: string;
  /** Sealed; empty once the notice has ended. */
  params: string;
  attempts: number;
  created_at: Date;
  /** Names those that are told together: the same at every try. */
  batch: string;
}

export interface Lease {
  lease: string;
  until: Date;
  now: Date;
}

/** Leases due notices, oldest first; a killed worker's come back when the lease ends, because that is when they are due again. */
export async function updateLeased(tx: Tx, { lease, until, now }: Lease, limit: number): Promise<NoticeRow[]> {
  return sql(tx)<NoticeRow>`
    with picked as (
      select id from notices where state = 'due' and due_at <= ${now} order by due_at limit ${limit} for update skip locked)
    update notices n set lease = ${lease}, batch = coalesce(n.batch, ${lease}), due_at = ${until}, attempts = attempts + 1
    from picked p where n.id = p.id
    returning n.id, n.kind, n.recipient, n.params, n.attempts, n.created_at, n.batch`;
}

/** Leases what else waits for a reader of this kind of notice although its time has not come, so that it goes into the same mail. */
export async function updateGathered(tx: Tx, { lease, until }: Lease, given: { kind: string; recipients: string[]; limit: number }): Promise<NoticeRow[]> {
  return sql(tx)<NoticeRow>`
    with picked as (
      select id from notices
      where state = 'due' and kind = ${given.kind} and recipient = any(${given.recipients}::text[]) and batch is null
      order by id limit ${given.limit} for update skip locked)
    update notices n set lease = ${lease}, batch = ${lease}, due_at = ${until}, attempts = attempts + 1
    from picked p where n.id = p.id
    returning n.id, n.kind, n.recipient, n.params, n.attempts, n.created_at, n.batch`;
}

/** When each of these readers last was sent a notice of this kind, if that was after `since`. */
export async function listSentSince(db: Db, given: { kind: string; recipients: string[]; since: Date }): Promise<{ recipient: string; finished_at: Date }[]> {
  return sql(db)<{ recipient: string; finished_at: Date }>`
    select recipient, max(finished_at) as finished_at from notices
    where kind = ${given.kind} and recipient = any(${given.recipients}::text[]) and finished_at > ${given.since} and state = 'sent'
    group by recipient`;
}

/** Gives notices back until later, as if they had not been tried. */
export async function updatePostponed(tx: Tx, given: { ids: string[]; lease: string; due: Date }): Promise<void> {
  await sql(tx)`
    update notices set lease = null, batch = null, due_at = ${given.due}, attempts = attempts - 1
    where id = any(${given.ids}::text[]) and lease = ${given.lease} and state = 'due'`;
}

/** Ends notices whose lease is still held, and forgets what they said: it may have been a secret. */
export async function updateFinished(tx: Tx, given: { ids: string[]; lease: string; state: string; reason: string | null; now: Date }): Promise<number> {
  const rows = await sql(tx)`
    update notices set state = ${given.state}, reason = ${given.reason}, params = '', finished_at = ${given.now}
    where id = any(${given.ids}::text[]) and lease = ${given.lease} and state = 'due'`;
  return rows.count;
}

/** Has notices tried again, together as before. */
export async function updateRetried(tx: Tx, given: { ids: string[]; lease: string; due: Date; reason: string }): Promise<void> {
  await sql(tx)`
    update notices set due_at = ${given.due}, reason = ${given.reason}
    where id = any(${given.ids}::text[]) and lease = ${given.lease} and state = 'due'`;
}

export async function deleteOldNotices(tx: Tx, before: Date, limit: number): Promise<number> {
  const rows = await sql(tx)`
    delete from notices where id in (
      select id from notices where finished_at < ${before} and state <> 'due' limit ${limit} for update skip locked)`;
  return rows.count;
}
