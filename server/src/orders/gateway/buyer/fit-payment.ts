import { GatewayError, openAccount } from "#gateways/index.ts";
import type { Ctx } from "#platform/index.ts";
import { lockOrder } from "../../rows/orders.sql.ts";
import { findSession, updateSessionData } from "../../rows/sessions.sql.ts";
import type { SessionRow } from "../../shapes.ts";
import { buyerAt, type GatewayBuyer, type Served, servedOf } from "./buyer.ts";

/**
 * Checks whether an open payment fits a buyer on their device, and returns its session; null if it is paid in another way there. The device
 * is stored, so that the page can show it.
 */
export async function fitPayment(ctx: Ctx, session: SessionRow, buyer: GatewayBuyer | null): Promise<SessionRow | null> {
  const { method_data: data } = session;
  if (buyer === null || session.status !== "pending" || data.type !== "gateway" || data.next_action === null) return session;
  const opened = await openAccount(ctx, session, session.account ?? "").catch(unlessUnreadable);
  // No other payment can be created there, and this one exists.
  if (opened === null) return session;
  const { account } = opened;
  const known = buyerAt(buyer, session.account ?? "") ?? buyer;
  const served = servedOf(account, known);
  if (data.way !== undefined && data.way !== served.way) return null;
  return served.device === data.device ? session : noteServed(ctx, session, served);
}

function unlessUnreadable(error: unknown): null {
  if (error instanceof GatewayError) return null;
  throw error;
}

async function noteServed(ctx: Ctx, { id, order_id, ...tenant }: SessionRow, served: Served): Promise<SessionRow> {
  return ctx.transactUnclaimed(async (tx) => {
    await lockOrder(tx, tenant, order_id);
    const session = await findSession(tx, tenant, id);
    if (session === null) throw new Error("a payment's session vanished");
    const data = session.method_data;
    return session.status === "pending" && data.type === "gateway" ? updateSessionData(tx, session, { ...data, ...served }) : session;
  });
}
