import { createHash, createHmac, randomBytes } from "node:crypto";
import { type Ctx, equalSecret, open, seal, type Tx } from "#platform/index.ts";
import {
  type AuditKeyRow,
  type Chain,
  countKeyed,
  findAuditKey,
  insertAuditKey,
  lockAuditKey,
  lockUnsealedChains,
  updateChainsSealed,
} from "./chain.sql.ts";

/** Connects rows to their chain and chains to their number. Stored in the database, sealed under the master keys. */
export interface ChainKey {
  /** Identifies the key without revealing it. */
  name: string;
  key: Buffer;
  since: Date;
}

/** Thrown if the chains were keyed before and their key is gone: a new key would hide tampering. */
export class ChainKeyLost extends Error {}

const place = { table: "audit_key", column: "sealed", row: "1" };

/** Opens a stored key. Throws if no configured master key opens it. */
export function openChainKey(ctx: Pick<Ctx, "masterKeys">, row: AuditKeyRow): ChainKey {
  return { name: row.name, key: open(ctx.masterKeys, place, row.sealed), since: row.created_at };
}

/** The chains' key. The first call creates it and seals the end of every existing chain. */
export async function needChainKey(tx: Tx, ctx: Pick<Ctx, "masterKeys" | "now" | "log">): Promise<ChainKey> {
  const known = await findAuditKey(tx);
  return openChainKey(ctx, known ?? (await makeChainKey(tx, ctx)));
}

async function makeChainKey(tx: Tx, ctx: Pick<Ctx, "masterKeys" | "now" | "log">): Promise<AuditKeyRow> {
  if ((await countKeyed(tx)) > 0) throw new ChainKeyLost("the audit log's key is missing from the database, though its chains were keyed");
  const key = randomBytes(32);
  const name = createHash("sha256").update(key).digest("hex").slice(0, 16);
  const made = { name, sealed: seal(ctx.masterKeys, place, key), chains: 0, mac: macOfCount(key, 0), created_at: ctx.now() };
  // Another process was faster: its key is used.
  if (!(await insertAuditKey(tx, made))) return lockAuditKey(tx);
  const chains = (await lockUnsealedChains(tx)).map((chain, index) => {
    const sealed = { ...chain, number: index + 1, keyed_from: chain.position };
    return { ...sealed, mac: macOfEnd(key, sealed) };
  });
  await updateChainsSealed(tx, chains, { chains: chains.length, mac: macOfCount(key, chains.length) });
  if (chains.length > 0) ctx.log.warn({ key: name, chains: chains.length }, "the audit log is now sealed with a separate key");
  return made;
}

/** Connects a row to all rows before it, so that the next one can't be forged without the key. */
export function keyedLink(key: Buffer, previous: Buffer, content: string): Buffer {
  return createHmac("sha256", key).update(previous).update(content).digest();
}

/** How the previous version connected its rows. */
export function plainLink(previous: Buffer, content: string): Buffer {
  return createHash("sha256").update(previous).update(content).digest();
}

/** Seals the end of a chain, its number, and where its keyed part begins. */
export function macOfEnd(key: Buffer, { merchant_id, number, keyed_from, position, hash }: Omit<Chain, "mac">): Buffer {
  return createHmac("sha256", key)
    .update(["end", merchant_id, number, keyed_from, position, hash.toString("hex")].join("|"))
    .digest();
}

/** Seals the number of chains. */
export function macOfCount(key: Buffer, chains: number): Buffer {
  return createHmac("sha256", key).update(`chains|${chains}`).digest();
}

export function equalMac(left: Buffer | null, right: Buffer): boolean {
  return left !== null && equalSecret(left.toString("hex"), right.toString("hex"));
}
