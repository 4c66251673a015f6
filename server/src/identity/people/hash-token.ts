import { createHash } from "node:crypto";

/** What the database keeps in place of a session's token. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
