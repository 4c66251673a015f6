import { findMerchant } from "#identity/index.ts";
import type { Ctx } from "#platform/index.ts";
import { createProject } from "#projects/index.ts";
import type { Given } from "../command.ts";
import type { Settings } from "../config.ts";
import { listNewestProjects } from "../sql.ts";
import { runAlongside } from "./process/run-alongside.ts";

const shownMax = 100;

export async function run(settings: Settings, given: Given): Promise<number> {
  return runAlongside(settings, (ctx) => execute(ctx, given));
}

async function execute(ctx: Ctx, given: Given): Promise<string> {
  const [verb = "list"] = given.words;
  if (verb === "create") return create(ctx, given);
  if (verb !== "list") throw new Error(`projects can list and create, not ${verb}.`);
  const projects = await listNewestProjects(ctx.db, shownMax);
  if (projects.length === 0) return 'No projects. projects create --merchant <merchant id> --name "<name>" makes one.';
  return projects.map(({ id, name }) => `${id}  ${name}`).join("\n");
}

async function create(ctx: Ctx, { values }: Given): Promise<string> {
  const { merchant, name, slug, currency } = values;
  if (typeof merchant !== "string")
    throw new Error("Which merchant does it belong to? Add --merchant <merchant id>; merchants list shows the IDs.");
  if (typeof name !== "string" || name.trim() === "") throw new Error('What is it called? Add --name "<name>".');
  if ((await findMerchant(ctx.db, merchant)) === null)
    throw new Error(`There is no merchant ${merchant}. merchants list shows all merchants.`);
  const project = await createProject(ctx, {
    merchant_id: merchant,
    name: name.trim(),
    default_currency: typeof currency === "string" ? currency : "CNY",
    ...(typeof slug === "string" ? { slug } : {}),
  });
  return `${project.id}  ${project.name} (${project.slug}, ${project.default_currency})\n\nNext: keys create --project ${project.id} --name "<name>"`;
}
