import { isoOf, type Tenant, type Tx } from "#platform/index.ts";
import { byKey, type ColumnsOf, columns, type Db, type Pipe, type Sent, send, sql } from "#platform/sql.ts";
import type { VerificationKey, VerificationRow } from "../shapes.ts";

export const verificationColumns: ColumnsOf<VerificationRow> = columns(
  "verifications",
  `
  project_id, livemode, id, status, version, sequence, last_event, recipient, country, channels, channel, sender, locale, template, origin,
  code_length, key_number, checks_left, sends_left, sends, fallback_s, fallback_at, error, tier, metadata, due_at, looks, expires_at,
  ended_at, created_at, updated_at`,
);

/** A locked verification with the MAC of its code; null once it has ended. */
export type HeldVerification = VerificationRow & { code_mac: string | null };

export async function findVerificationRow(db: Db, tenant: Tenant, id: string): Promise<VerificationRow | null> {
  const [row] = await byKey(db)<VerificationRow>`
    select ${verificationColumns} from verifications where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
      and id = ${id}`;
  return row ?? null;
}

/** Locks verifications of any tenants until this transaction ends, in the same order everywhere. */
export async function lockVerifications(tx: Tx, keys: readonly VerificationKey[]): Promise<HeldVerification[]> {
  return sql(tx)<HeldVerification>`
    -- all tenants: each key names its own project and environment
    select ${verificationColumns.of("v")}, v.code_mac from verifications v
    join unnest(${keys.map((key) => key.project_id)}::text[], ${keys.map((key) => String(key.livemode))}::text[]::boolean[],
      ${keys.map((key) => key.id)}::text[]) as key (project_id, livemode, id)
      on v.project_id = key.project_id and v.livemode = key.livemode and v.id = key.id
    order by v.project_id, v.livemode, v.id for no key update of v`;
}

export async function insertVerification(tx: Tx, row: HeldVerification): Promise<void> {
  const tag = sql(tx);
  await tag`
    insert into verifications (project_id, livemode, id, status, recipient, country, channels, channel, sender, locale, template, origin,
      code_length, code_mac, key_number, checks_left, sends_left, fallback_s, tier, metadata, due_at, expires_at, created_at, updated_at)
    values (${row.project_id}, ${row.livemode}, ${row.id}, ${row.status}, ${row.recipient}, ${row.country}, ${row.channels}::text[],
      ${row.channel}, ${row.sender}, ${row.locale}, ${row.template}, ${row.origin}, ${row.code_length}, ${row.code_mac}, ${row.key_number},
      ${row.checks_left}, ${row.sends_left}, ${row.fallback_s}, ${row.tier}, ${tag.json(row.metadata)}, ${row.due_at}, ${row.expires_at},
      ${row.created_at}, ${row.created_at})`;
}

/** Writes a locked verification, and deletes the MAC of an ended one. A transition that isn't among `moves` changes nothing. */
export function updateVerification<On extends Tx | Pipe>(tx: On, row: HeldVerification, moves: readonly string[]): Sent<On, number> {
  const tag = sql(tx);
  return send(
    tx,
    tag`
    update verifications set status = ${row.status}, version = ${row.version}, sequence = ${row.sequence}, last_event = ${row.last_event},
      channel = ${row.channel}, code_mac = ${row.status === "pending" ? row.code_mac : null}, key_number = ${row.key_number},
      checks_left = ${row.checks_left}, sends_left = ${row.sends_left}, sends = ${tag.json(row.sends)},
      fallback_at = ${isoOf(row.fallback_at)}, error = ${row.error === null ? null : tag.json(row.error)}, due_at = ${row.due_at},
      looks = ${row.looks}, ended_at = ${isoOf(row.ended_at)}, updated_at = ${row.updated_at}
    where project_id = ${row.project_id} and livemode = ${row.livemode} and id = ${row.id}
      and (status = ${row.status} or status || '>' || ${row.status} = any (${[...moves]}::text[]))`,
    (written) => written.count,
  );
}
