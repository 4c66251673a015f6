import type { Tenant } from "#platform/index.ts";
import { type Db, type Fragment, listEnd, type PageCut, type Rows, sql } from "#platform/sql.ts";

/** A callback that was refused, or that matches no account. */
export interface StrayRow {
  id: string;
  /** The tenant of its account; null if none matched. */
  project_id: string | null;
  livemode: boolean | null;
  gateway: string;
  /** Its account; null if none matched. */
  credential_id: string | null;
  reason: string;
  path: string;
  headers: Record<string, string>;
  /** Its length. */
  bytes: number;
  /** The start of its body. */
  body: Uint8Array;
  received_at: Date;
}

/** How much of a body is stored for people to read. */
const bodyMax = 4_096;

/**
 * Refused callbacks, newest first: those of one account, or all of them. They belong to no tenant, because most of them match no account.
 */
export function listStrayRows(
  db: Db,
  given: { credential_id: string | null; reason: readonly string[] | null; cut: PageCut | null },
): PromiseLike<Rows<StrayRow>> & Fragment {
  return sql(db)<StrayRow>`
    -- all tenants: a refused callback has the project of its account, if it led to one
    select s.id, c.project_id, c.livemode, s.gateway, s.credential_id, s.reason, s.path, s.headers, length(s.body) as bytes,
      substring(s.body from 1 for ${bodyMax}) as body, s.received_at
    from gateway_strays s left join gateway_credentials c on c.id = s.credential_id
    where (${given.credential_id}::text is null or s.credential_id = ${given.credential_id})
      and (${given.reason}::text[] is null or s.reason = any (${given.reason}::text[]))
      ${listEnd(db, sql(db)`s.id`, given.cut)}`;
}

export async function findStrayId(db: Db, given: { credential_id: string | null; id: string }): Promise<{ id: string } | null> {
  const [row] = await sql(db)<{ id: string }>`
    select id from gateway_strays
    where id = ${given.id} and (${given.credential_id}::text is null or credential_id = ${given.credential_id})`;
  return row ?? null;
}

/** An account's newest verified callback; null if there is none, or none recently. */
export async function findNewestCallback(
  db: Db,
  tenant: Tenant,
  credentialId: string,
): Promise<{ event: string; received_at: Date } | null> {
  const [row] = await sql(db)<{ event: string; received_at: Date }>`
    select event, received_at from gateway_callbacks
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and credential_id = ${credentialId}
    order by received_at desc limit 1`;
  return row ?? null;
}

/** An account's newest refused callback. One about an unknown payment says nothing about the account's setup. */
export async function findNewestStray(db: Db, credentialId: string): Promise<{ reason: string; received_at: Date } | null> {
  const [row] = await sql(db)<{ reason: string; received_at: Date }>`
    select reason, received_at from gateway_strays where credential_id = ${credentialId} and reason <> 'nobody'
      order by received_at desc, id desc limit 1`;
  return row ?? null;
}
