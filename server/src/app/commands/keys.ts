import { type ApiKey, allScopes, createApiKey, listApiKeys, revokeApiKey } from "#identity/index.ts";
import { AppError, type Ctx, type Tenant } from "#platform/index.ts";
import type { Settings } from "../config.ts";
import { listNewestProjects } from "../sql.ts";
import type { Given } from "./command.ts";
import { openHouseBeside } from "./process/open-shared-house.ts";

const usualPermissions = "orders:read,orders:write,payments:read,payments:write";

export async function run(settings: Settings, given: Given): Promise<number> {
  const house = await openHouseBeside(settings);
  try {
    const ctx: Ctx = { ...house.ctx, actor: { kind: "system", id: "command line" } };
    process.stdout.write(`${await act(ctx, given)}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new Error(error.message, { cause: error });
  } finally {
    await house.close();
  }
}

async function act(ctx: Ctx, given: Given): Promise<string> {
  const [verb = "list", id] = given.words;
  const tenant = await chooseTenant(ctx, given);
  if (verb === "list") return table(await listApiKeys(ctx, tenant));
  if (verb === "create") {
    const permissions = String(given.values["permissions"] ?? usualPermissions);
    const key = await createApiKey(ctx, {
      ...tenant,
      name: String(given.values["name"] ?? "made at the command line"),
      permissions: permissions === "all" ? [...allScopes] : permissions.split(",").map((name) => name.trim()),
    });
    return `${key.secret}\n\nThis is the only time the key is shown. Its id is ${key.id}.`;
  }
  if (verb === "revoke" && id !== undefined) {
    const key = await revokeApiKey(ctx, tenant, { id });
    return `${key.id} is revoked. Running servers may accept it for another 10 seconds.`;
  }
  throw new Error(verb === "revoke" ? "Which key? keys revoke <key id>" : `keys can list, create and revoke, not ${verb}.`);
}

async function chooseTenant(ctx: Ctx, given: Given): Promise<Tenant> {
  const livemode = given.values["live"] === true;
  const projects = await listNewestProjects(ctx.db, 20);
  const wanted = given.values["project"];
  if (typeof wanted === "string") return { project_id: wanted, livemode };
  const [only] = projects;
  if (only !== undefined && projects.length === 1) return { project_id: only.id, livemode };
  if (only === undefined) throw new Error("There is no project yet. The first `npm start` makes one.");
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
        key.permissions.length === allScopes.length ? "all" : key.permissions.join(","),
      ].join("  "),
    )
    .join("\n");
}
