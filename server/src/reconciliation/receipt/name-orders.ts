import type { ReceiptRow } from "#collection/index.ts";
import { type ExceptionRow, listOwnExceptions } from "#orders/index.ts";
import type { Db, Tenant } from "#platform/index.ts";
import { isReleasable } from "./free-receipt.ts";
import { listOrdersOfReceipts, listReferences } from "./sql.ts";
import type { Suggestion } from "./suggest.ts";

/** Which order of the project a receipt paid, and the orders' references. */
export interface OrderNames {
  orderOf: ReadonlyMap<string, string>;
  referenceOf: ReadonlyMap<string, string | null>;
  /** The project's own exceptions of the receipts, by ID. */
  exceptions: ReadonlyMap<string, Pick<ExceptionRow, "status"> & { isReleasable: boolean }>;
}

/** The orders that receipts and their suggestions name, so that a list can show them without separate requests. */
export async function nameOrders(
  db: Db,
  tenant: Tenant,
  given: { receipts: readonly ReceiptRow[]; suggestions: readonly Suggestion[] },
): Promise<OrderNames> {
  const booked = given.receipts
    .filter((receipt) => receipt.booked_external_id !== null || receipt.payment_session_id !== null)
    .map(({ id }) => id);
  const orderOf = new Map((booked.length === 0 ? [] : await listOrdersOfReceipts(db, tenant, booked)).map((row) => [row.id, row.order_id]));
  const ids = [...new Set([...orderOf.values(), ...given.suggestions.flatMap((one) => one.order_id ?? [])])];
  const referenceOf = new Map((ids.length === 0 ? [] : await listReferences(db, tenant, ids)).map((row) => [row.id, row.reference]));
  const cases = [...new Set(given.receipts.flatMap((receipt) => receipt.exception_id ?? []))];
  const own = cases.length === 0 ? [] : await listOwnExceptions(db, tenant, cases);
  const exceptions = new Map(own.map((row) => [row.id, { status: row.status, isReleasable: isReleasable(row) }]));
  return { orderOf, referenceOf, exceptions };
}
