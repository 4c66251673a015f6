import { type Pipe, type Sent, send, sql, type Tx } from "../sql.ts";

/**
 * Limits every later wait of this transaction for another one's uncommitted row or lock; null: what the transaction began with. That isn't
 * the setting's default: behind a pooler the limits are set by the transaction itself.
 */
export function updateLockWait<On extends Tx | Pipe>(tx: On, milliseconds: number | null): Sent<On, void> {
  const tag = sql(tx);
  const usual = tag`coalesce(nullif(current_setting('app.usual_lock_wait', true), ''), current_setting('lock_timeout'))`;
  const statement =
    milliseconds === null
      ? tag`select set_config('lock_timeout', ${usual}, true)`
      : tag`select set_config('app.usual_lock_wait', ${usual}, true), set_config('lock_timeout', ${String(milliseconds)}, true)`;
  return send(tx, statement, () => {});
}
