import { amongWanted, type Tx, type WantedRows } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";
import { verificationColumns } from "../rows/rows.sql.ts";
import type { VerificationKey, VerificationRow } from "../shapes.ts";

/** Pending verifications that are due for a check, the oldest first. */
export async function listDueVerifications(db: Db, wanted: WantedRows): Promise<VerificationRow[]> {
  const tag = sql(db);
  return tag<VerificationRow>`
    -- all tenants: one loop serves every tenant
    select ${verificationColumns} from verifications
    where status = 'pending' and due_at <= app_now() ${amongWanted(tag, tag`id`, wanted)}
    order by due_at limit ${wanted.limit}`;
}

/** Schedules a pending verification's next check. */
export async function updateDue(tx: Tx, { project_id, livemode, id }: VerificationKey, seconds: number): Promise<void> {
  await sql(tx)`
    update verifications set due_at = app_now() + ${seconds} * interval '1 second'
    where project_id = ${project_id} and livemode = ${livemode} and id = ${id} and status = 'pending'`;
}
