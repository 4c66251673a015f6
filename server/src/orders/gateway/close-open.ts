import { GatewayError } from "#gateways/index.ts";
import type { Ctx } from "#platform/index.ts";
import { orderErrors } from "../errors.ts";
import { findGatewayPayment } from "../rows/gateway-payments.sql.ts";
import { findOrderRow } from "../rows/orders.sql.ts";
import { type ClosedSessions, OpenAtProvider } from "../session/starting.ts";
import type { SessionRow } from "../shapes.ts";
import { closePayment } from "./poll-payment.ts";

/** An order has one open session; a buyer who keeps starting others isn't followed forever. */
const maxClosed = 3;

/**
 * Runs work that may find a gateway's payment open: that one is closed at its provider, outside any transaction, and the work is repeated.
 * Throws session_active if the provider doesn't respond or the payment is processing, and order_already_paid if it turns out to be paid.
 */
export async function closingOpen<T>(ctx: Ctx, work: (closed: ClosedSessions) => Promise<T>): Promise<T> {
  const closed = new Map<string, "closed" | "payable">();
  for (;;) {
    try {
      return await work(closed);
    } catch (error) {
      if (!(error instanceof OpenAtProvider)) throw error;
      if (closed.size === maxClosed || closed.has(error.session.id)) throw orderErrors.session_active();
      closed.set(error.session.id, await closeSession(ctx, error.session));
    }
  }
}

async function closeSession(ctx: Ctx, session: SessionRow): Promise<"closed" | "payable"> {
  const payment = await findGatewayPayment(ctx.db, session, session.id);
  if (payment === null || payment.status === "done") return "closed";
  if (session.status === "processing" || session.reported_at !== null) throw orderErrors.session_active();
  const outcome = await closePayment(ctx, payment).catch(keysRefused);
  if (outcome === "underway") throw orderErrors.session_active();
  const order = outcome === "paid" ? await findOrderRow(ctx.db, session, session.order_id) : null;
  if (order?.status === "paid") throw orderErrors.order_already_paid();
  return outcome === "unopened" || outcome === "keys_refused" ? "payable" : "closed";
}

/** A provider that refuses the account's keys closes nothing until someone replaces them, which a buyer can't wait for. */
function keysRefused(error: unknown): "keys_refused" {
  if (!(error instanceof GatewayError)) throw error;
  if (error.kind === "auth") return "keys_refused";
  throw orderErrors.session_active({ cause: error });
}
