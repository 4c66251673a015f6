import type { Ctx } from "#platform/index.ts";
import { identityErrors } from "../errors.ts";
import type { MerchantRow } from "../merchants/sql.ts";
import type { Visitor } from "../people/visitor.ts";
import { hashKeyText, isKeyText, keyFault } from "./key-text.ts";
import { findKeyByHash, type KeyOwnerRow } from "./sql.ts";

/** Who credentials act for and what they may do: an API key, or a signed-in person. */
export interface Principal {
  readonly kind: "api_key" | "person";
  /** What requests are counted by: the id of the key, or of the session. */
  readonly key_id: string;
  readonly merchant_id: string;
  readonly merchant_name: string;
  readonly merchant_verified: boolean;
  readonly messaging_tier: MerchantRow["messaging_tier"];
  readonly project_id: string;
  readonly livemode: boolean;
  readonly scopes: ReadonlySet<string>;
  readonly allowed_ips: readonly string[];
  readonly expires_at: Date | null;
  /** The only account whose transfers an API key may report (`channel:account`); null: any. */
  readonly receiving_account: string | null;
  /** null for an API key. */
  readonly visitor: Visitor | null;
}

const unknownKey = "This API key doesn't exist here. Check that it belongs to this installation.";

/**
 * Looks a key up in the database, without a cache. `leftMs`: how long it still works; null: indefinitely. Throws api_key_invalid,
 * api_key_expired or api_key_revoked.
 */
export async function findPrincipal(ctx: Pick<Ctx, "db">, keyText: string): Promise<{ principal: Principal; leftMs: number | null }> {
  if (!isKeyText(keyText)) throw identityErrors.api_key_invalid({ message: keyFault(keyText) });
  const row = await findKeyByHash(ctx.db, hashKeyText(keyText));
  if (row === null) throw identityErrors.api_key_invalid({ message: unknownKey });
  const principal = readPrincipal(row);
  return { principal, leftMs: principal.expires_at === null ? null : principal.expires_at.getTime() - row.now.getTime() };
}

function readPrincipal(row: KeyOwnerRow): Principal {
  if (row.revoked_at !== null && row.revoked_at <= row.now) throw identityErrors.api_key_revoked();
  if (row.expires_at !== null && row.expires_at <= row.now) throw identityErrors.api_key_expired();
  return {
    kind: "api_key",
    key_id: row.id,
    merchant_id: row.merchant_id,
    merchant_name: row.merchant_name,
    merchant_verified: row.verification_status === "verified",
    messaging_tier: row.messaging_tier,
    project_id: row.project_id,
    livemode: row.livemode,
    scopes: new Set(row.permissions),
    allowed_ips: row.allowed_ips,
    expires_at: earlier(row.expires_at, row.revoked_at),
    receiving_account: row.receiving_account,
    visitor: null,
  };
}

function earlier(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}
