import { type Pipe, type Sent, send, sql, type Tx } from "../sql.ts";

/** Bounds every later wait of this transaction for another one's uncommitted row or lock; null: as long as any other wait. */
export function updateLockWait<On extends Tx | Pipe>(tx: On, milliseconds: number | null): Sent<On, void> {
  const statement =
    milliseconds === null ? sql(tx)`set local lock_timeout to default` : sql(tx)`select set_config('lock_timeout', ${String(milliseconds)}, true)`;
  return send(tx, statement, () => {});
}
