import { createCredential } from "#gateways/index.ts";
import { createPaymentPoller, createRefundPoller, type OrderRow, type SessionRow, startPayment } from "#orders/index.ts";
import type { OrderInput } from "#orders/order/check-new-order.ts";
import type { WorkPool } from "#platform/index.ts";
import type { TenantOptions, TestApp } from "#test/support/app/test-app.ts";
import { type PayShop, payShop } from "#test/support/payments/pay-shop.ts";
import type { PayingGateway, SentCallback } from "./paying-gateway.ts";

/** A project with receiving codes and accounts with the test's own gateway. */
export interface GatewayShop extends PayShop {
  /** Adds an account, chosen after those before it; its secret is `secret of <key>`. Returns its id. */
  account(key: string): Promise<string>;
  /** An order with an open payment through the gateway. */
  started(input?: Partial<OrderInput>): Promise<{ order: OrderRow; token: string; session: SessionRow }>;
}

export async function gatewayShop(app: TestApp, options: TenantOptions = {}): Promise<GatewayShop> {
  const shop = await payShop(app, options);
  return {
    ...shop,
    async account(key) {
      const { id } = await createCredential(app.ctx, shop.tenant, { gateway: "testpay", fields: { key, secret: `secret of ${key}` } });
      return id;
    },
    async started(input = {}) {
      const { order, token } = await shop.order(input);
      const { session } = await startPayment(app.ctx, shop.tenant, { order_id: order.id, gateway: "testpay" });
      return { order, token, session };
    },
  };
}

/** A shop with one account of its own. */
export interface KeyedShop extends GatewayShop {
  key: string;
  credential: string;
}

/** Opens shops, each with its own account, and sends callbacks as the provider does; `to` null: to an address that names no account. */
export function keyedShops(app: TestApp) {
  let made = 0;
  return {
    async open(options: TenantOptions = {}): Promise<KeyedShop> {
      const shop = await gatewayShop(app, options);
      const key = `tp_${(made += 1)}`;
      return { ...shop, key, credential: await shop.account(key) };
    },
    send: (to: string | null, { headers, payload }: SentCallback, on = "testpay") =>
      app.api().call("POST", `/api/payments/${on}/webhook${to === null ? "" : `/${to}`}`, { headers, payload }),
  };
}

/** Queries the providers about every payment that is due, until none is. */
export function pollDue(app: TestApp): Promise<void> {
  return runOut(app, createPaymentPoller());
}

/** Lets five days pass without a response about a payment that is over: then a person gets it. */
export async function silentForDays(app: TestApp, gateway: Pick<PayingGateway, "fault">, session_id: string): Promise<void> {
  for (let times = 0; times < 5; times += 1, app.clock.advance(86_400_000)) {
    gateway.fault("close", { kind: "unavailable", of: session_id });
    await pollDue(app);
  }
}

/** Queries the providers about every refund that is due, until none is. */
export function pollDueRefunds(app: TestApp): Promise<void> {
  return runOut(app, createRefundPoller());
}

async function runOut(app: TestApp, poller: WorkPool): Promise<void> {
  for (let started = 1; started > 0; await poller.idle()) started = await poller.run(app.ctx);
  await poller.finish(app.ctx);
}
