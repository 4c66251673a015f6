import { pino } from "pino";
import { type Ctx, type Database, type FileStore, newId, readMasterKeys } from "#platform/index.ts";

const masterKeys = readMasterKeys(`1:${"a5".repeat(32)}`);

/** A `Ctx` on any database, with a given time and files, and a silent log. */
export function contextOn(database: Database, given: { now: () => Date; files: FileStore }): Ctx {
  return {
    ...given,
    db: database.db,
    log: pino({ level: "silent" }),
    actor: { kind: "system", id: "test" },
    requestId: null,
    claim: null,
    publicUrl: "http://localhost:8080",
    masterKeys,
    id: (prefix) => newId(prefix, given.now().getTime()),
    transact: (work) => database.transact(work),
    transactUnclaimed: (work) => database.transact(work),
  };
}
