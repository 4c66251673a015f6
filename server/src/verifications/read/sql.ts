import type { Tenant } from "#platform/index.ts";
import { type Db, type Fragment, listEnd, type PageCut, type Rows, sql } from "#platform/sql.ts";
import { verificationColumns } from "../rows/rows.sql.ts";
import type { CodeChannel, VerificationRow } from "../shapes.ts";

/** Filters of the list; an absent one matches everything. */
export interface VerificationFilters {
  status?: string[];
  to?: string[];
  channel?: string[];
  created_gte?: Date;
  created_gt?: Date;
  created_lte?: Date;
  created_lt?: Date;
}

interface Listing {
  filters: VerificationFilters;
  /** Only those whose channels are all among these. */
  readable: readonly CodeChannel[];
  cut: PageCut | null;
}

export function listVerificationRows(
  db: Db,
  tenant: Tenant,
  { filters, readable, cut }: Listing,
): PromiseLike<Rows<VerificationRow>> & Fragment {
  const tag = sql(db);
  const { status, to, channel } = filters;
  return tag<VerificationRow>`
    select ${verificationColumns} from verifications v where v.project_id = ${tenant.project_id} and v.livemode = ${tenant.livemode}
      and v.channels <@ ${[...readable]}::text[]
      ${status === undefined ? tag`` : tag`and v.status = any (${status}::text[])`}
      ${to === undefined ? tag`` : tag`and v.recipient = any (${to}::text[])`}
      ${channel === undefined ? tag`` : tag`and v.channel = any (${channel}::text[])`}
      ${filters.created_gte === undefined ? tag`` : tag`and v.created_at >= ${filters.created_gte}`}
      ${filters.created_gt === undefined ? tag`` : tag`and v.created_at > ${filters.created_gt}`}
      ${filters.created_lte === undefined ? tag`` : tag`and v.created_at <= ${filters.created_lte}`}
      ${filters.created_lt === undefined ? tag`` : tag`and v.created_at < ${filters.created_lt}`}
      ${listEnd(db, tag`v.id`, cut)}`;
}

/** The newest verification of a recipient that still accepts codes, or null. */
export async function findPendingRow(db: Db, tenant: Tenant, recipient: string): Promise<VerificationRow | null> {
  const [row] = await sql(db)<VerificationRow>`
    select ${verificationColumns} from verifications
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and recipient = ${recipient} and status = 'pending'
      and expires_at > app_now()
    order by id desc limit 1`;
  return row ?? null;
}
