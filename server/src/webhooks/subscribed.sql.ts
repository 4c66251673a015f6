import type { Fragment, PipeSql, SqlValue } from "#platform/sql.ts";
import { quietNames } from "./event-names.ts";

/**
 * Whether an event's name matches names, families (`order.*`) and `*`: one rule for endpoints, replays, lists and attempts. `event` and
 * `names` are columns or values.
 */
export function subscribed(tag: PipeSql, event: Fragment, names: SqlValue): Fragment {
  return tag`(${event} = any (${names}) or split_part(${event}, '.', 1) || '.*' = any (${names})
    or ('*' = any (${names}) and ${event} <> all (${[...quietNames]}::text[])))`;
}
