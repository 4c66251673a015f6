import type { Tenant } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";

/** The key of a credential. */
export type CredentialPlace = Tenant & { credential_id: string };

/** An account by its id; a removed one still gets callbacks about its payments. */
export async function findCredentialPlace(db: Db, given: { gateway: string; id: string }): Promise<CredentialPlace | null> {
  const [row] = await sql(db)<CredentialPlace>`
    -- all tenants: a provider holds nothing but the address that it was given
    select project_id, livemode, id as credential_id from gateway_credentials where id = ${given.id} and gateway = ${given.gateway}`;
  return row ?? null;
}

/**
 * The accounts that a callback can be for: with the provider's id for the account, or with a key of this name among their public fields. If
 * several match, none is used; those that started the payment come first, however many projects have entered the same account. Removed
 * ones are only found among these.
 */
export async function listPlacesOfHint(
  db: Db,
  given: { gateway: string; account?: string; keyId?: string; ofPayment: readonly CredentialPlace[] },
): Promise<CredentialPlace[]> {
  const { gateway, account = null, keyId = null } = given;
  const ofPayment = given.ofPayment.map(({ credential_id }) => credential_id);
  return sql(db)<CredentialPlace>`
    -- all tenants: a callback says of itself whose it is
    select c.project_id, c.livemode, c.id as credential_id from gateway_credentials c
    where c.gateway = ${gateway} and (c.removed_at is null or c.id = any (${ofPayment}::text[]))
      and case when ${account}::text is null then exists (select from jsonb_each_text(c.fields) f where f.value = ${keyId})
        else c.account = ${account} or exists (select from jsonb_each_text(c.fields) f where f.value = ${account}) end
    order by c.id = any (${ofPayment}::text[]) desc limit 3`;
}

/** Of some accounts, those without a known name at the provider. */
export async function listUnnamedPlaces(db: Db, places: readonly CredentialPlace[]): Promise<CredentialPlace[]> {
  const ids = places.map(({ credential_id }) => credential_id);
  return sql(db)<CredentialPlace>`
    -- all tenants: a callback says of itself whose it is
    select project_id, livemode, id as credential_id from gateway_credentials where id = any (${ids}::text[]) and account is null limit 3`;
}
