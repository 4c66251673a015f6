import { type Ctx, derivedKeyName, findSealedBy, isUnavailable, type MasterKeys, type SealedColumn } from "#platform/index.ts";
import { keepDerivedKeys } from "./keep-derived-keys.ts";
import { adoptKeyState, currentIn, fingerprintOf, type KeyState, type LiveKeys, readKeyState, signingIn } from "./live-keys.ts";
import { sealedColumns } from "./sealed-columns.ts";
import { insertMasterKey, updateCurrent } from "./sql.ts";

/** What to do about a fault. */
export const restoreKeys = "Restore the MASTER_KEYS (or the file or command they come from) that this database was used with.";

/** What checking master keys, and changing them in place, needs. */
export type KeyCtx = Pick<Ctx, "db" | "now"> & { masterKeys: LiveKeys };

/**
 * Records the keys of a first start and adopts the current one; throws a readable error if these aren't the keys that sealed the database's
 * secrets. In a database of an earlier version the highest of these keys is the current one, as it was there.
 */
export async function confirmMasterKeys(ctx: KeyCtx): Promise<void> {
  const faults = await findKeyFaults(ctx);
  if (faults.length > 0) throw new Error(`${faults.join(" ")} ${restoreKeys}`);
  const before = await readKeyState(ctx.db);
  const known = new Set(before.rows.map(({ number }) => number));
  const newKeys = [...ctx.masterKeys.keys].filter(([number]) => !known.has(number));
  for (const [number, key] of newKeys) await insertMasterKey(ctx.db, { number, fingerprint: fingerprintOf(key), now: ctx.now() });
  // Otherwise nothing is written: a read-only database, because its disk is full, still lets its readers start.
  if (currentIn(before) === null) await updateCurrent(ctx.db, { number: Math.max(...ctx.masterKeys.keys.keys()), first: true });
  const state = await readKeyState(ctx.db);
  // Another process may have stored a different key under the same number at the same time.
  const others = mismatches(ctx.masterKeys, state);
  if (others.length > 0) throw new Error(`${others.join(" ")} ${restoreKeys}`);
  adoptKeyState(ctx.masterKeys, state);
  await keepDerivedKeys(ctx, state).catch((error: unknown) => {
    // The follower stores them once the database is writable again.
    if (!isUnavailable(error)) throw error;
  });
}

/** A sentence for each master key that is missing or isn't this database's. */
export async function findKeyFaults({ db, masterKeys }: Pick<Ctx, "db" | "masterKeys">): Promise<string[]> {
  const state = await readKeyState(db);
  const ring: LiveKeys = { ...masterKeys };
  adoptKeyState(ring, state);
  const faults = mismatches(ring, state);
  for (const { number } of state.rows.filter((row) => !ring.keys.has(row.number))) {
    const why = await whyNeeded({ db, masterKeys: ring }, state, number);
    if (why !== null) faults.push(`Master key ${number} is missing, and ${why}.`);
  }
  // A database of an earlier version has no fingerprints: what it sealed shows which key it is.
  for (const number of ring.keys.keys()) {
    if (state.rows.some((row) => row.number === number)) continue;
    const closed = await listClosed({ db, masterKeys: ring }, number);
    if (closed.length > 0) faults.push(`Master key ${number} can't decrypt what is encrypted with key ${number} in ${tablesOf(closed)}.`);
  }
  return faults;
}

/** Opens one value of each sealed column and key. Returns the columns, and separately those in which one couldn't be opened. */
export async function openOneOfEach({ db, masterKeys }: Pick<Ctx, "db" | "masterKeys">): Promise<{ opened: string[]; closed: string[] }> {
  const state = await readKeyState(db);
  const ring: LiveKeys = { ...masterKeys };
  adoptKeyState(ring, state);
  const [opened, closed] = [new Set<string>(), new Set<string>()];
  for (const column of sealedColumns)
    for (const { number } of state.rows) {
      const stored = await findSealedBy(db, column, number);
      if (stored === null) continue;
      const isOpen = await column.open(ring, stored).then(
        () => true,
        () => false,
      );
      (isOpen ? opened : closed).add(column.name);
    }
  return { opened: [...opened], closed: [...closed] };
}

function mismatches({ keys }: MasterKeys, { rows }: KeyState): string[] {
  return rows.flatMap(({ number, fingerprint }) => {
    const key = keys.get(number);
    if (key === undefined || fingerprintOf(key) === fingerprint) return [];
    return [
      `Master key ${number} isn't the one for this database: its fingerprint is ${fingerprintOf(key)}, the database's is ${fingerprint}.`,
    ];
  });
}

/** Why a missing key is needed; null if it may be left out. */
async function whyNeeded(ctx: Pick<Ctx, "db" | "masterKeys">, state: KeyState, number: number): Promise<string | null> {
  if ((await listClosed(ctx, number)).length > 0) return "secrets in the database are encrypted with it";
  if (currentIn(state) === number) return "it's the one that encrypts new secrets";
  // The keys of all purposes that a version knows are stored together; those of a later version's are created when it starts.
  const isStored = ctx.masterKeys.derived.has(derivedKeyName(number, "sign-in"));
  return signingIn(state) === number && !isStored
    ? "sessions, links in emails and the audit log are signed with keys derived from it"
    : null;
}

/** Columns in which a key has sealed something that can't be opened. */
async function listClosed(ctx: Pick<Ctx, "db" | "masterKeys">, number: number): Promise<SealedColumn[]> {
  const closed: SealedColumn[] = [];
  for (const column of sealedColumns) {
    const stored = await findSealedBy(ctx.db, column, number);
    const opens = stored === null || (await column.open(ctx.masterKeys, stored).catch(() => null)) !== null;
    if (!opens) closed.push(column);
  }
  return closed;
}

function tablesOf(given: readonly SealedColumn[]): string {
  return [...new Set(given.map(({ name }) => name.split(".", 1).join("")))].join(", ");
}
