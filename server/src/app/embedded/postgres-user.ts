import { readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** A user of the operating system that the database runs as. */
export interface OsUser {
  uid: number;
  gid: number;
}

/**
 * PostgreSQL refuses to run as root: root starts it as the owner of existing data, otherwise as `postgres` or `nobody`. null for other
 * users: the database runs as the user who started it.
 */
export function databaseUser(existingData: string | null): OsUser | null {
  if (process.getuid?.() !== 0) return null;
  if (existingData !== null) {
    const { uid, gid } = statSync(existingData);
    if (uid !== 0) return { uid, gid };
  }
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  const found = users.find(([name]) => name === "postgres") ?? users.find(([name]) => name === "nobody");
  if (found === undefined) {
    throw new Error(
      "PostgreSQL doesn't run as root, and this system has neither a user `postgres` nor `nobody`. Start Tillpost as a regular user or set DATABASE_URL.",
    );
  }
  return { uid: Number(found[2]), gid: Number(found[3]) };
}

/** Whether `user` can traverse every folder above `path`, and `path` itself. */
export function canReach(path: string, user: OsUser | null): boolean {
  if (user === null) return true;
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat !== undefined) {
    const bit = stat.uid === user.uid ? 0o100 : stat.gid === user.gid ? 0o010 : 0o001;
    if ((stat.mode & bit) === 0) return false;
  }
  return dirname(path) === path || canReach(dirname(path), user);
}
