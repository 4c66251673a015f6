import type { Tx } from "#platform/index.ts";
import { lockSequence, type NumberedEvent, updateNumbered, updateSequence } from "./numbering.sql.ts";

/**
 * Gives the next numbers to events that have none yet, oldest first, and answers them. Numbers become visible in their order: whoever numbers
 * holds the counter until the commit. Answers nothing while another process does.
 */
export async function numberEvents(tx: Tx, limit: number): Promise<NumberedEvent[]> {
  const last = await lockSequence(tx);
  if (last === null) return [];
  const numbered = await updateNumbered(tx, last, limit);
  if (numbered.length > 0) await updateSequence(tx, last + numbered.length);
  return numbered;
}
