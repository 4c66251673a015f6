import { AppError, type Ctx } from "#platform/index.ts";
import { identityErrors } from "../errors.ts";
import { findPrincipal, type Principal } from "./authenticate-key.ts";
import { hashKeyText, isKeyText, keyFault } from "./key-text.ts";
import { type FlatUse, insertFlatUses, updateKeysUsed } from "./sql.ts";

const knownMs = 10_000;
const refusedMs = 3_000;
const sizeMax = 10_000;

interface Entry {
  principal: Principal | null;
  refusal: AppError | null;
  until: number;
  usedAt: number;
}

/** Authentication for one process. `authenticate` returns from memory, without a promise, if it can. */
export interface KeyCache {
  authenticate(keyText: string): Principal | Promise<Principal>;
  /** Forgets a key that was changed here, so that the change takes effect in this process immediately. */
  evict(keyId: string): void;
  /** Forgets all keys of a merchant whose status was changed here. */
  evictMerchant(merchantId: string): void;
  /** Counts one request to a deprecated flat path. */
  countFlatUse(principal: Principal, endpoint: string): void;
  /** Writes what was counted since the previous call: the last use of every key, and uses of flat paths. */
  flushUses(): Promise<void>;
}

/**
 * A found key is cached for 10 seconds, a refusal for 3; concurrent lookups of one key share a query. A revoked key therefore works for at
 * most 10 more seconds. While the database is unavailable, nothing expired is used.
 */
export function createKeyCache(ctx: Pick<Ctx, "db" | "now">): KeyCache {
  const entries = new Map<string, Entry>();
  const running = new Map<string, Promise<Principal>>();
  const flatUses = new Map<string, FlatUse>();
  let flushed = Promise.resolve();
  const flushAll = async () => {
    await flushUses(ctx, entries);
    const uses = [...flatUses.values()];
    flatUses.clear();
    if (uses.length > 0) await insertFlatUses(ctx.db, uses);
  };
  return {
    authenticate(keyText) {
      const known = readEntry(entries.get(keyText), ctx.now().getTime());
      if (known !== null) return known;
      if (!isKeyText(keyText)) throw identityErrors.api_key_invalid({ message: keyFault(keyText) });
      const shared = running.get(keyText) ?? lookUp(ctx, entries, keyText).finally(() => running.delete(keyText));
      running.set(keyText, shared);
      return shared;
    },
    evict(keyId) {
      for (const [keyText, entry] of entries) if (entry.principal?.key_id === keyId) entries.delete(keyText);
    },
    evictMerchant(merchantId) {
      for (const [keyText, entry] of entries) if (entry.principal?.merchant_id === merchantId) entries.delete(keyText);
    },
    countFlatUse(principal, endpoint) {
      const name = `${principal.key_id} ${endpoint}`;
      const { project_id, livemode, key_id } = principal;
      const uses = (flatUses.get(name)?.uses ?? 0) + 1;
      flatUses.set(name, { project_id, livemode, key_id, endpoint, uses, last_used_at: ctx.now() });
    },
    // One after the other, so that a caller that awaits its write knows that earlier ones are written too.
    flushUses() {
      flushed = flushed.catch(() => undefined).then(flushAll);
      return flushed;
    },
  };
}

/** The cached key while it is valid; throws a cached refusal. */
function readEntry(entry: Entry | undefined, now: number): Principal | null {
  if (entry === undefined || entry.until <= now) return null;
  if (entry.principal === null) throw new AppError((entry.refusal as AppError).code, 401, (entry.refusal as AppError).message);
  entry.usedAt = now;
  return entry.principal;
}

async function lookUp(ctx: Pick<Ctx, "db" | "now">, entries: Map<string, Entry>, keyText: string): Promise<Principal> {
  const keep = (principal: Principal | null, refusal: AppError | null, leftMs: number | null) => {
    if (entries.size >= sizeMax) entries.delete(entries.keys().next().value as string);
    const now = ctx.now().getTime();
    entries.delete(keyText);
    entries.set(keyText, {
      principal,
      refusal,
      until: now + Math.min(principal === null ? refusedMs : knownMs, leftMs ?? knownMs),
      usedAt: principal === null ? 0 : now,
    });
  };
  try {
    const { principal, leftMs } = await findPrincipal(ctx, keyText);
    keep(principal, null, leftMs);
    return principal;
  } catch (error) {
    if (error instanceof AppError) keep(null, error, null);
    throw error;
  }
}

async function flushUses(ctx: Pick<Ctx, "db">, entries: Map<string, Entry>): Promise<void> {
  const used = [...entries].filter(([, entry]) => entry.usedAt > 0);
  if (used.length === 0) return;
  const uses = used.map(([keyText, entry]) => ({ hash: hashKeyText(keyText), at: new Date(entry.usedAt) }));
  for (const [, entry] of used) entry.usedAt = 0;
  await updateKeysUsed(ctx.db, uses);
}
