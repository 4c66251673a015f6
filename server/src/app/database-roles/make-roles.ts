import { createHmac } from "node:crypto";
import { openSession } from "#platform/index.ts";
import { grantsScript, ownershipScript, roleScript, usualRoles } from "./scripts.ts";

/** URLs of one database for each of its roles. */
export interface RoleUrls {
  ownerUrl: string;
  appUrl: string;
  /** This role may only copy the server's files. */
  backupUrl: string;
}

const backupRole = "tillpost_backup";

/**
 * Creates missing roles on our own server, makes the owner role own Tillpost's objects in this database, and grants the serving role its
 * privileges on them. Their passwords are derived from the superuser's, so that none has to be stored.
 */
export async function makeRoles(superuserUrl: string): Promise<RoleUrls> {
  const session = await openSession(superuserUrl);
  try {
    const roles = Object.values(usualRoles).map((name) => roleScript(name, passwordOf(superuserUrl, name)));
    const backup = roleScript(backupRole, passwordOf(superuserUrl, backupRole), "login replication");
    await session.script([...roles, backup, ownershipScript(usualRoles), grantsScript(usualRoles)].join("\n"));
  } finally {
    await session.close();
  }
  return {
    ownerUrl: urlAs(superuserUrl, usualRoles.owner),
    appUrl: urlAs(superuserUrl, usualRoles.app),
    backupUrl: urlAs(superuserUrl, backupRole),
  };
}

function urlAs(superuserUrl: string, role: string): string {
  const url = new URL(superuserUrl);
  Object.assign(url, { username: role, password: passwordOf(superuserUrl, role) });
  return url.href;
}

function passwordOf(superuserUrl: string, role: string): string {
  return createHmac("sha256", decodeURIComponent(new URL(superuserUrl).password))
    .update(role)
    .digest("base64url");
}
