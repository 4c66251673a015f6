import type { Db } from "#platform/index.ts";
import { findPersonByEmail, findPerson as findPersonRow, type PersonRow } from "./sql.ts";

/** A person by id or email address, or null. */
export function findPerson(db: Db, by: { id: string } | { email: string }): Promise<PersonRow | null> {
  return "id" in by ? findPersonRow(db, by.id) : findPersonByEmail(db, by.email);
}
