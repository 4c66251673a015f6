import { createHash } from "node:crypto";
import type { Ctx, Tenant } from "#platform/index.ts";
import type { GatewayAdapter } from "../port.ts";
import { showCredential } from "../rows/show-credential.ts";
import { type Credential, type CredentialRow, listCredentialRows } from "../rows/sql.ts";
import type { GatewayAmount } from "../snapshots.ts";

interface Choice {
  gateway: string;
  amount: GatewayAmount;
  /** What the payment is for, such as the order's id: the same key chooses in the same order, so that a repeat finds the account of before. */
  key: string;
}

/** The accounts of a gateway that may take a payment, as `chooseAmong` chooses them. */
export async function chooseAccounts(ctx: Ctx, tenant: Tenant, choice: Choice): Promise<Credential[]> {
  return chooseAmong(ctx, await listCredentialRows(ctx.db, tenant, choice.gateway), choice).map(showCredential);
}

/**
 * Those of a gateway's accounts that may take a payment, the first choice first: by position, and within one position by chance as their weights say. Leaves out what
 * is paused, was refused by its provider, doesn't take the amount or currency, or doesn't answer just now. A demo account stands back as soon as there is another one.
 */
export function chooseAmong(ctx: Pick<Ctx, "gateways">, rows: readonly CredentialRow[], { gateway, amount, key }: Choice): CredentialRow[] {
  const adapter = ctx.gateways.find(gateway);
  if (adapter === null || !takesAmount(adapter, amount)) return [];
  const real = rows.filter(({ demo }) => !demo);
  return (real.length === 0 ? rows : real)
    .filter((row) => row.enabled && !row.is_paused && row.status !== "failed" && fits(row, amount))
    .map((row) => ({ row, draw: drawOf(row, key) }))
    .sort((left, right) => left.row.position - right.row.position || left.draw - right.draw || (left.row.id < right.row.id ? -1 : 1))
    .map(({ row }) => row);
}

function takesAmount({ manifest }: GatewayAdapter, { amount_minor, currency }: GatewayAmount): boolean {
  const { currencies } = manifest.method;
  if (currencies !== "any" && !currencies.includes(currency)) return false;
  return amount_minor >= manifest.limits.minMinor(currency) && amount_minor <= manifest.limits.maxMinor(currency);
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
