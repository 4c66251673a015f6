import type { Tag } from "#messaging/index.ts";
import { canonicalAddress, findCursor, type Tenant } from "#platform/index.ts";
import { cutOf, type Db, type Fragment, likeStart, listEnd, type PageCut, type Rows, sql } from "#platform/sql.ts";
import { emailColumns } from "../rows.sql.ts";
import type { AttemptResult, EmailRow } from "../shapes.ts";

/** One attempt to send one recipient's copy. */
export interface AttemptRow extends Tenant {
  /** The copy's id and the attempt's number. */
  id: string;
  email_id: string;
  recipient: string;
  /** Counts from 1. */
  attempt: number;
  /** `started`: it is in progress. */
  result: AttemptResult;
  provider: string | null;
  remote: string | null;
  smtp_code: number | null;
  enhanced_code: string | null;
  diagnostic: string | null;
  created_at: Date;
  finished_at: Date | null;
}

/** Filters of the list; an absent one matches everything. */
export interface EmailFilters {
  status?: string[];
  /** Bare addresses. */
  from?: string[];
  to?: string[];
  tag?: Tag[];
  batch_id?: string[];
  created_gte?: Date;
  created_gt?: Date;
  created_lte?: Date;
  created_lt?: Date;
  /** An id, or the beginning of a recipient's address. */
  q?: string;
}

export function listEmailRows(
  db: Db,
  tenant: Tenant,
  given: { filters: EmailFilters; cut: PageCut | null },
): PromiseLike<Rows<EmailRow>> & Fragment {
  const tag = sql(db);
  return tag<EmailRow>`
    select ${emailColumns} ${findCursor(db, tenant, { table: tag`emails`, cut: given.cut })}
    from emails e where ${whereOf(db, tenant, given.filters)} ${listEnd(db, tag`e.id`, cutOf(given))}`;
}

function whereOf(db: Db, tenant: Tenant, filters: EmailFilters): Fragment {
  const tag = sql(db);
  const { status, from, to, batch_id, q } = filters;
  return tag`e.project_id = ${tenant.project_id} and e.livemode = ${tenant.livemode}
    ${status === undefined ? tag`` : tag`and e.status = any (${status}::text[])`}
    ${from === undefined ? tag`` : tag`and e.from_address = any (${from.flatMap(spellingsOf)}::text[])`}
    ${to === undefined ? tag`` : hasRecipient(db, to)}
    ${filters.tag === undefined ? tag`` : hasTag(db, filters.tag)}
    ${batch_id === undefined ? tag`` : tag`and e.batch_id = any (${batch_id}::text[])`}
    ${filters.created_gte === undefined ? tag`` : tag`and e.created_at >= ${filters.created_gte}`}
    ${filters.created_gt === undefined ? tag`` : tag`and e.created_at > ${filters.created_gt}`}
    ${filters.created_lte === undefined ? tag`` : tag`and e.created_at <= ${filters.created_lte}`}
    ${filters.created_lt === undefined ? tag`` : tag`and e.created_at < ${filters.created_lt}`}
    ${q === undefined ? tag`` : searchOf(db, tenant, q)}`;
}

function hasRecipient(db: Db, addresses: string[]): Fragment {
  return sql(db)`
    and exists (select from email_recipients r where r.project_id = e.project_id and r.livemode = e.livemode and r.email_id = e.id
    and lower(r.address) = any (${addresses.flatMap(spellingsOf)}::text[]))`;
}

function hasTag(db: Db, tags: Tag[]): Fragment {
  const wanted = tags.map(({ name, value }) => JSON.stringify([{ name, value }]));
  return sql(db)`and e.tags <> '[]' and e.tags @> any (${wanted}::text[]::jsonb[])`;
}

/** As one set of ids: an `or` next to `exists` would read every message. */
function searchOf(db: Db, tenant: Tenant, q: string): Fragment {
  const prefix = likeStart(q.toLowerCase());
  return sql(db)`and e.id in (select ${q}::text collate "C" union all select r.email_id from email_recipients r
    where r.project_id = ${tenant.project_id} and r.livemode = ${tenant.livemode} and lower(r.address) like ${prefix})`;
}

export async function countEmail(db: Db, tenant: Tenant, id: string): Promise<number> {
  const rows = await sql(db)<Pick<EmailRow, "id">>`
    select id from emails where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id = ${id}`;
  return rows.count;
}

export async function findEmailId(db: Db, tenant: Tenant, id: string): Promise<string | null> {
  return (await countEmail(db, tenant, id)) === 0 ? null : id;
}

/** The attempts of a message's copies, newest first. */
export async function listAttemptRows(db: Db, tenant: Tenant, { id, limit }: { id: string; limit: number }): Promise<AttemptRow[]> {
  return sql(db)<AttemptRow>`
    select a.recipient_id || '.' || a.attempt as id, a.project_id, a.livemode, a.email_id, r.address as recipient, a.attempt, a.result,
      a.provider, a.remote, a.smtp_code, a.enhanced_code, a.diagnostic, a.created_at, a.finished_at
    from email_attempts a
    join email_recipients r on r.project_id = a.project_id and r.livemode = a.livemode and r.email_id = a.email_id and r.id = a.recipient_id
    where a.project_id = ${tenant.project_id} and a.livemode = ${tenant.livemode} and a.email_id = ${id}
    order by a.created_at desc, r.position desc, a.attempt desc limit ${limit}`;
}

/** Addresses are stored as given, except for the domain. */
function spellingsOf(address: string): string[] {
  return [...new Set([address.trim().toLowerCase(), canonicalAddress(address)])];
}
