import { beforeClosing } from "../database/closing.ts";
import type { Db } from "../sql.ts";
import type { Collector } from "./collector.ts";

/** One collector per database handle. Its items are run before the database's connections are closed. */
export function perDatabase<Item, Result>(make: (db: Db) => Collector<Item, Result>): (db: Db) => Collector<Item, Result> {
  const collectors = new WeakMap<Db, Collector<Item, Result>>();
  return (db) => {
    const known = collectors.get(db);
    if (known !== undefined) return known;
    const made = make(db);
    collectors.set(db, made);
    beforeClosing(db, () => made.drain());
    return made;
  };
}
