import type { PaymentSnapshot } from "#gateways/index.ts";
import { listTransactions } from "#ledger/index.ts";
import { pollPayment } from "#orders/gateway/poll-payment.ts";
import { findOrder, listOrderEvents, listOrderRefunds, type OrderRow, type RefundRow, type SessionRow } from "#orders/index.ts";
import type { OrderInput } from "#orders/order/check-new-order.ts";
import { findGatewayPayment } from "#orders/rows/gateway-payments.sql.ts";
import type { ShownException } from "#orders/shapes.ts";
import { listExceptions } from "#reconciliation/index.ts";
import type { TenantOptions, TestApp } from "#test/support/app/test-app.ts";
import { type GatewayShop, gatewayShop } from "./gateway-shop.ts";
import type { PayingGateway } from "./paying-gateway.ts";

/** A project whose orders are paid through the test's own gateway. */
export interface RefundShop extends GatewayShop {
  /** Its account with the gateway. */
  credential: string;
  /** An order that was paid there. */
  paid(input?: Partial<OrderInput>, change?: Partial<PaymentSnapshot>): Promise<{ order: OrderRow; token: string; session: SessionRow }>;
  /** Queries the provider about a payment, as after a callback without details. */
  ask(session: SessionRow): Promise<void>;
  sums(orderId: string): Promise<{ status: string; received: number; refunded: number; refunding: number; held: number }>;
  refunds(orderId: string): Promise<RefundRow[]>;
  cases(): Promise<ShownException[]>;
  events(orderId: string): Promise<string[]>;
  /** Amounts of the refund transactions and their reversals, oldest first. */
  moved(orderId: string): Promise<number[]>;
}

let made = 0;

export async function refundShop(app: TestApp, gateway: PayingGateway, options: TenantOptions = {}): Promise<RefundShop> {
  const { ctx } = app;
  const shop = await gatewayShop(app, options);
  const { tenant } = shop;
  const credential = await shop.account(`tp_r${(made += 1)}`);
  const ask = async (session: SessionRow) => {
    const payment = await findGatewayPayment(ctx.db, tenant, session.id);
    if (payment !== null) await pollPayment(ctx, payment);
  };
  return {
    ...shop,
    credential,
    ask,
    async paid(input = {}, change = {}) {
      const started = await shop.started(input);
      gateway.pay(started.session.id, { paidAt: app.clock.now(), ...change });
      await ask(started.session);
      return started;
    },
    async sums(orderId) {
      const { order } = await findOrder(ctx, tenant, orderId);
      const { status, amount_received_minor: received, amount_refunded_minor: refunded, amount_refunding_minor: refunding } = order;
      return { status, received, refunded, refunding, held: order.amount_held_minor };
    },
    refunds: async (orderId) => (await listOrderRefunds(ctx, tenant, { order_id: orderId, limit: 100 })).rows,
    cases: async () => (await listExceptions(ctx, tenant, { limit: 100, filters: {} })).rows,
    events: async (orderId) =>
      (await listOrderEvents(ctx, tenant, { order_id: orderId, limit: 100 })).rows.map(({ event }) => event).reverse(),
    async moved(orderId) {
      const filters = { order_id: [orderId], type: ["refund" as const, "reversal" as const] };
      return ((await listTransactions(ctx, tenant, { limit: 100, filters }))?.data ?? []).map(({ amount_minor }) => amount_minor).reverse();
    },
  };
}
