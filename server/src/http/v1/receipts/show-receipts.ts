import type { FastifyRequest } from "fastify";
import type { ReceiptRow } from "#collection/index.ts";
import { listSuggestions, nameOrders } from "#reconciliation/index.ts";
import { type ReceiptShape, showReceipt } from "#schemas/index.ts";

/** Receipts in responses: with their suggestions, and the orders' references. */
export async function showReceipts({ ctx, tenant }: FastifyRequest, rows: readonly ReceiptRow[]): Promise<ReceiptShape[]> {
  const suggestions = await listSuggestions(ctx.db, tenant, rows);
  const names = await nameOrders(ctx.db, tenant, { receipts: rows, suggestions: [...suggestions.values()].flat() });
  return rows.map((row) => showReceipt(row, suggestions.get(row.id) ?? [], names));
}

export async function showOneReceipt(request: FastifyRequest, row: ReceiptRow): Promise<ReceiptShape> {
  const [shown] = await showReceipts(request, [row]);
  return shown as ReceiptShape;
}
