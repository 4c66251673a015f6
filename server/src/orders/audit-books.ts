import type { Ctx } from "#platform/index.ts";
import * as books from "./audit-books.sql.ts";

/** Compares orders, events, exceptions, wallets and ledger, for all tenants; returns discrepancies, at most 100 per rule. */
export async function auditBooks(ctx: Pick<Ctx, "db">): Promise<books.BookFault[]> {
  const rules = [
    books.listUnbalancedOrders,
    books.listUnannouncedOrders,
    books.listUnexplainedMoney,
    books.listUnbookedMoney,
    books.listUnequalReceipts,
    books.listUnexplainedBalances,
    books.listUnequalRefunds,
    books.listUnequalDisputes,
  ];
  const faults: books.BookFault[] = [];
  for (const rule of rules) faults.push(...(await rule(ctx.db)));
  return faults;
}
