import { byKey, type Db, type Pipe, type Rows, type Sent, send, sql } from "#platform/sql.ts";

/**
 * Runs a statement given as plain text, for tests that play an attacker or an operator. Values are bound as $1, $2 … by position of `?`.
 */
export async function runStatement<Row extends object = Record<string, unknown>>(
  db: Db,
  text: string,
  ...values: unknown[]
): Promise<Row[]> {
  return sql(db)<Row>(partsOf(text), ...(values as never[]));
}

/** The same on the shared connections of reads by key. */
export async function readShared<Row extends object = Record<string, unknown>>(db: Db, text: string, ...values: unknown[]): Promise<Row[]> {
  return byKey(db)<Row>(partsOf(text), ...(values as never[]));
}

/** The same as a part of a pipeline. */
export function pipeStatement<Row extends object = Record<string, unknown>>(
  pipe: Pipe,
  text: string,
  ...values: unknown[]
): Sent<Pipe, Rows<Row>> {
  return send(pipe, sql(pipe)<Row>(partsOf(text), ...(values as never[])), (rows) => rows);
}

function partsOf(text: string): TemplateStringsArray {
  const parts = text.split("?");
  return Object.assign(parts, { raw: parts }) as unknown as TemplateStringsArray;
}
