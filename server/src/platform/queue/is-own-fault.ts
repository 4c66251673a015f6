import { databaseCode } from "../database/database.ts";

/** True for an error that the rows themselves cause, and not the database or a lock wait: they would fail each time. */
export function isOwnFault(error: unknown): boolean {
  const code = databaseCode(error);
  return code === null || /^(22|23|54|P0)/.test(code);
}
