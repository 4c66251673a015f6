import type { Ctx, Tx } from "#platform/index.ts";
import { openFinding } from "../polling/open-finding.ts";
import type { ExceptionRow, GatewayPaymentRow, OrderRow, SessionRow } from "../shapes.ts";

interface Case {
  order: OrderRow;
  session: SessionRow;
  payment: GatewayPaymentRow;
  kind: "mismatch" | "unmatched";
  /**
   * `account`, `mode`, `reference`: the provider reports money that isn't this payment's. `outcome_unknown`: it never responded.
   * `number_known`: the money is booked for something else. `callback_unanswered`: something changed, and it doesn't say what.
   */
  reason: "account" | "mode" | "reference" | "outcome_unknown" | "number_known" | "callback_unanswered";
  amount: { amount_minor: number; currency: string };
}

/** Opens an exception for a payment that the provider's report doesn't settle. */
export function openCase(tx: Tx, pinned: Ctx, given: Case): Promise<ExceptionRow> {
  const { order, session, payment, kind, reason, amount } = given;
  const externalId = payment.capture_id ?? payment.provider_id ?? session.id;
  const detail = { reason, source: "callback" };
  return openFinding(tx, pinned, {
    tenant: order,
    order,
    sessionId: session.id,
    gateway: payment.gateway,
    externalId,
    kind,
    amount,
    detail,
  });
}
