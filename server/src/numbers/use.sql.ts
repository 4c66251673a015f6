import type { Tenant } from "#platform/index.ts";
import { byKey, type Db, sql } from "#platform/sql.ts";
import type { NumberChannel } from "./sql.ts";

/** True if a project has a number, for a channel and a country. */
export async function findApproved(
  db: Db,
  tenant: Tenant,
  given: { value: string; channel: NumberChannel; country: string },
): Promise<boolean> {
  const [row] = await byKey(db)`
    select 1 from numbers where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and value = ${given.value}
      and status = 'approved' and ${given.channel} = any (channels) and (countries is null or ${given.country} = any (countries))`;
  return row !== undefined;
}

/**
 * What a project's SMS or calls to a country come from by default: a number of that country before others, then a short code, then a name;
 * the earliest approved first.
 */
export async function findUsualValue(
  db: Db,
  tenant: Tenant,
  { channel, country }: { channel: NumberChannel; country: string },
): Promise<string | null> {
  const [row] = await sql(db)<{ value: string }>`
    select value from numbers where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and status = 'approved'
      and ${channel} = any (channels) and (countries is null or ${country} = any (countries))
    order by country is distinct from ${country}, country is null, kind = 'alphanumeric', decided_at, id limit 1`;
  return row?.value ?? null;
}

/** The project that a LIVE number belongs to. */
export async function findOwnerRow(db: Db, value: string): Promise<Tenant | null> {
  const [row] = await sql(db)<Tenant>`
    -- all tenants: a message that comes in names a number and no project
    select project_id, livemode from numbers where value = ${value} and kind = 'number' and livemode and status = 'approved'`;
  return row ?? null;
}
