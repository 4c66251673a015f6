import { type Db, type Fragment, type Pipe, sql } from "#platform/sql.ts";

/**
 * Sorts the sessions `s` of an order so that its current one is first: the open one, otherwise the one that changed last. That isn't always
 * the newest: a buyer who goes back to a method gets its earlier session again.
 */
export function listCurrentFirst(db: Db | Pipe): Fragment {
  return sql(
    db,
  )`(s.status in ('pending', 'processing', 'pending_verify')) desc, s.updated_at desc, (s.status = 'succeeded') desc, s.id desc`;
}
