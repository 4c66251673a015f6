import type { Tag } from "#messaging/index.ts";
import { findCursor, type Tenant } from "#platform/index.ts";
import { cutOf, type Db, type Fragment, likeStart, listEnd, type PageCut, type Rows, sql } from "#platform/sql.ts";
import { type SmsKey, smsColumns } from "../rows.sql.ts";
import type { SmsRow } from "../shapes.ts";

/** Filters of the list; an absent one matches everything. */
export interface SmsFilters {
  status?: string[];
  direction?: string[];
  from?: string[];
  to?: string[];
  tag?: Tag[];
  batch_id?: string[];
  created_gte?: Date;
  created_gt?: Date;
  created_lte?: Date;
  created_lt?: Date;
  /** An id, or the beginning of the other side's number. */
  q?: string;
}

export function listSmsRows(
  db: Db,
  tenant: Tenant,
  given: { filters: SmsFilters; cut: PageCut | null },
): PromiseLike<Rows<SmsRow>> & Fragment {
  const tag = sql(db);
  return tag<SmsRow>`
    select ${smsColumns} ${findCursor(db, tenant, { table: tag`sms`, cut: given.cut })}
    from sms s where ${whereOf(db, tenant, given.filters)} ${listEnd(db, tag`s.id`, cutOf(given))}`;
}

function whereOf(db: Db, tenant: Tenant, filters: SmsFilters): Fragment {
  const tag = sql(db);
  const { status, direction, from, to, batch_id, q } = filters;
  return tag`s.project_id = ${tenant.project_id} and s.livemode = ${tenant.livemode}
    ${status === undefined ? tag`` : tag`and s.status = any (${status}::text[])`}
    ${direction === undefined ? tag`` : tag`and s.direction = any (${direction}::text[])`}
    ${from === undefined ? tag`` : tag`and s.sender = any (${from}::text[])`}
    ${to === undefined ? tag`` : tag`and s.recipient = any (${to}::text[])`}
    ${filters.tag === undefined ? tag`` : hasTag(db, filters.tag)}
    ${batch_id === undefined ? tag`` : tag`and s.batch_id = any (${batch_id}::text[])`}
    ${filters.created_gte === undefined ? tag`` : tag`and s.created_at >= ${filters.created_gte}`}
    ${filters.created_gt === undefined ? tag`` : tag`and s.created_at > ${filters.created_gt}`}
    ${filters.created_lte === undefined ? tag`` : tag`and s.created_at <= ${filters.created_lte}`}
    ${filters.created_lt === undefined ? tag`` : tag`and s.created_at < ${filters.created_lt}`}
    ${q === undefined ? tag`` : otherSide(db, q)}`;
}

function otherSide(db: Db, q: string): Fragment {
  const start = likeStart(q);
  return sql(db)`
    and (s.id = ${q} or (s.direction = 'outbound' and s.recipient like ${start}) or (s.direction = 'inbound' and s.sender like ${start}))`;
}

function hasTag(db: Db, tags: Tag[]): Fragment {
  const wanted = tags.map(({ name, value }) => JSON.stringify([{ name, value }]));
  return sql(db)`and s.tags <> '[]' and s.tags @> any (${wanted}::text[]::jsonb[])`;
}

/** Filters of the list of threads; an absent one matches everything. */
export interface ThreadFilters {
  /** Our side of them. */
  number?: string[];
  /** The other side. */
  contact?: string[];
  /** The beginning of the other side's number. */
  q?: string;
}

/**
 * The newest inbound message of each pair of numbers. A contact sends few messages, one of our numbers receives many: comparing expressions
 * instead of columns keeps the planner from the index by our number.
 */
export function listThreadRows(
  db: Db,
  tenant: Tenant,
  given: { filters: ThreadFilters; cut: PageCut | null },
): PromiseLike<Rows<SmsRow>> & Fragment {
  const tag = sql(db);
  const { number, contact, q } = given.filters;
  return tag<SmsRow>`
    select ${smsColumns} from sms s where s.project_id = ${tenant.project_id} and s.livemode = ${tenant.livemode} and s.status = 'received'
      ${number === undefined ? tag`` : tag`and s.recipient = any (${number}::text[])`}
      ${contact === undefined ? tag`` : tag`and s.sender = any (${contact}::text[])`}
      ${q === undefined ? tag`` : tag`and s.sender like ${likeStart(q)}`}
      and s.id = (
        select newest.id from sms newest
        where newest.project_id = s.project_id and newest.livemode = s.livemode
          and newest.sender = s.sender and newest.recipient || '' = s.recipient and newest.status = 'received'
        order by newest.id desc limit 1)
      ${listEnd(db, tag`s.id`, given.cut)}`;
}

