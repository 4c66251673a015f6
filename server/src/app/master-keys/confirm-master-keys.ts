import { type Ctx, type MasterKeys, macOf, open } from "#platform/index.ts";
import { insertMasterKey, listMasterKeys, listSealedBy, type SealedValue } from "./sql.ts";

const restore = "Restore the MASTER_KEYS (or the master-keys file) that this database was used with.";

/** Writes down the keys of a first start; throws a sentence when these are not the keys that sealed what the database holds. */
export async function confirmMasterKeys(ctx: Pick<Ctx, "db" | "masterKeys" | "now">): Promise<void> {
  const faults = await findKeyFaults(ctx);
  if (faults.length > 0) throw new Error(`${faults.join(" ")} ${restore}`);
  const known = new Set((await listMasterKeys(ctx.db)).map(({ number }) => number));
  const fresh = [...ctx.masterKeys.keys].filter(([number]) => !known.has(number));
  for (const [number, key] of fresh) await insertMasterKey(ctx.db, { number, fingerprint: fingerprintOf(key), now: ctx.now() });
}

/** A sentence for each master key that is not the one of this database. */
export async function findKeyFaults({ db, masterKeys }: Pick<Ctx, "db" | "masterKeys">): Promise<string[]> {
  const known = await listMasterKeys(db);
  const faults: string[] = [];
  for (const { number, fingerprint } of known) {
    const key = masterKeys.keys.get(number);
    if (key === undefined) {
      // One that seals nothing any more may be left out.
      if ((await listSealedBy(db, number)).length > 0) faults.push(`Master key ${number} is missing, and secrets in the database are sealed with it.`);
    } else if (fingerprintOf(key) !== fingerprint)
      faults.push(`Master key ${number} is not the one of this database: its fingerprint is ${fingerprintOf(key)}, the database's is ${fingerprint}.`);
  }
  // A database that an earlier version wrote knows no fingerprints: what it sealed tells.
  for (const number of masterKeys.keys.keys()) {
    if (known.some((one) => one.number === number)) continue;
    const closed = (await listSealedBy(db, number)).filter((value) => !opens(masterKeys, value));
    if (closed.length > 0)
      faults.push(`Master key ${number} does not open what is sealed with key ${number} in ${closed.map(({ table }) => table).join(", ")}.`);
  }
  return faults;
}

/** Tells keys apart and gives nothing of them away. */
function fingerprintOf(key: Buffer): string {
  return macOf(key, "fingerprint of a master key").slice(0, 16);
}

function opens(keys: MasterKeys, { sealed, ...place }: SealedValue): boolean {
  try {
    open(keys, place, sealed);
    return true;
  } catch {
    return false;
  }
}
