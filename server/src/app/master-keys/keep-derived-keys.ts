import { randomBytes } from "node:crypto";
import { type Ctx, type Db, derivedKeyName, deriveKey, type KeyPurpose, keyPurposes, type MasterKeys, seal } from "#platform/index.ts";
import { adoptKeyState, currentIn, type KeyState, type LiveKeys, readKeyState } from "./live-keys.ts";
import { type DerivedKey, insertDerivedKeys } from "./sql.ts";

/**
 * Stores the derived keys that the database lacks and adopts them, before this process signs anything with them: also those of purposes
 * that the version which rotated the keys didn't know.
 */
export async function keepDerivedKeys(ctx: Pick<Ctx, "db"> & { masterKeys: LiveKeys }, state: KeyState): Promise<void> {
  // A process that lacks the current key can't seal with it.
  if (currentIn(state) !== ctx.masterKeys.current) return;
  const signing = state.rows.filter((row) => row.current_since !== null).map(({ number }) => number);
  if (!(await storeDerivedKeys(ctx.db, ctx.masterKeys, { state, numbers: signing }))) return;
  // Another process may have stored others at the same time: all use those.
  adoptKeyState(ctx.masterKeys, await readKeyState(ctx.db));
}

/** Stores what is missing of the derived keys of these master keys, except revoked ones; returns whether there was any. */
export async function storeDerivedKeys(
  db: Db,
  masterKeys: MasterKeys,
  { state, numbers }: { state: KeyState; numbers: readonly number[] },
): Promise<boolean> {
  const stored = new Set(state.derived.map(({ number, purpose }) => derivedKeyName(number, purpose)));
  const revoked = new Set(state.rows.filter((row) => row.revoked_at !== null).map(({ number }) => number));
  const rows = numbers
    .filter((number) => !revoked.has(number))
    .flatMap((number) =>
      keyPurposes
        .filter((purpose) => !stored.has(derivedKeyName(number, purpose)))
        .flatMap((purpose) => derivedKey(masterKeys, { state, number, purpose })),
    );
  if (rows.length > 0) await insertDerivedKeys(db, rows);
  return rows.length > 0;
}

/** A missing key, sealed; none if it can't be known. */
function derivedKey(
  masterKeys: MasterKeys,
  { state, number, purpose }: { state: KeyState; number: number; purpose: KeyPurpose },
): DerivedKey[] {
  const isHere = masterKeys.keys.has(number);
  // A version stores the keys of all purposes that it knows. Nothing was signed for one that is missing, so any key will do.
  if (!isHere && !state.derived.some((one) => one.number === number)) return [];
  const key = isHere ? deriveKey(masterKeys, purpose, number) : randomBytes(32);
  const place = { table: "derived_keys", column: "sealed", row: derivedKeyName(number, purpose) };
  return [{ number, purpose, sealed: seal(masterKeys, place, key) }];
}
