import { type Db, sql, type Tx } from "#platform/sql.ts";

export type VerificationStatus = "pending" | "verified" | "rejected";

export interface MerchantRow {
  id: string;
  display_name: string;
  country: string | null;
  verification_status: VerificationStatus;
  verified_at: Date | null;
  messaging_tier: "free" | "starter" | "pro" | "enterprise";
  version: number;
  created_at: Date;
  updated_at: Date;
}

export async function insertMerchant(
  tx: Tx,
  row: Pick<MerchantRow, "id" | "display_name" | "country" | "messaging_tier" | "created_at">,
): Promise<MerchantRow> {
  const [inserted] = await sql(tx)<MerchantRow>`
    insert into merchants (id, display_name, country, messaging_tier, created_at, updated_at)
    values (${row.id}, ${row.display_name}, ${row.country}, ${row.messaging_tier}, ${row.created_at}, ${row.created_at})
    returning id, display_name, country, verification_status, verified_at, messaging_tier, version, created_at, updated_at`;
  return inserted as MerchantRow;
}

export async function findMerchantRow(db: Db, merchantId: string): Promise<MerchantRow | null> {
  const [row] = await sql(db)<MerchantRow>`
    select id, display_name, country, verification_status, verified_at, messaging_tier, version, created_at, updated_at
    from merchants where id = ${merchantId}`;
  return row ?? null;
}

export async function updateVerification(
  tx: Tx,
  merchantId: string,
  given: { status: VerificationStatus; verified_at: Date | null; now: Date },
): Promise<MerchantRow | null> {
  const [row] = await sql(tx)<MerchantRow>`
    update merchants set verification_status = ${given.status}, verified_at = ${given.verified_at}, version = version + 1, updated_at = ${given.now}
    where id = ${merchantId}
    returning id, display_name, country, verification_status, verified_at, messaging_tier, version, created_at, updated_at`;
  return row ?? null;
}

export async function findVerificationOfProject(db: Db, projectId: string): Promise<VerificationStatus | null> {
  const [row] = await sql(db)<{ verification_status: VerificationStatus }>`
    select m.verification_status from projects p join merchants m on m.id = p.merchant_id where p.id = ${projectId}`;
  return row?.verification_status ?? null;
}

export async function lockMerchant(tx: Tx, merchantId: string): Promise<MerchantRow | null> {
  const [row] = await sql(tx)<MerchantRow>`
    select id, display_name, country, verification_status, verified_at, messaging_tier, version, created_at, updated_at
    from merchants where id = ${merchantId} for update`;
  return row ?? null;
}

export async function updateMerchant(
  tx: Tx,
  row: Pick<MerchantRow, "id" | "display_name" | "country" | "messaging_tier" | "updated_at">,
): Promise<MerchantRow> {
  const [changed] = await sql(tx)<MerchantRow>`
    update merchants set display_name = ${row.display_name}, country = ${row.country}, messaging_tier = ${row.messaging_tier},
      version = version + 1, updated_at = ${row.updated_at}
    where id = ${row.id}
    returning id, display_name, country, verification_status, verified_at, messaging_tier, version, created_at, updated_at`;
  return changed as MerchantRow;
}
