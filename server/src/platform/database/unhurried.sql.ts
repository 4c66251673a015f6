import { type Db, type Fragment, type Pipe, type Sent, send, sql, type Tx } from "../sql.ts";

/**
 * Makes this transaction's COMMIT not wait for the disk: it takes effect immediately, and a crash of the database may undo it within a
 * second, but nothing that was committed before it. A later commit that waits for the disk covers this one too. Only use it if a
 * crash just before would leave the same state, which is recovered.
 */
export function updateUnhurried<On extends Tx | Pipe>(tx: On): Sent<On, void> {
  return send(tx, sql(tx)`select set_config('synchronous_commit', 'off', true)`, () => {});
}

/**
 * The same for one statement that is its own transaction, as the first of its `with`: `where unhurried.setting is not null` makes it run.
 */
export function updateUnhurriedPart(db: Db): Fragment {
  return sql(db)`unhurried as materialized (select set_config('synchronous_commit', 'off', true) as setting)`;
}
