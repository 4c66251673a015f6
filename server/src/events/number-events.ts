import type { Tx, WantedRows } from "#platform/index.ts";
import { lockSequence, type NumberedEvent, updateNumbered, updateSequence } from "./numbering.sql.ts";

/**
 * Numbers the events that have no number yet, oldest first, and returns them. Numbers become visible in order, because the transaction that
 * assigns them locks the counter until its commit. Returns nothing while another process has the lock.
 */
export async function numberEvents(tx: Tx, wanted: WantedRows): Promise<NumberedEvent[]> {
  const last = await lockSequence(tx);
  if (last === null) return [];
  const numbered = await updateNumbered(tx, last, wanted);
  if (numbered.length > 0) await updateSequence(tx, last + numbered.length);
  return numbered;
}
