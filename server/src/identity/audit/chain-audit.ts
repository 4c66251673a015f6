import { createHash } from "node:crypto";
import type { Ctx } from "#platform/index.ts";
import { listMerchantsToChain, listUnchained, lockChainEnd, updateChained } from "./sql.ts";

const merchantsAtOnce = 100;
const rowsAtOnce = 500;

/** Binds a row to all rows before it. */
export function linkHash(previous: Buffer, content: string): Buffer {
  return createHash("sha256").update(previous).update(content).digest();
}

/** Appends waiting audit rows to their merchants' chains; answers how many. A chain that another process is extending is left to it. */
export async function chainAudit(ctx: Pick<Ctx, "db" | "transact">): Promise<number> {
  let chained = 0;
  for (const merchantId of await listMerchantsToChain(ctx.db, merchantsAtOnce)) {
    chained += await ctx.transact(async (tx) => {
      const end = await lockChainEnd(tx, merchantId);
      if (end === null) return 0;
      let { position, hash } = end;
      const links = (await listUnchained(tx, merchantId, rowsAtOnce)).map((row) => {
        position += 1;
        hash = linkHash(hash, row.content);
        return { id: row.id, position, hash };
      });
      await updateChained(tx, merchantId, links);
      return links.length;
    });
  }
  return chained;
}
