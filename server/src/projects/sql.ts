import { byKey, type Db, firstRow, type Pipe, type Sent, send, sql, type Tx } from "#platform/sql.ts";

/** A project's own settings; absent means the default. */
export interface ProjectSettings {
  branding?: { display_name?: string; color?: string; logo_asset_id?: string; support_email?: string };
  /** Whether buyers with an email address get a receipt when their LIVE order is paid. */
  buyer_receipts?: boolean;
  /** IANA name of the zone that determines the project's days. */
  time_zone?: string;
  /** Gateways in the order in which buyers see them; those that aren't listed follow in the installation's order. */
  gateway_order?: string[];
}

export interface ProjectRow {
  id: string;
  merchant_id: string;
  name: string;
  slug: string;
  default_currency: string;
  settings: ProjectSettings;
  version: number;
  created_at: Date;
  updated_at: Date;
}

export async function insertProject(tx: Tx, row: Omit<ProjectRow, "version" | "updated_at">): Promise<ProjectRow> {
  const [inserted] = await sql(tx)<ProjectRow>`
    insert into projects (id, merchant_id, name, slug, default_currency, settings, created_at, updated_at)
    values (${row.id}, ${row.merchant_id}, ${row.name}, ${row.slug}, ${row.default_currency}, ${sql(tx).json(row.settings)},
      ${row.created_at}, ${row.created_at})
    returning id, merchant_id, name, slug, default_currency, settings, version, created_at, updated_at`;
  return inserted as ProjectRow;
}

/** Locks the merchant, so that concurrent requests can't each open the last project allowed; returns how many it has. */
export async function lockProjectCount(tx: Tx, merchantId: string): Promise<number> {
  await sql(tx)`select from merchants where id = ${merchantId} for no key update`;
  const [row] = await sql(tx)<{ count: number }>`select count(*)::int as count from projects where merchant_id = ${merchantId}`;
  return row?.count ?? 0;
}

export function findProjectRow<On extends Db | Pipe>(db: On, projectId: string): Sent<On, ProjectRow | null> {
  return send(
    db,
    byKey(db)<ProjectRow>`
    select id, merchant_id, name, slug, default_currency, settings, version, created_at, updated_at from projects where id = ${projectId}`,
    firstRow,
  );
}

export async function listProjectRows(db: Db, merchantId: string): Promise<ProjectRow[]> {
  return await sql(db)<ProjectRow>`
    select id, merchant_id, name, slug, default_currency, settings, version, created_at, updated_at from projects
    where merchant_id = ${merchantId} order by id desc`;
}

export async function lockProjectRow(tx: Tx, projectId: string): Promise<ProjectRow | null> {
  const [row] = await sql(tx)<ProjectRow>`
    select id, merchant_id, name, slug, default_currency, settings, version, created_at, updated_at from projects
    where id = ${projectId} for update`;
  return row ?? null;
}

export async function updateProjectRow(
  tx: Tx,
  row: Pick<ProjectRow, "id" | "name" | "slug" | "default_currency" | "settings" | "updated_at">,
): Promise<ProjectRow> {
  const [changed] = await sql(tx)<ProjectRow>`
    update projects set name = ${row.name}, slug = ${row.slug}, default_currency = ${row.default_currency},
      settings = ${sql(tx).json(row.settings)}, updated_at = ${row.updated_at}, version = version + 1
    where id = ${row.id}
    returning id, merchant_id, name, slug, default_currency, settings, version, created_at, updated_at`;
  return changed as ProjectRow;
}
