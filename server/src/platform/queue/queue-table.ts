import type { Fragment, Sql } from "../sql.ts";

/**
 * A room's own table that is a queue. Its rows say themselves where they stand: `state` (`due`, `leased`, `set_aside`, and the room's own for what
 * waits or has ended), `due_at`, `lease`, `lease_until`, `attempts` and `deaths`.
 */
export interface QueueTable {
  /** As operators know the queue. */
  name: string;
  table(tag: Sql): Fragment;
  /** The text that names one of its jobs to an operator. */
  job(tag: Sql): Fragment;
}
