import type { DisputeSnapshot } from "#gateways/index.ts";
import { listTransactions, listWallets } from "#ledger/index.ts";
import { listOrderDisputes } from "#orders/dispute/list-disputes.ts";
import { findOrder, listOrderEvents, startPayment } from "#orders/index.ts";
import { listExceptions } from "#reconciliation/exception/list-exceptions.ts";
import type { TestApp } from "#test/support/app/test-app.ts";
import { booksBalanceOf } from "#test/support/books/books-balance.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { disputeOf } from "./gateway-deeds.ts";
import { type GatewayShop, gatewayShop } from "./gateway-shop.ts";
import type { PayingGateway, SentCallback } from "./paying-gateway.ts";

type More = Partial<DisputeSnapshot> & { at: number };
interface Disputed extends GatewayShop {
  credential: string;
  order_id: string;
  session_id: string;
  /** Sends a callback to its account. */
  send(callback: SentCallback): Promise<{ status: number }>;
  /** Sends a callback of the dispute. */
  report(more: More): Promise<{ status: number }>;
}

/** What tests of disputes need of a shop whose order is disputed. */
export function disputedShops(app: TestApp, gateway: PayingGateway) {
  const { ctx } = app;
  const views = viewsOf(app);
  let made = 0;
  /** An order of 99.00 that was paid through the gateway; `isPaid: false`: its payment is open. */
  const open = async ({ isPaid = true } = {}): Promise<Disputed> => {
    const shop = await gatewayShop(app);
    const credential = await shop.account(`tp_${(made += 1)}`);
    const { order, session } = await shop.started();
    const send = ({ headers, payload }: SentCallback) =>
      app.api().call("POST", `/api/payments/testpay/webhook/${credential}`, { headers, payload });
    if (isPaid) {
      gateway.pay(session.id);
      await send(gateway.callback(session.id));
    }
    const report = (more: More) =>
      send(gateway.callback(session.id, { report: { kind: "dispute", dispute: disputeOf(session.id, more) } }));
    return { ...shop, credential, order_id: order.id, session_id: session.id, send, report };
  };
  /** An order with two payments through the gateway; an exception holds the money of the first one, which `shop` belongs to. */
  const paidTwice = async (): Promise<{ shop: Disputed; second: string; held: string }> => {
    const shop = await open({ isPaid: false });
    const by = (method: string) => startPayment(ctx, shop.tenant, { order_id: shop.order_id, gateway: method });
    gateway.fault("close", { kind: "not_found" });
    await by("wechatpay");
    const { session } = await by("testpay");
    for (const id of [session.id, shop.session_id]) {
      gateway.pay(id);
      await shop.send(gateway.callback(id));
    }
    const [held] = await views.casesOf(shop);
    return { shop, second: session.id, held: held?.id ?? "" };
  };
  return { open, paidTwice, ...views };
}

/** What can be read about a disputed order, its shop and all books. */
function viewsOf(app: TestApp) {
  const { ctx } = app;
  const disputesOf = async ({ tenant, order_id }: Disputed) => (await listOrderDisputes(ctx, tenant, { order_id, limit: 10 })).rows;
  const orderOf = async ({ tenant, order_id }: Disputed) => (await findOrder(ctx, tenant, order_id)).order;
  const eventsOf = async ({ tenant, order_id }: Disputed) =>
    (await listOrderEvents(ctx, tenant, { order_id, limit: 100 })).rows
      .map(({ event }) => event)
      .filter((event) => event.startsWith("dispute."));
  const casesOf = async ({ tenant }: Disputed) => (await listExceptions(ctx, tenant, { limit: 20, filters: {} })).rows;
  const bookedOf = async ({ tenant }: Disputed) =>
    ((await listTransactions(ctx, tenant, { limit: 20, filters: { type: ["adjustment", "fee", "reversal"] } }))?.data ?? [])
      .map(({ amount_minor }) => amount_minor)
      .reverse();
  const balanceOf = async ({ tenant }: Disputed) => (await listWallets(ctx, tenant, { limit: 9 }))?.data[0]?.balance_minor;
  const auditsOf = ({ tenant }: Disputed) =>
    runStatement<{ action: string }>(
      ctx.db,
      "select action from audit_log where project_id = ? and object_type = 'dispute' order by id",
      tenant.project_id,
    );
  return { disputesOf, orderOf, eventsOf, casesOf, bookedOf, balanceOf, auditsOf, booksBalance: booksBalanceOf(app) };
}

export const refusal = (attempt: Promise<unknown>) =>
  attempt.then(() => null).catch((error) => ({ code: error.code, fields: error.extras?.fields }));
