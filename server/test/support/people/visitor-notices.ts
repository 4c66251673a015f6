import { open } from "#platform/index.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import type { House } from "#test/support/house/house.ts";

/** What the notices of a kind to a reader say, oldest first. */
export async function openNotices<Params = { url: string; change?: string }>(home: House, kind: string, recipient: string): Promise<Params[]> {
  const rows = await runStatement<{ id: string; params: string }>(
    home.ctx.db,
    "select id, params from notices where kind = ? and recipient = ? order by id",
    kind,
    recipient,
  );
  return rows.map(({ id, params }) => JSON.parse(open(home.ctx.masterKeys, { table: "notices", column: "params", row: id }, params).toString("utf8")));
}
