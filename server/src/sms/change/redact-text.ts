import { redactEvents } from "#events/index.ts";
import type { Tx } from "#platform/index.ts";
import type { SmsKey } from "../rows.sql.ts";

/** Removes an inbound message's text from its events. */
export async function redactText(tx: Tx, { project_id, livemode, id }: SmsKey): Promise<void> {
  await redactEvents(tx, { project_id, livemode }, { object_id: id, redact: dropText });
}

function dropText(data: { inbound?: { body: string | null } }): boolean {
  if (data.inbound === undefined || data.inbound.body === null) return false;
  data.inbound.body = null;
  return true;
}
