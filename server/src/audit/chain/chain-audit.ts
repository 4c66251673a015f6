import { beginPass, type Ctx, findNow, type Tx } from "#platform/index.ts";
import { isOwnRow, keyNumberOf } from "../record/row-mac.ts";
import {
  type Chain,
  findAuditKey,
  findChain,
  insertChain,
  lockAuditKey,
  lockChain,
  updateChainCount,
  updateChainEnd,
} from "./chain.sql.ts";
import { type ChainKey, ChainKeyLost, equalMac, keyedLink, macOfCount, macOfEnd, needChainKey } from "./chain-key.ts";
import { listAllUnchained, listChained, listMerchantsToChain, listUnchained, type UnchainedRow, updateChained } from "./rows.sql.ts";

const merchantsAtOnce = 100;
const rowsAtOnce = 500;
const waitingAtMost = 10_000;
/** Rows of the previous version have no seal; that version may run together with this one for this long. */
const overlapMs = 3_600_000;

type Needed = Pick<Ctx, "db" | "transact" | "now" | "masterKeys" | "log">;

/**
 * Appends waiting audit rows to their merchants' chains and returns how many. Skips a chain that another process is extending, and one that
 * can't be extended. Rows that this program didn't write are skipped and logged once for each `logged` set; `doctor --audit` lists them.
 */
export async function chainAudit(ctx: Needed, logged: Set<string> = new Set()): Promise<number> {
  // Also if no row waits, so that an old log is sealed even if its merchants are inactive.
  if ((await findAuditKey(ctx.db)) === null) await ctx.transact((tx) => needChainKey(tx, ctx));
  const pass = beginPass(ctx, { task: "chain_audit", kind: "merchant" });
  // Those that wait are listed too, and hide none of the others.
  const merchants = await listMerchantsToChain(ctx.db, merchantsAtOnce + pass.waiting.length);
  let chained = 0;
  await pass.each(
    merchants,
    (merchantId) => merchantId,
    async (merchantId) => {
      chained += await ctx.transact((tx) => extendChain(tx, ctx, { merchantId, logged }));
    },
  );
  if (merchants.length < merchantsAtOnce) pass.end();
  return chained;
}

interface Work {
  merchantId: string;
  logged: Set<string>;
}

async function extendChain(tx: Tx, ctx: Needed, { merchantId, logged }: Work): Promise<number> {
  const chainKey = await needChainKey(tx, ctx);
  if (!(await beginChain(tx, chainKey, merchantId))) {
    logOnce(ctx, logged, { id: merchantId, message: "the end of an audit chain was removed outside of Tillpost; no new one is started" });
    return 0;
  }
  const found = await lockChain(tx, merchantId);
  if (found === null) return 0;
  const end = found as Chain;
  if (!equalMac(found.mac, macOfEnd(chainKey.key, end))) {
    logOnce(ctx, logged, { id: merchantId, message: "the end of an audit chain was changed outside of Tillpost; it isn't extended" });
    return 0;
  }
  const isOverlap = (await findNow(tx)).getTime() < chainKey.since.getTime() + overlapMs;
  const rows = await listUnchained(tx, merchantId, rowsAtOnce);
  const own = rows.filter((row) => isWritten(ctx, row, isOverlap));
  for (const { id } of rows) {
    if (!own.some((row) => row.id === id))
      logOnce(ctx, logged, { id, message: "an audit row wasn't written by Tillpost; it isn't chained" });
  }
  return append(tx, chainKey, { end, rows: own });
}

async function append(tx: Tx, { key }: ChainKey, { end, rows }: { end: Chain; rows: UnchainedRow[] }): Promise<number> {
  let { position, hash } = end;
  const links = rows.map((row) => {
    position += 1;
    hash = keyedLink(key, hash, row.content);
    return { id: row.id, position, hash };
  });
  if (links.length === 0) return 0;
  await updateChained(tx, end.merchant_id, links);
  const next = { ...end, position, hash };
  await updateChainEnd(tx, { ...next, mac: macOfEnd(key, next) });
  return links.length;
}

/** A merchant's first rows: its chain gets the next number, so that it can't disappear unnoticed. False if one has disappeared. */
async function beginChain(tx: Tx, { key }: ChainKey, merchantId: string): Promise<boolean> {
  if ((await findChain(tx, merchantId)) !== null) return true;
  if ((await listChained(tx, merchantId, { after: 0, limit: 1 })).length > 0) return false;
  const register = await lockAuditKey(tx);
  if (!equalMac(register.mac, macOfCount(key, register.chains)))
    throw new ChainKeyLost("the number of audit chains was changed outside of Tillpost");
  const number = register.chains + 1;
  const chain = { merchant_id: merchantId, number, keyed_from: 0, position: 0, hash: Buffer.alloc(32) };
  if (await insertChain(tx, { ...chain, mac: macOfEnd(key, chain) }))
    await updateChainCount(tx, { chains: number, mac: macOfCount(key, number) });
  return true;
}

/** How many rows that this program wrote under a master key have no position in a chain yet. */
export async function countWaiting(ctx: Pick<Ctx, "db" | "masterKeys">, masterKey: number): Promise<number> {
  const rows = await listAllUnchained(ctx.db, waitingAtMost);
  return rows.filter((row) => row.mac !== null && keyNumberOf(row.mac) === masterKey && isWritten(ctx, row, false)).length;
}

/** Whether a waiting row may be chained: written by this program, or by the previous version while both may run. */
export function isWritten(ctx: Pick<Ctx, "masterKeys">, row: UnchainedRow, isOverlap: boolean): boolean {
  if (row.project_id !== null && row.project_merchant !== row.merchant_id) return false;
  return row.mac === null ? isOverlap : isOwnRow(ctx.masterKeys, { ...row, mac: row.mac });
}

/** A row that stays is found every second; it is logged once. */
function logOnce(ctx: Pick<Ctx, "log">, logged: Set<string>, { id, message }: { id: string; message: string }): void {
  if (logged.has(id)) return;
  logged.add(id);
  ctx.log.error({ id }, message);
}
