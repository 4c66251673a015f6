import { type Db, sql } from "#platform/sql.ts";

/** A row of an earlier version whose transfer number is that of an older row, now that blanks and case no longer tell numbers apart. */
export interface SharedNumber {
  merchant_id: string;
  livemode: boolean;
  /** `receipt` or `payment`. */
  what: string;
  gateway: string;
  external_id: string;
  project_id: string;
}

/** Rows that the upgrade marked, oldest first. */
export async function listSharedNumbers(db: Db, limit: number): Promise<SharedNumber[]> {
  return sql(db)<SharedNumber>`
    -- all tenants: the operator's doctor lists what an upgrade marked
    select merchant_id, livemode, what, gateway, external_id, project_id from (
      select merchant_id, livemode, 'receipt' as what, channel as gateway, external_id, project_id, created_at from receipts
        where has_known_number
      union all
      select merchant_id, livemode, 'payment', gateway, external_id, project_id, created_at from received_payments
        where has_known_number) marked
    order by created_at, external_id limit ${limit}`;
}
