import { type Tx, trySavepoint } from "../sql.ts";
import { isAboutRow, type SweepPass } from "./put-off.ts";

interface Writing<Row, Result> {
  rows: readonly Row[];
  nameOf(row: Row): string;
  /** Its tenant; absent if it belongs to none. */
  ownerOf?(row: Row): string;
  write(tx: Tx, rows: Row[]): Promise<Result>;
}

/**
 * Writes what a transaction has decided about locked rows. If that fails, each row is written separately, and one that fails stays as it
 * is and is put off. Returns the results. Throws if the first ones all fail, because the cause is then probably none of them.
 */
export async function writeEach<Row, Result>(
  tx: Tx,
  pass: SweepPass,
  { rows, nameOf, ownerOf, write }: Writing<Row, Result>,
): Promise<Result[]> {
  if (rows.length === 0) return [];
  const together = await trySavepoint(tx, (inner) => write(inner, [...rows]), isAboutRow);
  if (together.ok) {
    const failedBefore = new Set(pass.due);
    for (const name of rows.map(nameOf)) if (failedBefore.has(name)) await pass.attempt(name, async () => undefined);
    return [together.value];
  }
  const results: Result[] = [];
  for (const row of rows) {
    const attempt = async () => {
      const tried = await trySavepoint(tx, (inner) => write(inner, [row]), isAboutRow);
      if (!tried.ok) throw tried.error;
      return { value: tried.value };
    };
    const written = await pass.attemptInTurn(nameOf(row), attempt, ownerOf?.(row));
    if (written !== null) results.push(written.value);
  }
  return results;
}
