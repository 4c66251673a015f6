import { type Ctx, firstLanguage, isUniqueViolation, type Language, platformErrors, refuseAddressesIn, type Tx } from "#platform/index.ts";
import { hashPassword, type PasswordWork } from "../password/hash-password.ts";
import { refuseWeakPassword } from "../password/refuse-weak-password.ts";
import { insertPassword } from "../password/sql.ts";
import { endProvisionalOperators } from "./end-provisional.ts";
import { recordPersonAction } from "./record-person-action.ts";
import { countOthersThanProvisional, insertPerson, type PersonRow } from "./sql.ts";

export interface NewPerson {
  email: string;
  name: string;
  password: string;
  language?: Language;
  is_operator?: boolean;
  /** Operator only until there is another one: the demo's account. */
  provisional?: boolean;
  passwordWork: PasswordWork;
}

/** Creates a person whose address counts as confirmed: from the command line, or because they came through an invitation to it. */
export async function createPerson(ctx: Ctx, input: NewPerson): Promise<PersonRow> {
  refuseWeakPassword({ text: input.password, param: "password", about: [input.email, input.name] });
  const password = await hashPassword(input.password, input.passwordWork);
  try {
    return await ctx.transact((tx) => addPerson(tx, ctx, { ...input, password }));
  } catch (error) {
    if (!isUniqueViolation(error, "people_email_key")) throw error;
    throw platformErrors.parameter_invalid({
      param: "email",
      reason: "account_exists",
      message: "There is already an account with this address.",
      cause: error,
    });
  }
}

/** Inserts the rows of a new person, in the transaction that causes it. `password` is already hashed. */
export async function addPerson(tx: Tx, ctx: Ctx, input: Omit<NewPerson, "passwordWork">): Promise<PersonRow> {
  refuseAddressesIn({ name: input.name });
  const provisional_operator = input.provisional === true;
  const isOperator = input.is_operator === true && !(provisional_operator && (await countOthersThanProvisional(tx)) > 0);
  const person = await insertPerson(tx, {
    id: ctx.id("usr"),
    email: input.email.trim().toLowerCase(),
    name: input.name,
    language: input.language ?? firstLanguage,
    is_operator: isOperator,
    provisional_operator,
    email_verified: true,
  });
  await insertPassword(tx, { id: ctx.id("ses"), person_id: person.id, password: input.password });
  await recordPersonAction(tx, ctx, { person_id: person.id, action: "person.created" });
  if (isOperator)
    await recordPersonAction(tx, ctx, { person_id: person.id, action: "person.operator_granted", detail: { provisional_operator } });
  await endProvisionalOperators(tx, ctx, person.id);
  return person;
}
