import { type Ctx, countSealed, findSealedBy } from "#platform/index.ts";
import { silenceMs } from "./follow-master-keys.ts";
import { currentIn, readKeyState, signingIn } from "./live-keys.ts";
import { sealedColumns } from "./sealed-columns.ts";
import { type KeyHolder, listHolders } from "./sql.ts";

export interface ListedKey {
  number: number;
  fingerprint: string;
  is_current: boolean;
  /** Sessions, links and the audit log are signed with keys derived from it. */
  signs: boolean;
  is_revoked: boolean;
  /** Whether this process has it. */
  is_here: boolean;
  /** Whether keys derived from it are stored, so that it may be removed. */
  is_kept: boolean;
  /** How many values it seals, by column. */
  seals: { column: string; count: number }[];
}

/** Master keys of this process that seal something but aren't current: a rotation wasn't finished, or another process didn't notice it. */
export async function listUnfinished({ db, masterKeys }: Pick<Ctx, "db" | "masterKeys">): Promise<number[]> {
  const unfinished = new Set<number>();
  for (const column of sealedColumns) {
    const target = column.target(masterKeys);
    for (const number of masterKeys.keys.keys())
      if (number !== target && (await findSealedBy(db, column, number)) !== null) unfinished.add(number);
  }
  return [...unfinished].sort((left, right) => left - right);
}

/** Every master key that this database knows, what each seals, and which running process has which. */
export async function listKeysInUse(ctx: Pick<Ctx, "db" | "masterKeys">): Promise<{ keys: ListedKey[]; holders: KeyHolder[] }> {
  const state = await readKeyState(ctx.db);
  const counts = await Promise.all(
    sealedColumns.map(async (column) => (await countSealed(ctx.db, column)).map((one) => ({ column: column.name, ...one }))),
  );
  const keys = state.rows.map(
    ({ number, fingerprint, revoked_at }): ListedKey => ({
      number,
      fingerprint,
      is_current: currentIn(state) === number,
      signs: signingIn(state) === number,
      is_revoked: revoked_at !== null,
      is_here: ctx.masterKeys.keys.has(number),
      is_kept: state.derived.some((stored) => stored.number === number),
      seals: counts.flat().filter((one) => one.number === number),
    }),
  );
  return { keys: keys.sort((left, right) => left.number - right.number), holders: await listHolders(ctx.db, silenceMs) };
}
