import type { Tag } from "#messaging/index.ts";
import type { Tenant } from "#platform/index.ts";
import { cutOf, type Db, type Fragment, likeStart, listEnd, type PageCut, type Rows, sql } from "#platform/sql.ts";
import { callColumns } from "../rows.sql.ts";
import type { CallRow } from "../shapes.ts";

/** Filters of the list; an absent one matches everything. */
export interface CallFilters {
  status?: string[];
  from?: string[];
  to?: string[];
  tag?: Tag[];
  batch_id?: string[];
  created_gte?: Date;
  created_gt?: Date;
  created_lte?: Date;
  created_lt?: Date;
  /** An id, or the beginning of a callee's number. */
  q?: string;
}

export function listCallRows(
  db: Db,
  tenant: Tenant,
  given: { filters: CallFilters; cut: PageCut | null },
): PromiseLike<Rows<CallRow>> & Fragment {
  return sql(db)<CallRow>`
    select ${callColumns} from calls c where ${whereOf(db, tenant, given.filters)} ${listEnd(db, sql(db)`c.id`, cutOf(given))}`;
}

function whereOf(db: Db, tenant: Tenant, filters: CallFilters): Fragment {
  const tag = sql(db);
  const { status, from, to, batch_id, q } = filters;
  return tag`c.project_id = ${tenant.project_id} and c.livemode = ${tenant.livemode}
    ${status === undefined ? tag`` : tag`and c.status = any (${status}::text[])`}
    ${from === undefined ? tag`` : tag`and c.from_number = any (${from}::text[])`}
    ${to === undefined ? tag`` : tag`and c.to_number = any (${to}::text[])`}
    ${filters.tag === undefined ? tag`` : hasTag(db, filters.tag)}
    ${batch_id === undefined ? tag`` : tag`and c.batch_id = any (${batch_id}::text[])`}
    ${filters.created_gte === undefined ? tag`` : tag`and c.created_at >= ${filters.created_gte}`}
    ${filters.created_gt === undefined ? tag`` : tag`and c.created_at > ${filters.created_gt}`}
    ${filters.created_lte === undefined ? tag`` : tag`and c.created_at <= ${filters.created_lte}`}
    ${filters.created_lt === undefined ? tag`` : tag`and c.created_at < ${filters.created_lt}`}
    ${q === undefined ? tag`` : tag`and (c.id = ${q} or c.to_number like ${likeStart(q)})`}`;
}

function hasTag(db: Db, tags: Tag[]): Fragment {
  const wanted = tags.map(({ name, value }) => JSON.stringify([{ name, value }]));
  return sql(db)`and c.tags <> '[]' and c.tags @> any (${wanted}::text[]::jsonb[])`;
}
