import type { Ctx } from "#platform/index.ts";
import { findRole, listHeld, listUncallable, ownerFunctions, privilegesOn } from "../database-roles/index.ts";
import { howToRun } from "../installed/how-to-run.ts";
import type { Finding } from "./checks.ts";

const check = "database";
const howToGrant = `Run \`${howToRun("migrate")}\` with DATABASE_OWNER_URL, or what \`${howToRun("database-roles")}\` prints.`;

/**
 * Checks whether the serving role may do what it needs to and no more. A role that owns the tables could change what was booked and
 * recorded, which is worth a note.
 */
export async function checkRoles(ctx: Pick<Ctx, "db">): Promise<Finding[]> {
  const { name, is_superuser, owns } = await findRole(ctx.db);
  if (is_superuser || owns) {
    const how = is_superuser ? "is a superuser" : "owns the tables";
    return [
      {
        check,
        state: "note",
        message: `the role that serves, ${name}, ${how}: anyone who gets hold of it can rewrite the ledger and the audit log`,
        fix: `Serve with a role that can only add to them: \`${howToRun("database-roles")}\` prints the SQL. Migrations then use DATABASE_OWNER_URL.`,
      },
    ];
  }
  const held = await listHeld(ctx.db);
  const missing = held.flatMap(({ table, privileges }) =>
    privilegesOn(table)
      .filter((one) => !privileges.includes(one))
      .map((one) => `${one} on ${table}`),
  );
  missing.push(...(await listUncallable(ctx.db, ownerFunctions)).map((one) => `EXECUTE on ${one}`));
  const excess = held.flatMap(({ table, privileges }) =>
    privileges.filter((one) => !(privilegesOn(table) as string[]).includes(one)).map((one) => `${one} on ${table}`),
  );
  const findings: Finding[] = [];
  if (missing.length > 0) findings.push({ check, state: "fault", message: `${name} lacks ${listed(missing)}`, fix: howToGrant });
  if (excess.length > 0)
    findings.push({
      check,
      state: "fault",
      message: `${name} has more privileges than it needs: ${listed(excess)}`,
      fix: `${howToGrant} Revoke what PUBLIC or another role grants it.`,
    });
  if (findings.length === 0)
    findings.push({ check, state: "fine", message: `${name} serves, and can only add to the ledger and the audit log` });
  return findings;
}

/** The first few, and how many more there are. */
function listed(names: string[], most = 4): string {
  const shown = names.slice(0, most).join(", ");
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}
