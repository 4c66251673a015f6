import { createHash } from "node:crypto";
import type { Ctx, Tenant } from "#platform/index.ts";
import { takesCurrency } from "../payment-methods.ts";
import type { GatewayManifest } from "../port.ts";
import { showCredential } from "../rows/show-credential.ts";
import { type Credential, type CredentialRow, listCredentialRows } from "../rows/sql.ts";
import type { GatewayAmount } from "../snapshots.ts";

interface Choice {
  gateway: string;
  amount: GatewayAmount;
  /** The payment's key, such as the order's id: the same key gives the same order, so that a repeat finds the previous account. */
  key: string;
}

/** The accounts of a gateway that can take a payment, ordered by `chooseAmong`. */
export async function chooseAccounts(ctx: Ctx, tenant: Tenant, choice: Choice): Promise<Credential[]> {
  return chooseAmong(ctx, await listCredentialRows(ctx.db, tenant, choice.gateway), choice).map(showCredential);
}

/**
 * A gateway's accounts that can take a payment, the first choice first: by position, and within a position randomly by weight. Omits
 * accounts that are paused, were refused by their provider, don't accept the amount or currency, or don't respond at the moment. A demo
 * account is only used if there is no other.
 */
export function chooseAmong(ctx: Pick<Ctx, "gateways">, rows: readonly CredentialRow[], { gateway, amount, key }: Choice): CredentialRow[] {
  const adapter = ctx.gateways.find(gateway);
  if (adapter === null || !takesAmount(adapter.manifest, amount)) return [];
  const real = rows.filter(({ demo }) => !demo);
  return (real.length === 0 ? rows : real)
    .filter((row) => row.enabled && !row.is_paused && row.status !== "failed" && fits(row, amount))
    .map((row) => ({ row, draw: drawOf(row, key) }))
    .sort((left, right) => left.row.position - right.row.position || left.draw - right.draw || (left.row.id < right.row.id ? -1 : 1))
    .map(({ row }) => row);
}

/** Whether a gateway can take a payment of this amount, whichever account it is for. */
export function takesAmount({ method, limits }: GatewayManifest, { amount_minor, currency }: GatewayAmount): boolean {
  if (!takesCurrency(method, currency) || amount_minor % limits.stepMinor(currency) !== 0) return false;
  return amount_minor >= limits.minMinor(currency) && amount_minor <= limits.maxMinor(currency);
}

function fits({ currencies, min_minor, max_minor }: Credential, { amount_minor, currency }: GatewayAmount): boolean {
  if (currencies !== null && !currencies.includes(currency)) return false;
  return amount_minor >= (min_minor ?? 0) && amount_minor <= (max_minor ?? Number.POSITIVE_INFINITY);
}

/** The lowest draw wins, in proportion to the weights, without any stored state. */
function drawOf({ id, weight }: Credential, key: string): number {
  const bytes = createHash("sha256").update(`${key} ${id}`).digest();
  const chance = (bytes.readUIntBE(0, 6) + 1) / 2 ** 48;
  return weight === 0 ? Number.MAX_VALUE : -Math.log(chance) / weight;
}
