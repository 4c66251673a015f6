import { type Pipe, type Sent, send, sql, type Tx } from "../sql.ts";

/** Limits every later wait of this transaction for another one's uncommitted row or lock; null: the usual timeout. */
export function updateLockWait<On extends Tx | Pipe>(tx: On, milliseconds: number | null): Sent<On, void> {
  const statement =
    milliseconds === null
      ? sql(tx)`set local lock_timeout to default`
      : sql(tx)`select set_config('lock_timeout', ${String(milliseconds)}, true)`;
  return send(tx, statement, () => {});
}
