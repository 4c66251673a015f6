import { type Ctx, counted, findNow, ownMerchantId } from "#platform/index.ts";
import type { Anchor } from "./anchor-audit.ts";
import { type Chain, type FoundChain, findAllChains, findChain, listUnchainedMerchants } from "./chain.sql.ts";
import { isWritten } from "./chain-audit.ts";
import { equalMac, keyedLink, macOfCount, macOfEnd, openChainKey, plainLink } from "./chain-key.ts";
import { countUnchainedBefore, listAllUnchained, listChained } from "./rows.sql.ts";

export interface ChainReport {
  merchants: number;
  rows: number;
  /** One message for each place where a chain is broken. */
  faults: string[];
}

type Needed = Pick<Ctx, "db" | "masterKeys">;
const unchainedAtMost = 10_000;

/**
 * Recomputes every merchant's chain under its key and compares each end with its seal and with what was anchored outside: a changed,
 * missing or inserted row, a truncated end, a missing chain, and a row that this program didn't write or left unchained for over a minute,
 * are faults.
 */
export async function auditChain(ctx: Needed, anchors: readonly Anchor[] = []): Promise<ChainReport> {
  const { key: chainKey, chains } = await findAllChains(ctx.db);
  const report: ChainReport = { merchants: chains.length, rows: 0, faults: [] };
  const minuteAgo = new Date((await findNow(ctx.db)).getTime() - 60_000);
  if (chainKey === null) {
    if (chains.length > 0 || anchors.length > 0)
      report.faults.push("the audit log isn't sealed: its key is missing. Starting Tillpost seals the log of an earlier version");
  } else {
    const { key, name } = openChainKey(ctx, chainKey);
    if (anchors.some((anchor) => anchor.key !== name))
      report.faults.push("the audit log's key isn't the one in earlier anchors: it was replaced");
    checkRegister(key, { chains, count: chainKey.chains, isCounted: equalMac(chainKey.mac, macOfCount(key, chainKey.chains)) }, report);
    const anchored = headsIn(anchors);
    for (const chain of chains) await walkChain(ctx, { key, chain, anchored: anchored.get(chain.merchant_id) ?? new Map() }, report);
    const there = new Set(chains.map(({ merchant_id }) => merchant_id));
    for (const merchant of anchored.keys())
      if (!there.has(merchant)) report.faults.push(`${merchant}: its whole chain is missing, though it was anchored`);
  }
  for (const merchant of await listUnchainedMerchants(ctx.db, { before: minuteAgo, own: ownMerchantId }))
    report.faults.push(`${merchant}: it has no chain`);
  for (const row of await listAllUnchained(ctx.db, unchainedAtMost)) {
    if (!isWritten(ctx, row, true)) report.faults.push(`${row.merchant_id}: ${row.id} was not written by Tillpost`);
  }
  const late = await countUnchainedBefore(ctx.db, minuteAgo);
  if (late > 0) report.faults.push(`${counted(late, "audit row")} older than a minute and not chained`);
  return report;
}

/** Chains are numbered without gaps, and their count is sealed, so that a merchant can't be removed together with its chain. */
function checkRegister(key: Buffer, given: { chains: FoundChain[]; count: number; isCounted: boolean }, report: ChainReport): void {
  const { chains, count, isCounted } = given;
  if (!isCounted) report.faults.push("the number of chains was changed");
  const numbers = new Set(chains.map(({ number }) => number));
  const missing = Array.from({ length: Math.max(count, chains.length) }, (_none, index) => index + 1).filter(
    (number) => !numbers.has(number),
  );
  if (missing.length > 0) report.faults.push(`of ${count} chains, number ${missing.join(", ")} is missing with its merchant`);
  for (const chain of chains) {
    if (!equalMac(chain.mac, macOfEnd(key, chain as Chain))) report.faults.push(`${chain.merchant_id}: the end of the chain was changed`);
  }
}

interface Walk {
  key: Buffer;
  chain: FoundChain;
  /** The hash that was anchored for a position. */
  anchored: ReadonlyMap<number, string>;
}

async function walkChain(ctx: Pick<Ctx, "db">, { key, chain, anchored }: Walk, report: ChainReport): Promise<void> {
  const { merchant_id, keyed_from } = chain;
  let position = 0;
  let hash: Buffer = Buffer.alloc(32);
  let rows = await listChained(ctx.db, merchant_id, { after: 0, limit: 1000 });
  while (rows.length > 0) {
    for (const row of rows) {
      position += 1;
      hash = position > (keyed_from ?? 0) ? keyedLink(key, hash, row.content) : plainLink(hash, row.content);
      if (row.position !== position) return void report.faults.push(`${merchant_id}: row ${position} of the chain is missing`);
      if (row.hash === null || !hash.equals(row.hash))
        return void report.faults.push(`${merchant_id}: ${row.id} was changed after it was written`);
      const outside = anchored.get(position);
      if (outside !== undefined && outside !== hash.toString("hex"))
        report.faults.push(`${merchant_id}: row ${position} is not the one that was anchored`);
      if (position === chain.position && !hash.equals(chain.hash))
        report.faults.push(`${merchant_id}: the chain's end is not its last row`);
    }
    report.rows += rows.length;
    rows = await listChained(ctx.db, merchant_id, { after: position, limit: 1000 });
  }
  const most = Math.max(chain.position, ...anchored.keys());
  if (position < most) report.faults.push(`${merchant_id}: the end of the chain is missing, ${counted(most - position, "row")}`);
  // Rows may have been added while the chain was read, so its end may have changed.
  if (position > chain.position && position > ((await findChain(ctx.db, merchant_id))?.position ?? 0))
    report.faults.push(`${merchant_id}: rows are beyond the chain's end`);
}

function headsIn(anchors: readonly Anchor[]): Map<string, Map<number, string>> {
  const heads = new Map<string, Map<number, string>>();
  for (const anchor of anchors) {
    for (const [merchant, position, hash] of anchor.heads) {
      const known = heads.get(merchant) ?? new Map<number, string>();
      heads.set(merchant, known.set(position, hash));
    }
  }
  return heads;
}
