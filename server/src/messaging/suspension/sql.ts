import type { Tenant } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";
import type { SendingChannel } from "../channel.ts";

/** A channel's messages that wait to be sent, counted up to a limit. */
export async function countWaiting(
  db: Db,
  tenant: Tenant,
  { channel, limit }: { channel: SendingChannel; limit: number },
): Promise<number> {
  const [row] = await sql(db)<{ total: number }>`
    select count(*) as total from (
      select from ${channel.messages.table(sql(db))} where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
        and status = any (${[...channel.waiting]}::text[]) limit ${limit}) held`;
  return row?.total ?? 0;
}
