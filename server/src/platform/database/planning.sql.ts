import { type Pipe, type Sent, send, sql, type Tx } from "../sql.ts";

/**
 * Has this transaction's statements planned each time, and by index. A cached plan made while the tables were nearly empty, or before
 * statistics reflect a queue's distribution, reads whole tables.
 */
export function updatePlanning<On extends Tx | Pipe>(tx: On): Sent<On, void> {
  return send(
    tx,
    sql(tx)`
    select set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_seqscan', 'off', true),
      set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true), set_config('jit', 'off', true)`,
    () => {},
  );
}
