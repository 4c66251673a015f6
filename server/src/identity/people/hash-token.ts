import { createHash } from "node:crypto";

/** The hash of a session's token that the database stores. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
