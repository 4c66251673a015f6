import { findPerson, listOperatorsToNotify, listPeopleOf } from "#identity/index.ts";
import { type Ctx, type Language, ownMerchantId } from "#platform/index.ts";
import { findProject } from "#projects/index.ts";
import type { Role } from "./kinds/facts.ts";

/** A recipient of a notice. */
export interface Reader {
  address: string;
  /** null: unknown. */
  language: Language | null;
}

/**
 * Who reads a notice: for an address or a person, themselves; for a merchant, the people of the first set of roles that has any; for
 * Tillpost itself, its operators.
 */
export async function findReaders(ctx: Ctx, recipient: string, roles: readonly (readonly Role[])[]): Promise<Reader[]> {
  if (recipient.includes("@")) return [{ address: recipient, language: null }];
  if (recipient.startsWith("usr_")) {
    const person = await findPerson(ctx.db, { id: recipient });
    return person === null ? [] : [{ address: person.email, language: person.language }];
  }
  const merchantId = recipient.startsWith("prj_") ? (await findProject(ctx.db, recipient))?.merchant_id : recipient;
  if (merchantId === undefined) return [];
  if (merchantId === ownMerchantId)
    return (await listOperatorsToNotify(ctx.db)).map((person) => ({ address: person.email, language: person.language }));
  for (const set of roles) {
    const people = await listPeopleOf(ctx.db, merchantId, set);
    if (people.length > 0) return people.map((person) => ({ address: person.email, language: person.language }));
  }
  return [];
}
