import type { Ctx } from "../context.ts";
import { hint } from "../database/hints.ts";
import { seal } from "../secrets.ts";
import type { Pipe, Sent, Tx } from "../sql.ts";
import { insertNotice } from "./sql.ts";

export interface Notice {
  kind: string;
  /** The id of a person, merchant or project, or an address. */
  recipient: string;
  params: object;
  /** How long it waits for others of its kind to the same recipient before it is sent. */
  gather_ms?: number;
}

/** Writes a notice for a person in the transaction of its cause; the room `notices` sends it. */
export function notice<On extends Tx | Pipe>(tx: On, ctx: Ctx, given: Notice): Sent<On, void> {
  const id = ctx.id("req");
  const params = seal(ctx.masterKeys, placeOf(id), JSON.stringify(given.params));
  hint(tx, "notices");
  return insertNotice(tx, { id, kind: given.kind, recipient: given.recipient, params, gather_ms: given.gather_ms ?? 0 });
}

export function placeOf(id: string): { table: string; column: string; row: string } {
  return { table: "notices", column: "params", row: id };
}
