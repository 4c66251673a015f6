import { type Ctx, findNow } from "#platform/index.ts";
import type { Channel } from "../channel.ts";
import { outweighs } from "./add-suppression.ts";
import { deleteSuppressionRow, listOddSuppressions, lockSuppression, type SuppressionRow, updateSuppressedAddress, updateSuppression } from "./sql.ts";

const portion = 500;

/**
 * Brings a channel's addresses that were suppressed under another spelling to the canonical one, in which all are looked for: rows of versions before it was the rule. Of
 * two spellings of one address the graver reason stays. Answers how many were changed.
 */
export async function foldSuppressions(ctx: Ctx, channel: Channel): Promise<number> {
  const { canonical, plain } = channel.addresses;
  let changed = 0;
  let last: SuppressionRow | null = null;
  for (;;) {
    const rows: SuppressionRow[] = await listOddSuppressions(ctx.db, { channel: channel.name, plain, after: last }, portion);
    for (const row of rows) if (canonical(row.address) !== row.address && (await fold(ctx, row, canonical(row.address)))) changed += 1;
    last = rows.at(-1) ?? null;
    if (rows.length < portion) return changed;
  }
}

function fold(ctx: Ctx, { address, ...row }: SuppressionRow, canonical: string): Promise<boolean> {
  return ctx.transact(async (tx) => {
    const odd = await lockSuppression(tx, row, { channel: row.channel, address });
    if (odd === null) return false;
    const found = await lockSuppression(tx, row, { channel: row.channel, address: canonical });
    if (found === null) {
      await updateSuppressedAddress(tx, odd, canonical);
      return true;
    }
    const { reason, source_id, expires_at } = odd;
    const now = await findNow(tx);
    if (outweighs(odd, found, now)) await updateSuppression(tx, { ...found, reason, source_id, expires_at, updated_at: now });
    return deleteSuppressionRow(tx, odd);
  });
}
