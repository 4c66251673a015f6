import { createOrder, findOrder, startPayment } from "#orders/index.ts";
import type { TestApp } from "#test/support/app/test-app.ts";
import type { receiptShops } from "#test/support/payments/receipt-shop.ts";
import { type WechatRow, wechatStatement, writtenTime, yuan } from "./statements.ts";

/** Opens LIVE shops in which an order waits for the transfer of a statement's only row; `more` replaces what that row says. */
export function liveStatements({ ctx }: TestApp, shopWith: ReturnType<typeof receiptShops>) {
  return async (more: WechatRow = {}) => {
    const shop = await shopWith({ mode: "unique_amount" }, { tenant: { livemode: true } });
    const { order } = await createOrder(ctx, shop, { amount_minor: 4_300, currency: "CNY" });
    const { session } = await startPayment(ctx, shop, { order_id: order.id, gateway: "wechatpay" });
    const row = {
      amount: yuan(session.payable_amount_minor),
      time: writtenTime(new Date(ctx.now().getTime() + 60_000)),
      number: "1000000321",
    };
    const file = wechatStatement([{ ...row, ...more }]);
    return { shop, file, row, status: async () => (await findOrder(ctx, shop, order.id)).order.status };
  };
}
