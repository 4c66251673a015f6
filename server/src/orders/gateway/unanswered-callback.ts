import { emit } from "#events/index.ts";
import type { CallbackJob, CallbackReport, StoredCallback } from "#gateways/index.ts";
import { atNow, type Ctx, type Tx } from "#platform/index.ts";
import { exceptionEvent } from "../order-events.ts";
import { listFindings, updateExceptionReleased } from "../rows/exceptions.sql.ts";
import { lockOrder } from "../rows/orders.sql.ts";
import { findSession } from "../rows/sessions.sql.ts";
import type { ExceptionRow, GatewayPaymentRow, OrderRow } from "../shapes.ts";
import { openCase } from "./open-case.ts";
import { findByCapture, findReported } from "./reported/find-reported.ts";

const reason = "callback_unanswered";

/**
 * Opens an exception for a callback that only the provider can explain, which doesn't respond: the payment may be done, so nothing else
 * would ask about it again. One for each payment, however many callbacks wait; once a person has decided about it, only a later callback
 * opens another one.
 */
export async function reportUnanswered(ctx: Ctx, callback: CallbackJob): Promise<void> {
  const payment = await findPaymentOf(ctx, callback);
  if (payment === null) return;
  await ctx.transact(async (tx) => {
    const { order, findings } = await hold(tx, payment);
    const session = await findSession(tx, payment, payment.payment_session_id);
    if (findings.some((finding) => covers(finding, callback)) || session === null) return;
    const amount = { amount_minor: session.amount_minor, currency: session.currency };
    await openCase(tx, await atNow(ctx, tx), { order, session, payment, kind: "unmatched", reason, amount });
  });
}

/** The provider has explained it now. */
export async function closeUnanswered(ctx: Ctx, callback: StoredCallback): Promise<void> {
  const payment = await findPaymentOf(ctx, callback);
  if (payment === null) return;
  await ctx.transact(async (tx) => {
    const { order, findings } = await hold(tx, payment);
    const pinned = await atNow(ctx, tx);
    for (const exception of findings.filter(({ status }) => status === "open")) {
      const closed = await updateExceptionReleased(tx, exception, { note: null, by: pinned.actor.id, from: [] });
      if (closed !== null) await emit(tx, pinned, { tenant: order, events: [exceptionEvent(closed, order)] });
    }
  });
}

/** A person sees the callback in this exception, or had it before them when they resolved it. */
function covers({ status, resolved_at }: ExceptionRow, { received_at }: CallbackJob): boolean {
  return status === "open" || (resolved_at !== null && received_at <= resolved_at);
}

/** Under the order's lock. */
async function hold(tx: Tx, payment: GatewayPaymentRow): Promise<{ order: OrderRow; findings: ExceptionRow[] }> {
  const order = await lockOrder(tx, payment, payment.order_id);
  if (order === null) throw new Error("a payment's order vanished");
  return { order, findings: await listFindings(tx, payment, reason) };
}

/** The payment that a callback is about; null if it isn't one of ours. */
function findPaymentOf(ctx: Ctx, callback: StoredCallback): Promise<GatewayPaymentRow | null> {
  const about = aboutOf(callback.told);
  if (about === null) return Promise.resolve(null);
  const { reference = null, providerId = null, captureId = null } = about;
  const isNamed = reference !== null || providerId !== null;
  return isNamed || captureId === null ? findReported(ctx, callback, { reference, providerId }) : findByCapture(ctx, callback, captureId);
}

interface About {
  reference?: string | null;
  providerId?: string | null;
  captureId?: string | null;
}

function aboutOf(report: CallbackReport): About | null {
  if (report.kind === "ask") return report.about;
  if (report.kind === "dispute") return report.dispute.payment;
  return report.kind === "nothing" ? null : report.payment;
}
