import { recordAudit } from "#audit/index.ts";
import { type Ctx, platformErrors, refuseCardMetadata, type Tenant } from "#platform/index.ts";
import { findLink } from "../rows/links.sql.ts";
import { lockOrder, updateOrderDetails } from "../rows/orders.sql.ts";
import { findLatestSession } from "../rows/sessions.sql.ts";
import type { Customer, OrderBundle } from "../shapes.ts";
import { metadataFault } from "./check-new-order.ts";

export interface OrderChange {
  order_id: string;
  /** The version that the caller read; null: any. */
  if_version: number | null;
  description?: string | null;
  /** Replaces all keys. */
  metadata?: Record<string, string>;
  /** Replaces the fields that it has. */
  customer?: Customer;
}

/**
 * Changes the merchant's descriptive data of an order, in any of its states: never its money. Events that were sent keep their data. Throws
 * version_conflict, and card_number_refused for metadata with a card number.
 */
export async function changeOrder(ctx: Ctx, tenant: Tenant, { order_id, if_version, ...change }: OrderChange): Promise<OrderBundle> {
  const fault = metadataFault(change.metadata);
  if (fault !== null) throw platformErrors.parameter_invalid({ ...fault, details: [fault] });
  refuseCardMetadata(change.metadata ?? {});
  return ctx.transact(async (tx) => {
    const before = await lockOrder(tx, tenant, order_id);
    if (before === null) throw platformErrors.resource_missing({ param: "id" });
    if (if_version !== null && before.version !== if_version)
      throw platformErrors.version_conflict({ fields: { version: before.version } });
    const given = {
      description: change.description === undefined ? before.description : change.description,
      metadata: change.metadata ?? before.metadata,
      customer: { ...before.customer, ...change.customer },
    };
    const unchanged =
      JSON.stringify(given) === JSON.stringify({ description: before.description, metadata: before.metadata, customer: before.customer });
    const order = unchanged ? before : await updateOrderDetails(tx, before, given);
    if (!unchanged)
      await recordAudit(tx, {
        ctx,
        tenant,
        action: "order.changed",
        object_type: "order",
        object_id: order_id,
        detail: { fields: Object.keys(change) },
      });
    return { order, link: await findLink(tx, tenant, order.id), session: await findLatestSession(tx, tenant, order.id) };
  });
}
