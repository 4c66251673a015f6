import { addMember, createMerchant, createPerson, findMerchant, recoverPerson } from "#identity/index.ts";
import { type Ctx, randomBase62 } from "#platform/index.ts";
import type { Given } from "../command.ts";
import type { Settings } from "../config.ts";
import { type HandOut, withHandOut } from "./process/hand-out.ts";
import { runAlongside } from "./process/run-alongside.ts";

const verbs: Record<string, (ctx: Ctx, email: string, given: Given) => Promise<string>> = {
  create: (ctx, email, given) => withHandOut(given, process.stdout.isTTY, (handOut) => create(ctx, { email, given, handOut })),
  recover: (ctx, email, given) =>
    given.values["new-password"] === true
      ? withHandOut(given, process.stdout.isTTY, (handOut) => recover(ctx, { email, handOut }))
      : recover(ctx, { email, handOut: null }),
};

export async function run(settings: Settings, given: Given): Promise<number> {
  const [verb] = given.words;
  const work = verbs[verb ?? ""];
  if (work === undefined)
    throw new Error(
      verb === undefined
        ? "Which action? admin create --email <address>, or admin recover --email <address>"
        : `admin can create and recover, not ${verb}.`,
    );
  const email = String(given.values["email"] ?? "");
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new Error("Which person? Add --email <address>.");
  return runAlongside(settings, (ctx) => work(ctx, email, given));
}

async function create(ctx: Ctx, { email, given, handOut }: { email: string; given: Given; handOut: HandOut }): Promise<string> {
  const { values } = given;
  const wanted = values["merchant"];
  if (typeof wanted === "string" && (await findMerchant(ctx.db, wanted)) === null) throw new Error(`There is no merchant ${wanted}.`);
  const password = randomBase62(20);
  const name = String(values["name"] ?? email.split("@", 1).join(""));
  const person = await createPerson(ctx, { email, name, password, is_operator: true, passwordWork: "usual" });
  const merchantId = wanted ?? (await createMerchant(ctx, { display_name: String(values["merchant-name"] ?? "My business") })).id;
  await addMember(ctx, { merchant_id: String(merchantId), person_id: person.id, role: "owner" });
  return [
    `${person.email} can now sign in at ${ctx.publicUrl}/dashboard, as an operator of this installation and the owner of ${merchantId}.`,
    "",
    `  Password  ${await handOut(password)}`,
    "",
    "It isn't shown again. Change it after signing in.",
  ].join("\n");
}

async function recover(ctx: Ctx, { email, handOut }: { email: string; handOut: HandOut | null }): Promise<string> {
  const password = handOut === null ? null : randomBase62(20);
  const person = await recoverPerson(ctx, { email, passwordWork: "usual", ...(password === null ? {} : { password }) });
  const shown =
    password === null || handOut === null
      ? []
      : ["", `  Password  ${await handOut(password)}`, "", "It isn't shown again. Change it after signing in."];
  return [
    `${person.email} can sign in with just the password: two-step sign-in is off, and passkeys and open sessions have ended.`,
    "They get an email about it, and can set up a new second step under Your account.",
    ...shown,
  ].join("\n");
}
