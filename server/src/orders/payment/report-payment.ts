import { atNow, type Ctx, platformErrors, type Tenant, type Tx } from "#platform/index.ts";
import { closingOpen } from "../gateway/close-open.ts";
import { restartMs, watchMs } from "../polling/calendar.ts";
import { updateWatchRestarted } from "../rows/gateway-payments.sql.ts";
import { lockOrder } from "../rows/orders.sql.ts";
import { lockOpenSession } from "../rows/sessions.sql.ts";
import { announceReview, awaitReview, isOther } from "../session/await-review.ts";
import { claimCanceled } from "../session/claim-canceled.ts";
import type { ClosedSessions } from "../session/starting.ts";
import type { OrderRow, SessionRow } from "../shapes.ts";

export interface Reported {
  order: OrderRow;
  session: SessionRow;
}

/**
 * "I have paid": the order waits for a person from now on and doesn't expire. Also works after expiry, because the buyer's money may be on
 * its way. `gateway` names the channel: an open session of another one is closed, at its provider first, like when another method is
 * chosen (session_active, order_already_paid). Reporting again changes nothing. A payment through a gateway is confirmed by its provider,
 * who is asked right away. A canceled order stays canceled and stores the report.
 */
export function reportPayment(ctx: Ctx, tenant: Tenant, input: { order_id: string; gateway?: string }): Promise<Reported> {
  return closingOpen(ctx, (closed) => reportOnce(ctx, tenant, { ...input, closed }));
}

function reportOnce(ctx: Ctx, tenant: Tenant, input: { order_id: string; gateway?: string; closed: ClosedSessions }): Promise<Reported> {
  return ctx.transact(async (tx) => {
    const order = await lockOrder(tx, tenant, input.order_id);
    const pinned = await atNow(ctx, tx);
    if (order === null) throw platformErrors.resource_missing({ param: "id" });
    const gateway = input.gateway ?? null;
    if (order.status === "canceled") return claimCanceled(tx, ctx, { order, gateway });
    const atGateway = await findAtGateway(tx, order, gateway);
    if (atGateway !== null) return { order, session: atGateway };
    const { session, moved } = await awaitReview(tx, pinned, { order, gateway, closed: input.closed });
    if (moved === null) return { order, session };
    await announceReview(tx, ctx, { order: moved, session, voucher: null });
    return { order: moved, session };
  });
}

/** The open payment of a gateway: its provider reports whether it is paid, and is asked right away. */
async function findAtGateway(tx: Tx, order: OrderRow, gateway: string | null): Promise<SessionRow | null> {
  const open = await lockOpenSession(tx, order, order.id);
  if (open?.method_data?.type !== "gateway" || isOther(open, gateway)) return null;
  await updateWatchRestarted(tx, [order], { durationMs: watchMs, firstMs: 0, everyMs: restartMs });
  return open;
}
