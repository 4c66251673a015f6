import { requireVerified } from "#identity/index.ts";
import { atNow, type Ctx, isUniqueViolation, platformErrors, type Tenant, type Tx } from "#platform/index.ts";
import { orderErrors } from "../errors.ts";
import { findPersonal } from "../method/find-method.ts";
import { refuseCurrency } from "../method/refuse-currency.ts";
import { lockHeldParts } from "../rows/exceptions.sql.ts";
import { lockOrder } from "../rows/orders.sql.ts";
import { lockOpenSession, updateSession } from "../rows/sessions.sql.ts";
import type { SessionRow } from "../shapes.ts";
import { startPersonal } from "./personal-qr.ts";
import type { StartedPayment } from "./starting.ts";

/**
 * Opens a payment of an unpaid order by the method that `gateway` names. The order stays locked until commit, so that a second tap waits here and finds the session.
 * An open session of another gateway is canceled, unless something was reported on it (session_active).
 */
export async function startPayment(ctx: Ctx, tenant: Tenant, input: { order_id: string; gateway: string }): Promise<StartedPayment> {
  await requireVerified(ctx, tenant);
  for (let tries = 1; ; tries += 1) {
    try {
      return await ctx.transact((tx) => startOnce(tx, ctx, { tenant, input }));
    } catch (error) {
      if (tries === 5 || !isUniqueViolation(error, "payment_sessions_remark")) throw error;
    }
  }
}

async function startOnce(tx: Tx, ctx: Ctx, given: { tenant: Tenant; input: { order_id: string; gateway: string } }): Promise<StartedPayment> {
  const { tenant, input } = given;
  const method = findPersonal(ctx, input.gateway);
  const order = await lockOrder(tx, tenant, input.order_id);
  if (order === null) throw platformErrors.resource_missing({ param: "id" });
  const open = await lockOpenSession(tx, tenant, order.id);
  const held = await lockHeldParts(tx, order, order.id);
  const timed = await atNow(ctx, tx);
  const owedMinor = order.amount_minor - held.reduce((sum, exception) => sum + exception.amount_minor, 0);
  if (open !== null && isReusable(open, { gateway: input.gateway, owedMinor, now: timed.now() })) return { order, session: open, created: false };
  if (order.status === "paid") throw orderErrors.order_already_paid();
  if (order.status === "pending_verify") throw orderErrors.session_active();
  if (order.status !== "unpaid" || order.expires_at <= timed.now()) throw orderErrors.order_state_conflict({ fields: { status: order.status } });
  refuseCurrency(method, { currency: order.currency, param: "gateway" });
  const closing = async () => (open === null ? undefined : closeOther(tx, timed, open));
  return startPersonal(tx, timed, { order, method, amount_minor: owedMinor, closeOther: closing });
}

/** An open session past its time is replaced, and so is one that asks for another amount than is owed, unless a payment was reported on it. */
function isReusable(open: SessionRow, { gateway, owedMinor, now }: { gateway: string; owedMinor: number; now: Date }): boolean {
  return open.gateway === gateway && (open.status !== "pending" || (open.expires_at > now && open.amount_minor === owedMinor));
}

async function closeOther(tx: Tx, timed: Ctx, open: SessionRow): Promise<void> {
  const to = open.expires_at <= timed.now() ? "expired" : "canceled";
  if ((await updateSession(tx, open, { from: ["pending"], to })) === null) throw orderErrors.session_active();
}
