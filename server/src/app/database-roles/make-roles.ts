import { createHmac } from "node:crypto";
import { openSession } from "#platform/index.ts";
import { grantsScript, ownershipScript, roleScript, usualRoles } from "./scripts.ts";

/** Addresses of one database as each of its roles. */
export interface RoleUrls {
  ownerUrl: string;
  appUrl: string;
  /** Copies the server's files, and may do nothing else. */
  backupUrl: string;
}

const backupRole = "tillpost_backup";

/**
 * Makes the roles on a server of our own where they are missing, and gives the owner what Tillpost has in this database and the other what it may do with that.
 * Their passwords follow from the superuser's, so that none of them has to be kept.
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
  return { ownerUrl: urlAs(superuserUrl, usualRoles.owner), appUrl: urlAs(superuserUrl, usualRoles.app), backupUrl: urlAs(superuserUrl, backupRole) };
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
