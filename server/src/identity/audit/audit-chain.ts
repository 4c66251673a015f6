import type { Ctx } from "#platform/index.ts";
import { linkHash } from "./chain-audit.ts";
import { type ChainEnd, countUnchainedBefore, listChainEnds, listChained } from "./sql.ts";

export interface ChainReport {
  merchants: number;
  rows: number;
  /** One sentence for each place where a chain does not hold. */
  faults: string[];
}

/** Recomputes every merchant's chain: a changed, missing or inserted row, or one unchained for over a minute, is a fault. */
export async function auditChain(ctx: Pick<Ctx, "db" | "now">): Promise<ChainReport> {
  const ends = await listChainEnds(ctx.db);
  const report: ChainReport = { merchants: ends.length, rows: 0, faults: [] };
  for (const end of ends) await walkChain(ctx, end, report);
  const late = await countUnchainedBefore(ctx.db, new Date(ctx.now().getTime() - 60_000));
  if (late > 0) report.faults.push(`${late} audit rows are older than a minute and not chained`);
  return report;
}

async function walkChain(ctx: Pick<Ctx, "db">, end: ChainEnd & { merchant_id: string }, report: ChainReport): Promise<void> {
  let position = 0;
  let hash = Buffer.alloc(32);
  for (;;) {
    const rows = await listChained(ctx.db, end.merchant_id, { after: position, limit: 1000 });
    for (const row of rows) {
      position += 1;
      hash = Buffer.from(linkHash(hash, row.content));
      if (row.position !== position) return void report.faults.push(`${end.merchant_id}: row ${position} of the chain is missing`);
      if (row.hash === null || !hash.equals(row.hash)) return void report.faults.push(`${end.merchant_id}: ${row.id} was changed after it was written`);
    }
    report.rows += rows.length;
    if (rows.length === 0) break;
  }
  if (position < end.position) report.faults.push(`${end.merchant_id}: the last ${end.position - position} rows of the chain are missing`);
}
