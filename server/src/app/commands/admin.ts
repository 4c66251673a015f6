import { addMember, createMerchant, createPerson, findMerchant } from "#identity/index.ts";
import { AppError, type Ctx, randomBase62 } from "#platform/index.ts";
import type { Settings } from "../config.ts";
import type { Given } from "./command.ts";
import { openHouseBeside } from "./process/open-shared-house.ts";

export async function run(settings: Settings, given: Given): Promise<number> {
  const [verb] = given.words;
  if (verb !== "create") throw new Error(verb === undefined ? "What? admin create --email <address>" : `admin can create, not ${verb}.`);
  const email = String(given.values["email"] ?? "");
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new Error("Whom? Add --email <address>.");
  const house = await openHouseBeside(settings);
  try {
    const ctx: Ctx = { ...house.ctx, actor: { kind: "system", id: "command line" } };
    process.stdout.write(`${await create(ctx, email, given)}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new Error(error.message, { cause: error });
  } finally {
    await house.close();
  }
}

async function create(ctx: Ctx, email: string, { values }: Given): Promise<string> {
  const wanted = values["merchant"];
  if (typeof wanted === "string" && (await findMerchant(ctx.db, wanted)) === null) throw new Error(`There is no merchant ${wanted}.`);
  const password = randomBase62(20);
  const name = String(values["name"] ?? email.split("@", 1).join(""));
  const person = await createPerson(ctx, { email, name, password, is_operator: true, passwordWork: "usual" });
  const merchantId = wanted ?? (await createMerchant(ctx, { display_name: String(values["merchant-name"] ?? "My business") })).id;
  await addMember(ctx, { merchant_id: String(merchantId), person_id: person.id, role: "owner" });
  return [
    `${person.email} may now sign in at ${ctx.publicUrl}/dashboard: operator of this installation, and owner of ${merchantId}.`,
    "",
    `  Password  ${password}`,
    "",
    "This is the only time it is shown. Change it after signing in.",
  ].join("\n");
}
