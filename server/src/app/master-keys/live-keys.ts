import { type Db, derivedKeyName, type MasterKeys, macOf, open } from "#platform/index.ts";
import { type DerivedKey, listDerivedKeys, listMasterKeys, type MasterKeyRow } from "./sql.ts";

/** The master keys of a running process, changed in place: everything that seals or signs has this same object. */
export type LiveKeys = { -readonly [Name in keyof MasterKeys]: MasterKeys[Name] };

/** The database's state of master keys. */
export interface KeyState {
  rows: MasterKeyRow[];
  derived: DerivedKey[];
}

export async function readKeyState(db: Db): Promise<KeyState> {
  return { rows: await listMasterKeys(db), derived: await listDerivedKeys(db) };
}

/** The number of the current key, or null before the first process recorded one. */
export function currentIn({ rows }: KeyState): number | null {
  return rows.findLast((row) => row.current_since !== null)?.number ?? null;
}

/** The number of the key whose derived keys sign: the first that ever was current, so that no rotation ends sessions or links. */
export function signingIn({ rows }: KeyState): number | null {
  return rows.find((row) => row.current_since !== null && row.revoked_at === null)?.number ?? null;
}

/** Adopts the database's state. A key that this process doesn't have is skipped: it can't seal with it. */
export function adoptKeyState(live: LiveKeys, state: KeyState): void {
  const derived = openDerived(live, state.derived);
  const [current, signing] = [currentIn(state), signingIn(state)];
  live.derived = derived;
  live.revoked = new Set(state.rows.filter((row) => row.revoked_at !== null).map(({ number }) => number));
  if (current !== null && live.keys.has(current)) live.current = current;
  if (signing !== null && (live.keys.has(signing) || derived.has(derivedKeyName(signing, "sign-in")))) live.signing = signing;
}

/** Identifies a key without revealing anything about it. */
export function fingerprintOf(key: Buffer): string {
  return macOf(key, "fingerprint of a master key").slice(0, 16);
}

/** A key that can't be opened is left out: whatever needs it reports that. */
function openDerived(keys: MasterKeys, rows: readonly DerivedKey[]): Map<string, Buffer> {
  const opened = new Map<string, Buffer>();
  for (const { number, purpose, sealed } of rows) {
    const name = derivedKeyName(number, purpose);
    try {
      opened.set(name, open(keys, { table: "derived_keys", column: "sealed", row: name }, sealed));
    } catch {
      // Sealed with a key that this process lacks.
    }
  }
  return opened;
}
