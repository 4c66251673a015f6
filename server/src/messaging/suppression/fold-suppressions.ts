import { beginPass, type Ctx, findNow } from "#platform/index.ts";
import type { Channel } from "../channel.ts";
import { outweighs } from "./add-suppression.ts";
import {
  deleteSuppressionRow,
  listOddSuppressions,
  lockSuppression,
  type SuppressionRow,
  updateSuppressedAddress,
  updateSuppression,
} from "./sql.ts";

const portion = 500;

/**
 * Converts a channel's suppressed addresses to the canonical form that lookups use: rows of earlier versions may have another one. Of two
 * forms of one address the stronger reason is kept. Returns how many were changed; throws if one couldn't be converted, once all others
 * were, so that the task is tried again sooner than tomorrow.
 */
export async function foldSuppressions(ctx: Ctx, channel: Channel): Promise<number> {
  const { canonical, plain } = channel.addresses;
  const pass = beginPass(ctx, { task: "fold_suppressions", kind: "suppression" });
  const convert = async (row: SuppressionRow) => {
    const address = canonical(row.address);
    return address !== row.address && (await fold(ctx, row, address));
  };
  let [changed, left] = [0, 0];
  let last: SuppressionRow | null = null;
  for (;;) {
    const rows: SuppressionRow[] = await listOddSuppressions(ctx.db, { channel: channel.name, plain, after: last }, portion);
    for (const row of rows) {
      const isChanged = await pass.attemptInTurn(row.id, () => convert(row), row.project_id);
      if (isChanged === null) left += 1;
      if (isChanged === true) changed += 1;
    }
    last = rows.at(-1) ?? null;
    if (rows.length < portion) break;
  }
  pass.end();
  if (left > 0) throw new Error(`suppressed addresses that couldn't be converted: ${left}`);
  return changed;
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
