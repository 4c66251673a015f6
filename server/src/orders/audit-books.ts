import type { Ctx } from "#platform/index.ts";
import { type BookFault, listUnannouncedOrders, listUnbalancedOrders, listUnbookedMoney, listUnexplainedMoney } from "./audit-books.sql.ts";

/** Holds orders, events, exceptions and ledger against each other, for all tenants; answers what does not add up, at most 100 of each rule. */
export async function auditBooks(ctx: Pick<Ctx, "db">): Promise<BookFault[]> {
  const faults = [await listUnbalancedOrders(ctx.db), await listUnannouncedOrders(ctx.db), await listUnexplainedMoney(ctx.db), await listUnbookedMoney(ctx.db)];
  return faults.flat();
}
