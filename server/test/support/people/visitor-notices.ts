import { open } from "#platform/index.ts";
import type { TestApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";

/** What the notices of a kind to a reader say, oldest first. */
export async function openNotices<Params = { url: string; change?: string }>(
  app: TestApp,
  kind: string,
  recipient: string,
): Promise<Params[]> {
  const rows = await runStatement<{ id: string; params: string }>(
    app.ctx.db,
    "select id, params from notices where kind = ? and recipient = ? order by id",
    kind,
    recipient,
  );
  return rows.map(({ id, params }) =>
    JSON.parse(open(app.ctx.masterKeys, { table: "notices", column: "params", row: id }, params).toString("utf8")),
  );
}
