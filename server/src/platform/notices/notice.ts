import type { Ctx } from "../context.ts";
import { seal } from "../secrets.ts";
import type { Tx } from "../sql.ts";
import { insertNotice } from "./sql.ts";

/** Leaves word for a person in the transaction of its cause; the `notices` room sends it. `recipient` is a person's or merchant's id, or an address. */
export async function notice(tx: Tx, ctx: Ctx, given: { kind: string; recipient: string; params: object }): Promise<void> {
  const id = ctx.id("req");
  const params = seal(ctx.masterKeys, { table: "notices", column: "params", row: id }, JSON.stringify(given.params));
  await insertNotice(tx, { id, kind: given.kind, recipient: given.recipient, params, now: ctx.now() });
}
