import type { Tenant } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";
import type { CodeChannel } from "../shapes.ts";

/** Results of the ended verifications of a channel and a country. */
export interface ConversionRow {
  channel: CodeChannel;
  /** null for addresses. */
  country: string | null;
  ended: number;
  approved: number;
}

interface Span {
  days: number;
  /** Only those whose channels are all among these. */
  readable: readonly CodeChannel[];
  limit: number;
}

/** Of the last `days` days, by the channel of the last code, the most frequent first. */
export async function listConversion(db: Db, tenant: Tenant, { days, readable, limit }: Span): Promise<ConversionRow[]> {
  return sql(db)<ConversionRow>`
    select channel, country, count(*)::int as ended, (count(*) filter (where status = 'approved'))::int as approved from verifications
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and created_at > app_now() - ${days} * interval '1 day'
      and status <> 'pending' and channels <@ ${[...readable]}::text[]
    group by channel, country order by count(*) desc, channel, country limit ${limit}`;
}
