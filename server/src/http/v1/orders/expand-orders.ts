import type { FastifyRequest } from "fastify";
import { listExpansions, type OrderBundle, orderViews, refundView, sessionView, voucherView } from "#orders/index.ts";
import { type ListInput, requireScope } from "#requests/index.ts";
import type { OrderShape } from "#schemas/index.ts";

/**
 * A page of orders as the API shows them, with the objects of `expand[]`. Every order has its payment link anyway. Throws
 * permission_denied if the objects need another permission than the orders.
 */
export async function expandOrders(request: FastifyRequest, query: ListInput, bundles: OrderBundle[]): Promise<OrderShape[]> {
  const { ctx } = request;
  const wanted = new Set(query.expand);
  if (wanted.has("refunds")) requireScope(request, "payments:read");
  const needsParts = (wanted.has("payment_sessions") || wanted.has("vouchers") || wanted.has("refunds")) && bundles.length > 0;
  const parts = needsParts
    ? await listExpansions(
        ctx,
        request.tenant,
        bundles.map((bundle) => bundle.order.id),
      )
    : { sessions: [], vouchers: [], refunds: [] };
  const views = await orderViews(ctx, request.tenant, bundles);
  return bundles.map((bundle, index) => {
    const shown = views[index] as OrderShape;
    const { id } = bundle.order;
    if (wanted.has("payment_sessions"))
      shown.payment_sessions = parts.sessions
        .filter((session) => session.order_id === id)
        .map((session) => sessionView(ctx, session, bundle.link));
    if (wanted.has("vouchers"))
      shown.vouchers = parts.vouchers.filter((voucher) => voucher.order_id === id).map((voucher) => voucherView(ctx, voucher));
    if (wanted.has("refunds"))
      shown.refunds = parts.refunds.filter((refund) => refund.order_id === id).map((refund) => refundView(ctx, refund));
    return shown;
  });
}
