import type { Tenant } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";
import type { SendingChannel } from "../channel.ts";

export async function countMessage(db: Db, tenant: Tenant, { channel, id }: { channel: SendingChannel; id: string }): Promise<number> {
  const rows = await sql(db)<{ id: string }>`
    select id from ${channel.messages.table(sql(db))} where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
      and id = ${id}`;
  return rows.count;
}
