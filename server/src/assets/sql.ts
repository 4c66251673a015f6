import type { Tenant, Tx } from "#platform/index.ts";
import { byKey, type ColumnsOf, columns, type Db, sql } from "#platform/sql.ts";

export type AssetPurpose = "collection_qr" | "payment_proof" | "logo";
export type DecodeFault = "no_code" | "several_codes";

export interface AssetRow extends Tenant {
  id: string;
  purpose: AssetPurpose;
  content_type: "image/jpeg" | "image/png";
  size_bytes: number;
  width: number;
  height: number;
  sha256: string;
  original_sha256: string;
  /** 256 characters, each 0 or 1. */
  phash: string;
  decoded_payload: string | null;
  /** Every distinct text that was read; one of several may still be the right one. */
  decoded_payloads: string[];
  decode_fault: DecodeFault | null;
  storage_key: string;
  created_at: Date;
  updated_at: Date;
}

const assetColumns: ColumnsOf<AssetRow> = columns(
  "assets",
  `
  project_id, livemode, id, purpose, content_type, size_bytes, width, height, sha256, original_sha256, phash, decoded_payload, decode_fault,
  storage_key, created_at, updated_at, decoded_payloads`,
);

export async function insertAsset(tx: Tx, row: AssetRow): Promise<void> {
  await sql(tx)`
    insert into assets (id, project_id, livemode, purpose, content_type, size_bytes, width, height, sha256, original_sha256, phash,
      decoded_payload, decoded_payloads, decode_fault, storage_key, created_at, updated_at)
    values (${row.id}, ${row.project_id}, ${row.livemode}, ${row.purpose}, ${row.content_type}, ${row.size_bytes}, ${row.width},
      ${row.height}, ${row.sha256}, ${row.original_sha256}, ${row.phash}, ${row.decoded_payload}, ${row.decoded_payloads},
      ${row.decode_fault}, ${row.storage_key}, ${row.created_at}, ${row.updated_at})`;
}

export async function findAsset(db: Db, tenant: Tenant, id: string): Promise<AssetRow | null> {
  const rows = await byKey(db)<AssetRow>`
    select ${assetColumns} from assets where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id = ${id}`;
  return rows[0] ?? null;
}

export async function findAssetAnywhere(db: Db, id: string): Promise<AssetRow | null> {
  const rows = await byKey(db)<AssetRow>`
    select ${assetColumns} from assets where id = ${id} -- all tenants: the signed address is the right to read, and it names no project`;
  return rows[0] ?? null;
}

/** Waits for transactions that are about to use the asset, so that the following count of its uses is final. */
export async function lockAsset(tx: Tx, tenant: Tenant, id: string): Promise<AssetRow | null> {
  const rows = await sql(tx)<AssetRow>`
    select ${assetColumns} from assets where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id = ${id} for update`;
  return rows[0] ?? null;
}

/** Keeps the asset from being deleted until this transaction ends; several transactions may use it at once. */
export async function lockAssetShared(tx: Tx, tenant: Tenant, id: string): Promise<AssetRow | null> {
  const rows = await sql(tx)<AssetRow>`
    select ${assetColumns} from assets where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
      and id = ${id} for key share`;
  return rows[0] ?? null;
}

export async function deleteAssetRow(tx: Tx, tenant: Tenant, id: string): Promise<void> {
  await sql(tx)`delete from assets where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id = ${id}`;
}

export async function insertLooks(tx: Tx, asset: AssetRow, shades: Uint8Array): Promise<void> {
  await sql(tx)`
    insert into asset_looks (project_id, livemode, asset_id, shades)
    values (${asset.project_id}, ${asset.livemode}, ${asset.id}, ${shades})`;
}

export async function findLooks(db: Db, asset: AssetRow): Promise<Buffer | null> {
  const rows = await sql(db)<{ shades: Buffer }>`
    select shades from asset_looks where project_id = ${asset.project_id} and livemode = ${asset.livemode} and asset_id = ${asset.id}`;
  return rows[0]?.shades ?? null;
}

/** Other pictures of the same purpose since `since` that are the same file or differ in at most `bits` of 256 gradients, newest first. */
export async function listAssetsAlike(
  db: Db,
  asset: AssetRow,
  near: { since: Date; bits: number; limit: number },
): Promise<(AssetRow & { shades: Buffer })[]> {
  return sql(db)<AssetRow & { shades: Buffer }>`
    select ${assetColumns.of("a")}, l.shades from assets a
    join asset_looks l on l.project_id = a.project_id and l.livemode = a.livemode and l.asset_id = a.id
    where a.project_id = ${asset.project_id} and a.livemode = ${asset.livemode} and a.purpose = ${asset.purpose} and a.id <> ${asset.id}
      and (a.original_sha256 = ${asset.original_sha256}
        or (a.created_at >= ${near.since} and bit_count(a.phash # ${asset.phash}::bit(256)) <= ${near.bits}))
    order by a.created_at desc, a.id desc limit ${near.limit}`;
}

export async function insertUse(tx: Tx, tenant: Tenant, use: { asset_id: string; used_by: string }): Promise<void> {
  await sql(tx)`
    insert into asset_uses (project_id, livemode, asset_id, used_by)
    values (${tenant.project_id}, ${tenant.livemode}, ${use.asset_id}, ${use.used_by}) on conflict do nothing`;
}

export async function deleteUse(tx: Tx, tenant: Tenant, use: { asset_id: string; used_by: string }): Promise<void> {
  await sql(tx)`
    delete from asset_uses where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
      and asset_id = ${use.asset_id} and used_by = ${use.used_by}`;
}

export async function countUses(tx: Tx, tenant: Tenant, assetId: string): Promise<number> {
  const rows = await sql(tx)<{ uses: number }>`
    select count(*) as uses from asset_uses
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and asset_id = ${assetId}`;
  return rows[0]?.uses ?? 0;
}

export async function insertUnownedFile(db: Db, storageKey: string, afterMs: number): Promise<void> {
  await sql(db)`
    insert into unowned_files (storage_key, due_at) values (${storageKey}, app_now() + ${afterMs} * interval '1 millisecond')
    on conflict (storage_key) do update set due_at = excluded.due_at`;
}

/** True if no asset owns the file. Waits for a transaction that is about to change that. */
export async function updateUnownedFile(db: Db, storageKey: string): Promise<boolean> {
  const rows = await sql(db)`update unowned_files set due_at = app_now() where storage_key = ${storageKey}`;
  return rows.count === 1;
}

export async function deleteUnownedFile(db: Db, storageKey: string): Promise<void> {
  await sql(db)`delete from unowned_files where storage_key = ${storageKey}`;
}

export async function listUnownedFiles(db: Db, limit: number): Promise<string[]> {
  const rows = await sql(db)<{ storage_key: string }>`
    select storage_key from unowned_files where due_at <= app_now() order by due_at limit ${limit}`;
  return rows.map((row) => row.storage_key);
}
