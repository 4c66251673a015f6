import { type Db, sql } from "#platform/sql.ts";

/** Runs a statement given as plain text, for tests that play an attacker or an operator. Values are bound as $1, $2 … by position of `?`. */
export async function runStatement<Row extends object = Record<string, unknown>>(db: Db, text: string, ...values: unknown[]): Promise<Row[]> {
  const parts = text.split("?");
  return sql(db)<Row>(Object.assign(parts, { raw: parts }) as unknown as TemplateStringsArray, ...(values as never[]));
}
