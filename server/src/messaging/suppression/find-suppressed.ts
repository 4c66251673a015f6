import type { Db, Tenant } from "#platform/index.ts";
import { type Channel, comparable } from "./reasons.ts";
import { listStanding, type SuppressionRow } from "./sql.ts";

/** Which of some addresses must not be written to at an instant, keyed as they were given. One statement, whatever their number. */
export async function findSuppressed(
  db: Db,
  tenant: Tenant,
  given: { channel: Channel; addresses: readonly string[]; now: Date },
): Promise<Map<string, SuppressionRow>> {
  if (given.addresses.length === 0) return new Map();
  const wanted = [...new Set(given.addresses.map(comparable))];
  const rows = await listStanding(db, tenant, { channel: given.channel, addresses: wanted, now: given.now });
  const byAddress = new Map(rows.map((row) => [row.address, row]));
  return new Map(
    given.addresses.flatMap((address) => {
      const row = byAddress.get(comparable(address));
      return row === undefined ? [] : [[address, row] as const];
    }),
  );
}
