import type { Db } from "#platform/index.ts";
import { runStatement } from "./statement.sql.ts";

let triggers = 0;

/**
 * From now on, the database refuses to change some rows, as an operator's trigger or a broken constraint would. Returns what ends that.
 */
export async function refuseRows(
  app: { asSuperuser<T>(work: (db: Db) => Promise<T>): Promise<T> },
  table: string,
  given: { ids: readonly string[]; column?: string; on?: "insert" | "update" | "delete" },
): Promise<() => Promise<void>> {
  const { ids, column = "id", on = "update" } = given;
  triggers += 1;
  const name = `refused_${triggers}`;
  const list = ids.map((id) => `'${id}'`).join(", ");
  const row = on === "insert" ? "new" : "old";
  await app.asSuperuser(async (db) => {
    await runStatement(db, `create function ${name}() returns trigger language plpgsql as $$ begin raise 'this row is refused'; end $$`);
    await runStatement(
      db,
      `create trigger ${name} before ${on} on ${table} for each row when (${row}.${column} in (${list})) execute function ${name}()`,
    );
  });
  return () => app.asSuperuser(async (db) => void (await runStatement(db, `drop trigger ${name} on ${table}`)));
}
