import { type MasterKeys, open, seal } from "#platform/index.ts";
import type { EmailBody } from "./shapes.ts";

const placeOf = (emailId: string) => ({ table: "email_bodies", column: "body", row: emailId });

/** A message's texts as they are stored. Those that hold a link that opens something are sealed: who reads the database, or a copy of it, cannot follow it. */
export function storeBody(keys: MasterKeys, given: { email_id: string; body: EmailBody; secret: boolean }): string {
  const text = JSON.stringify(given.body);
  return given.secret ? seal(keys, placeOf(given.email_id), text) : text;
}

/** What `storeBody` made. */
export function readBody(keys: MasterKeys, emailId: string, stored: string): EmailBody {
  return JSON.parse(stored.startsWith("{") ? stored : open(keys, placeOf(emailId), stored).toString("utf8")) as EmailBody;
}
