import { createHash, createHmac } from "node:crypto";
import { atNow, type Ctx, notice, ownMerchantId, type Tx } from "#platform/index.ts";
import { findAllChains, insertAnchor, insertAnchorLines, listKnownSeals } from "./chain.sql.ts";
import { equalMac, openChainKey } from "./chain-key.ts";
import { checkAnchorsExist } from "./check-anchors.ts";

/** The ends of all chains at one moment, as stored outside the database. */
export interface Anchor {
  at: string;
  /** Fingerprint of the chains' key. */
  key: string;
  chains: number;
  rows: number;
  /** SHA-256 over all ends, short enough for a log line and an email. */
  root: string;
  /** Ends that have changed since the previous anchor: merchant, position, hash. */
  heads: [merchant: string, position: number, hash: string][];
  /** HMAC over this anchor and the seal of the previous one, under the chains' key. */
  mac: string;
}

/** Stores anchors where the database's owner has no access, oldest first. */
export interface AnchorKeeper {
  /** YYYY-MM-DD of the newest; null if there is none. Cheap, because it is read every minute. */
  newestDay(): Promise<string | null>;
  list(): Promise<Anchor[]>;
  add(anchor: Anchor): Promise<void>;
  /**
   * Moves the stored anchors away without losing them, so that the next anchor is the first. Returns their new location; null if there were
   * none.
   */
  setAside(at: Date): Promise<string | null>;
  /**
   * Runs work that changes the stored anchors and the database's record of them. While a backup is copying both, one after the other, it
   * returns null instead.
   */
  change<T>(work: () => Promise<T>): Promise<T | null>;
}

type Needed = Pick<Ctx, "db" | "now" | "masterKeys" | "log" | "id">;

/**
 * Once a day, stores the end of every chain with the keeper, in the log, and in an email to the operators. Returns whether it did: while a
 * backup is being taken, it doesn't.
 */
export async function anchorAudit(ctx: Ctx, keeper: AnchorKeeper): Promise<boolean> {
  const { now } = await atNow(ctx, ctx.db);
  if (isOf(await keeper.newestDay(), { from: now(), to: now() })) return false;
  const isDone = await keeper.change(() => anchorNow(ctx, keeper));
  if (isDone === null) logLate(ctx, { now: now(), newest: await keeper.newestDay() });
  return isDone ?? false;
}

/** A backup takes some hours at most. Once an hour, because this is tried every minute. */
function logLate(ctx: Ctx, { now, newest }: { now: Date; newest: string | null }): void {
  const dayBefore = new Date(now.getTime() - 24 * 3_600_000);
  if (newest === null || isOf(newest, { from: dayBefore, to: now }) || now.getUTCMinutes() > 0) return;
  ctx.log.error({ newest }, "the audit log hasn't been anchored since, and isn't now, because a backup is being taken");
}

/** What another process stored may be ahead of this one's clock by less than this. */
const toleranceMs = 300_000;
const dayOf = (at: Date) => at.toISOString().slice(0, 10);

/** Whether a day is still to come: the clock was ahead when it was anchored, and was set back since. */
export function isDayAhead(day: string, now: Date): boolean {
  return day > dayOf(new Date(now.getTime() + toleranceMs));
}

function isOf(newest: string | null, { from, to }: { from: Date; to: Date }): boolean {
  return newest !== null && newest >= dayOf(from) && !isDayAhead(newest, to);
}

/** The same for a caller that changes the anchors already. */
export async function anchorNow(process: Ctx, keeper: AnchorKeeper): Promise<boolean> {
  const ctx = await atNow(process, process.db);
  // Another process may have changed them since.
  const before = await keeper.list();
  const newest = before.at(-1)?.at.slice(0, 10) ?? null;
  if (isOf(newest, { from: ctx.now(), to: ctx.now() })) return false;
  if (newest === null) await logLostAnchors(ctx);
  else if (isDayAhead(newest, ctx.now()))
    ctx.log.warn({ newest }, "the audit log's newest anchor is dated ahead, because the clock was; it's anchored again");
  const anchor = await makeAnchor(ctx, before);
  if (anchor === null) return false;
  await keeper.add(anchor);
  const { chains, rows, root, key } = anchor;
  ctx.log.info({ at: anchor.at, key, chains, rows, root }, "where the audit log's chains end");
  await ctx.transact(async (tx) => {
    await keepLines(tx, [...before, anchor]);
    const noted = await insertAnchor(tx, { day: dayOf(ctx.now()), chains, rows, root, created_at: ctx.now() });
    // The first anchor has nothing to compare.
    if (noted === null || noted.is_first) return;
    await notice(tx, ctx, { kind: "audit_anchored", recipient: ownMerchantId, params: { at: ctx.now(), chains, rows, root } });
  });
  return true;
}

