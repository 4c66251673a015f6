import type { Tenant, Tx } from "#platform/index.ts";
import { sql } from "#platform/sql.ts";

/** Projects that have unsent LIVE messages from a number to a recipient. Each project is looked up in its index of recipients. */
export async function listUnsentOwners(tx: Tx, { sender, recipient }: { sender: string; recipient: string }): Promise<Tenant[]> {
  return sql(tx)<Tenant>`
    -- all tenants: a number may have belonged to several projects
    select p.id as project_id, true as livemode from projects p cross join lateral (
      select from sms s where s.project_id = p.id and s.livemode and s.recipient = ${recipient} and s.sender = ${sender}
        and s.state <> 'done' and s.keyword is null limit 1) unsent
    order by p.id`;
}
