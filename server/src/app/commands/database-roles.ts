import type { Given } from "../command.ts";
import type { Settings } from "../config.ts";
import { rolesScript, usualRoles } from "../database-roles/index.ts";

export async function run(_settings: Settings, { values }: Given): Promise<number> {
  const owner = String(values["owner"] ?? usualRoles.owner);
  const app = String(values["app"] ?? usualRoles.app);
  if (owner === app) throw new Error("The two roles need different names: one owns the tables, the other serves.");
  process.stdout.write(rolesScript({ owner, app }));
  return 0;
}
