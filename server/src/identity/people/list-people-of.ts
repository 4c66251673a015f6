import type { Db } from "#platform/index.ts";
import type { Role } from "../roles.ts";
import { listOperators, listPeopleWithRoles, type PersonToNotify } from "./sql.ts";

/** The people of a merchant with one of the roles, with the address and language for notifying them. Unconfirmed addresses are left out. */
export function listPeopleOf(db: Db, merchantId: string, roles: readonly Role[]): Promise<PersonToNotify[]> {
  return listPeopleWithRoles(db, merchantId, roles);
}

/** The operators of this installation, with address and language. */
export function listOperatorsToNotify(db: Db): Promise<Omit<PersonToNotify, "role">[]> {
  return listOperators(db);
}
