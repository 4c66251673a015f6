import { recordAudit } from "#audit/index.ts";
import { emit } from "#events/index.ts";
import type { Ctx, Tenant, Tx } from "#platform/index.ts";
import { exceptionEvent } from "../order-events.ts";
import { insertException } from "../rows/exceptions.sql.ts";
import type { ExceptionRow, OrderRow } from "../shapes.ts";

/** Something at a provider that a person has to check, and that isn't booked. */
export interface Finding {
  tenant: Tenant;
  order: OrderRow | null;
  sessionId: string | null;
  gateway: string;
  /** The provider's id, or our reference. */
  externalId: string;
  kind: "mismatch" | "unmatched";
  amount: { amount_minor: number; currency: string };
  /** Begins with the `reason`. */
  detail: Record<string, unknown> & { reason: string };
}

/** Opens an exception for something at a provider that can't be settled automatically. Nothing is booked until a person has checked it. */
export async function openFinding(tx: Tx, pinned: Ctx, given: Finding): Promise<ExceptionRow> {
  const { tenant, order, kind, amount } = given;
  const exception = await insertException(tx, {
    project_id: tenant.project_id,
    livemode: tenant.livemode,
    id: pinned.id("exc"),
    kind,
    order_id: order?.id ?? null,
    payment_session_id: given.sessionId,
    receipt_id: null,
    gateway: given.gateway,
    external_id: given.externalId,
    amount_minor: amount.amount_minor,
    currency: amount.currency,
    transaction_id: null,
    detail: given.detail,
    created_at: pinned.now(),
  });
  await emit(tx, pinned, { tenant, events: [exceptionEvent(exception, order)] });
  const detail = { kind, order_id: order?.id ?? null, booked: false };
  await recordAudit(tx, {
    ctx: pinned,
    tenant,
    action: "payment.exception_opened",
    object_type: "payment_exception",
    object_id: exception.id,
    detail,
  });
  return exception;
}