/** Adds those of a file's anchors that the database lacks, such as ones that were written while it was read-only. */
async function keepLines(tx: Tx, anchors: readonly Anchor[]): Promise<void> {
  const lines = anchors.map((anchor, index) => ({
    seal: anchor.mac,
    follows: anchors[index - 1]?.mac ?? null,
    anchor: JSON.stringify(anchor),
    created_at: new Date(anchor.at),
  }));
  const known = await listKnownSeals(
    tx,
    lines.map(({ seal }) => seal),
  );
  await insertAnchorLines(
    tx,
    lines.filter(({ seal }) => !known.has(seal)),
  );
}

/** Reads the text of an anchor; null if it isn't one. */
export function parseAnchor(text: string): Anchor | null {
  try {
    const { at, key, root, mac, chains, rows, heads } = JSON.parse(text) as Record<string, unknown>;
    const isText = [at, key, root, mac].every((value) => typeof value === "string");
    const isCounted = Number.isInteger(chains) && Number.isInteger(rows);
    if (!isText || !isCounted || Number.isNaN(Date.parse(String(at))) || !Array.isArray(heads) || !heads.every(isHead)) return null;
    return JSON.parse(text) as Anchor;
  } catch {
    return null;
  }
}

function isHead(head: unknown): boolean {
  return Array.isArray(head) && typeof head[0] === "string" && Number.isInteger(head[1]) && typeof head[2] === "string";
}

/** Anchoring continues without the earlier anchors. `doctor --audit` reports the fault until a person states the reason. */
async function logLostAnchors(ctx: Needed): Promise<void> {
  const faults = await checkAnchorsExist(ctx, async () => []);
  if (faults.length > 0) ctx.log.error({ faults }, "the anchors of the audit log are gone");
}

async function makeAnchor(ctx: Needed, before: readonly Anchor[]): Promise<Anchor | null> {
  const { key: chainKey, chains } = await findAllChains(ctx.db);
  if (chainKey === null) return null;
  const { key, name } = openChainKey(ctx, chainKey);
  const known = new Map(
    before.flatMap(({ heads }) => heads.map(([merchant, position, hash]) => [merchant, `${position} ${hash}`] as const)),
  );
  const ends = chains.map(({ merchant_id, position, hash }): Anchor["heads"][number] => [merchant_id, position, hash.toString("hex")]);
  const body = {
    at: ctx.now().toISOString(),
    key: name,
    chains: chains.length,
    rows: chains.reduce((sum, { position }) => sum + position, 0),
    root: createHash("sha256")
      .update(ends.map((end) => end.join(" ")).join("\n"))
      .digest("hex"),
    heads: ends.filter(([merchant, position, hash]) => known.get(merchant) !== `${position} ${hash}`),
  };
  return { ...body, mac: macOf(key, body, before.at(-1)?.mac ?? "").toString("hex") };
}

/** Which anchors were changed, removed or inserted without the key; one message each. */
export async function checkAnchors(ctx: Pick<Ctx, "db" | "masterKeys">, anchors: readonly Anchor[]): Promise<string[]> {
  const { key: chainKey } = await findAllChains(ctx.db);
  if (chainKey === null || anchors.length === 0) return [];
  const { key } = openChainKey(ctx, chainKey);
  return anchors.flatMap((anchor, index) => {
    const { mac, ...body } = anchor;
    const fits = equalMac(Buffer.from(mac, "hex"), macOf(key, body, anchors[index - 1]?.mac ?? ""));
    return fits ? [] : [`the anchor of ${anchor.at} does not carry the seal of this audit log`];
  });
}

function macOf(key: Buffer, { at, key: name, chains, rows, root, heads }: Omit<Anchor, "mac">, before: string): Buffer {
  return createHmac("sha256", key)
    .update(["anchor", before, at, name, chains, rows, root, JSON.stringify(heads)].join("|"))
    .digest();
}
