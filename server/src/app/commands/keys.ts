import { type ApiKey, allScopes, createApiKey, graveScopes, listApiKeys, revokeApiKey } from "#identity/index.ts";
import type { Ctx, Tenant } from "#platform/index.ts";
import type { Given } from "../command.ts";
import type { Settings } from "../config.ts";
import { listNewestProjects } from "../sql.ts";
import { type HandOut, withHandOut } from "./process/hand-out.ts";
import { runAlongside } from "./process/run-alongside.ts";

const usualPermissions = "orders:read,orders:write,payments:read,payments:write";

export async function run(settings: Settings, given: Given): Promise<number> {
  return runAlongside(settings, (ctx) => execute(ctx, given));
}

async function execute(ctx: Ctx, given: Given): Promise<string> {
  const [verb = "list", id] = given.words;
  const tenant = await chooseTenant(ctx, given);
  if (verb === "list") return table(await listApiKeys(ctx, tenant));
  if (verb === "create") return withHandOut(given, process.stdout.isTTY, (handOut) => create(ctx, { tenant, given, handOut }));
  if (verb === "revoke" && id !== undefined) {
    const key = await revokeApiKey(ctx, tenant, { id });
    return `${key.id} is revoked. Running servers can still accept it for up to 10 seconds.`;
  }
  throw new Error(verb === "revoke" ? "Which key? keys revoke <key id>" : `keys can list, create and revoke, not ${verb}.`);
}

async function create(ctx: Ctx, { tenant, given, handOut }: { tenant: Tenant; given: Given; handOut: HandOut }): Promise<string> {
  const permissions = String(given.values["permissions"] ?? usualPermissions);
  const key = await createApiKey(ctx, {
    ...tenant,
    name: String(given.values["name"] ?? "created at the command line"),
    permissions:
      permissions === "all" ? allScopes.filter((scope) => !graveScopes.includes(scope)) : permissions.split(",").map((name) => name.trim()),
    ...(typeof given.values["account"] === "string" ? { receiving_account: given.values["account"] } : {}),
  });
  return `${await handOut(key.secret ?? "")}

The key isn't shown again. Its ID is ${key.id}.`;
}

async function chooseTenant(ctx: Ctx, given: Given): Promise<Tenant> {
  const livemode = given.values["live"] === true;
  const projects = await listNewestProjects(ctx.db, 20);
  const wanted = given.values["project"];
  if (typeof wanted === "string") return { project_id: wanted, livemode };
  const [only] = projects;
  if (only !== undefined && projects.length === 1) return { project_id: only.id, livemode };
  if (only === undefined)
    throw new Error("There is no project yet. Create a merchant and a project: merchants create, then projects create.");
  throw new Error(`Which project? Add --project <id>:\n${projects.map((project) => `  ${project.id}  ${project.name}`).join("\n")}`);
}

function table(keys: ApiKey[]): string {
  if (keys.length === 0) return "No keys.";
  return keys
    .map((key) =>
      [
        key.id,
        `${key.prefix}…${key.last4}`,
        key.status.padEnd(7),
        key.name,
        key.permissions.length === allScopes.length ? "every permission" : key.permissions.join(","),
      ].join("  "),
    )
    .join("\n");
}