/** The newest message sent to each of some contacts, from the number that they wrote to. */
export async function listNewestSent(db: Db, tenant: Tenant, pairs: readonly { contact: string; number: string }[]): Promise<SmsRow[]> {
  if (pairs.length === 0) return [];
  return sql(db)<SmsRow>`
    select ${smsColumns.of("newest")}
    from unnest(${pairs.map(({ contact }) => contact)}::text[], ${pairs.map(({ number }) => number)}::text[]) as pair (contact, number)
    cross join lateral (
      select ${smsColumns.of("s")} from sms s where s.project_id = ${tenant.project_id} and s.livemode = ${tenant.livemode}
        and s.recipient = pair.contact and s.sender || '' = pair.number
      order by s.id desc limit 1) newest`;
}

export async function findSmsId(db: Db, tenant: Tenant, id: string): Promise<string | null> {
  const [row] = await sql(db)<Pick<SmsRow, "id">>`
    select id from sms where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id = ${id}`;
  return row?.id ?? null;
}

/** A message's text, null once it is no longer retained, and the ids that carriers gave its parts, in order. */
export interface SmsContents {
  body: string | null;
  provider_message_ids: string[];
}

/** Messages of any tenants with their contents: reads that wait at the same moment share this statement. */
export async function listFullSms(db: Db, keys: readonly SmsKey[]): Promise<(SmsRow & SmsContents)[]> {
  return sql(db)<SmsRow & SmsContents>`
    -- all tenants: each key names its own project and environment
    select ${smsColumns.of("s")}, b.body, array(
      select p.provider_message_id from sms_parts p
      where p.project_id = s.project_id and p.livemode = s.livemode and p.sms_id = s.id and p.provider_message_id is not null
      order by p.place) as provider_message_ids
    from unnest(${keys.map((key) => key.project_id)}::text[], ${keys.map((key) => String(key.livemode))}::text[]::boolean[],
      ${keys.map((key) => key.id)}::text[]) as key (project_id, livemode, id)
    join sms s on s.project_id = key.project_id and s.livemode = key.livemode and s.id = key.id
    left join sms_bodies b on b.project_id = s.project_id and b.livemode = s.livemode and b.sms_id = s.id`;
}

/** The contents of messages of one tenant. */
export async function listContents(db: Db, tenant: Tenant, ids: readonly string[]): Promise<(SmsContents & { id: string })[]> {
  const { project_id, livemode } = tenant;
  return sql(db)<SmsContents & { id: string }>`
    select given.id, b.body, array(
      select p.provider_message_id from sms_parts p
      where p.project_id = ${project_id} and p.livemode = ${livemode} and p.sms_id = given.id and p.provider_message_id is not null
      order by p.place) as provider_message_ids
    from unnest(${[...ids]}::text[]) as given (id)
    left join sms_bodies b on b.project_id = ${project_id} and b.livemode = ${livemode} and b.sms_id = given.id`;
}

/** One attempt to send one message. */
export interface SmsAttemptRow extends Tenant {
  /** The message's id and the attempt's number. */
  id: string;
  sms_id: string;
  /** Counts from 1. */
  attempt: number;
  /** `started`: it is in progress. */
  result: (typeof smsAttemptResults)[number];
  provider: string | null;
  code: string | null;
  message: string | null;
  provider_code: string | null;
  segments_sent: number;
  created_at: Date;
  finished_at: Date | null;
}

/** How an attempt ended; `started` while it is in progress. */
export const smsAttemptResults = ["started", "accepted", "deferred", "refused", "unknown", "worker_lost"] as const;

export async function listAttemptRows(db: Db, tenant: Tenant, { id, limit }: { id: string; limit: number }): Promise<SmsAttemptRow[]> {
  return sql(db)<SmsAttemptRow>`
    select sms_id || '.' || attempt as id, project_id, livemode, sms_id, attempt, result, provider, code, message, provider_code,
      segments_sent, created_at, finished_at
    from sms_attempts where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and sms_id = ${id}
    order by attempt desc limit ${limit}`;
}
