import { openDatabase } from "#platform/index.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { openAllRoutes } from "./ask-all.ts";

/** A server whose database accepts no writes, as on a standby. Call it at the top of a file. */
export function openStandby(): ReturnType<typeof openAllRoutes> {
  return openAllRoutes({
    async open(app) {
      // As on a standby, no connection opened from now on may write.
      await app.asSuperuser((db) =>
        runStatement(db, `alter database ${new URL(app.url).pathname.slice(1)} set default_transaction_read_only = on`),
      );
      return openDatabase({ url: app.url, max: 8 });
    },
  });
}
