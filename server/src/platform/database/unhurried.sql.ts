import { type Db, type Fragment, type Pipe, type Sent, send, sql, type Tx } from "../sql.ts";

/**
 * Has this transaction's COMMIT wait for no disk: it is done for everybody at once, and a crash of the database may take it back within a second, with nothing that
 * was committed before it. Whoever waits for the disk after it waits for it, too. Only where a crash a moment earlier would leave the same, and that is made good.
 */
export function updateUnhurried<On extends Tx | Pipe>(tx: On): Sent<On, void> {
  return send(tx, sql(tx)`select set_config('synchronous_commit', 'off', true)`, () => {});
}

/** The same for one statement that is a transaction of its own, as the first of its `with`: `where unhurried.setting is not null` has it carried out. */
export function updateUnhurriedPart(db: Db): Fragment {
  return sql(db)`unhurried as materialized (select set_config('synchronous_commit', 'off', true) as setting)`;
}
