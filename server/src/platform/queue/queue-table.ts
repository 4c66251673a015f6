import type { Fragment, Sql } from "../sql.ts";

/**
 * A room's own table that is a queue. Its rows have their state: `state` (`due`, `leased`, `set_aside`, and the room's own for rows that
 * wait or have ended), `due_at`, `lease`, `lease_until`, `attempts` and `deaths`.
 */
export interface QueueTable {
  /** The queue's name for operators. */
  name: string;
  table(tag: Sql): Fragment;
  /** The text that identifies one of its jobs for an operator. */
  job(tag: Sql): Fragment;
}
