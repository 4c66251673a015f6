import { recordAudit } from "#audit/index.ts";
import { emit } from "#events/index.ts";
import type { Ctx, Tx } from "#platform/index.ts";
import { exceptionEvent } from "../order-events.ts";
import { insertException } from "../rows/exceptions.sql.ts";
import type { ExceptionRow, GatewayPaymentRow, OrderRow, SessionRow } from "../shapes.ts";

interface Case {
  order: OrderRow;
  session: SessionRow;
  payment: GatewayPaymentRow;
  kind: "mismatch" | "unmatched";
  /** `account`, `mode`, `reference`: the provider tells of money that is not this payment's. `outcome_unknown`: it never answered. `number_known`: the money is in the books for something else. */
  reason: "account" | "mode" | "reference" | "outcome_unknown" | "number_known";
  amount: { amount_minor: number; currency: string };
}

/** Tells a person of a payment that the provider's word does not settle. Nothing is booked: whether any money is there is what the person finds out. */
export async function openCase(tx: Tx, timed: Ctx, given: Case): Promise<ExceptionRow> {
  const { order, session, payment, kind, reason, amount } = given;
  const exception = await insertException(tx, {
    project_id: order.project_id,
    livemode: order.livemode,
    id: timed.id("exc"),
    kind,
    order_id: order.id,
    payment_session_id: session.id,
    receipt_id: null,
    gateway: payment.gateway,
    external_id: payment.capture_id ?? payment.provider_id ?? session.id,
    amount_minor: amount.amount_minor,
    currency: amount.currency,
    transaction_id: null,
    detail: { reason, source: "callback" },
    created_at: timed.now(),
  });
  await emit(tx, timed, { tenant: order, events: [exceptionEvent(exception, order)] });
  const detail = { kind, order_id: order.id, booked: false };
  await recordAudit(tx, { ctx: timed, tenant: order, action: "payment.exception_opened", object_type: "payment_exception", object_id: exception.id, detail });
  return exception;
}
