import type { PaymentSnapshot, SettledLine } from "#gateways/index.ts";
import { listWallets } from "#ledger/index.ts";
import { findGatewayPayment } from "#orders/rows/gateway-payments.sql.ts";
import type { TestApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { type GatewayShop, gatewayShop } from "./gateway-shop.ts";
import type { PayingGateway } from "./paying-gateway.ts";

export interface ListedShop extends GatewayShop {
  key: string;
  credential: string;
  /** A paid payment of 99.00, listed by the provider with `line`; null: not listed. `reported` replaces what the provider reports of it. */
  paid(line?: Partial<SettledLine> | null, reported?: Partial<PaymentSnapshot>): Promise<{ order_id: string; session_id: string }>;
  list(line: Partial<SettledLine>): void;
}

/** What is stored and booked of a payment's fee. */
export async function feeOf({ ctx }: TestApp, shop: ListedShop, { order_id, session_id }: { order_id: string; session_id: string }) {
  const payment = await findGatewayPayment(ctx.db, shop.tenant, session_id);
  const count = "select count(*)::int as fees from ledger_transfers where kind = 'fee' and order_id = ?";
  const [counted] = await runStatement(ctx.db, count, order_id);
  const balance = (await listWallets(ctx, shop.tenant, { limit: 9 }))?.data[0]?.balance_minor;
  return { fee: [payment?.fee_minor, payment?.fee_currency], ...counted, balance };
}

/** Opens shops whose provider lists what was settled. */
export function listedShops(app: TestApp, gateway: PayingGateway): () => Promise<ListedShop> {
  const { ctx, clock } = app;
  let made = 0;
  /** A shop whose account is the only one compared from now on. */
  return async () => {
    await runStatement(ctx.db, "update gateway_comparisons set state = 'done', lease = null, lease_until = null where state <> 'done'");
    const shop = await gatewayShop(app);
    const key = `tp_${(made += 1)}`;
    const credential = await shop.account(key);
    const list = (line: Partial<SettledLine>) => {
      const usual = {
        kind: "payment",
        reference: null,
        providerId: null,
        captureId: null,
        amount: { amount_minor: 9900, currency: "CNY" },
        occurredAt: clock.now(),
      } as const;
      gateway.settled.set(key, [...(gateway.settled.get(key) ?? []), { ...usual, ...line }]);
    };
    const paid: ListedShop["paid"] = async (line = {}, reported = {}) => {
      const { order, session } = await shop.started();
      gateway.pay(session.id, { paidAt: clock.now(), ...reported });
      await app.api().call("POST", `/api/payments/testpay/webhook/${credential}`, gateway.callback(session.id));
      if (line !== null) list({ reference: session.id, captureId: `cap_${session.id}`, ...line });
      return { order_id: order.id, session_id: session.id };
    };
    return { ...shop, key, credential, list, paid };
  };
}
