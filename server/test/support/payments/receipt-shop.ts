import { type Channel, type ProfileInput, putProfile, type ReceiptRow, updateReceipt } from "#collection/index.ts";
import { auditBooks, createOrder, findOrder, reportPayment, startPayment } from "#orders/index.ts";
import { settle } from "#orders/settle/settle.ts";
import { listExceptions, type ReceiptInput, recordReceipt, reviewOrder } from "#reconciliation/index.ts";
import type { TenantOptions, TestApp, TestTenant } from "#test/support/app/test-app.ts";

export const shopCode = "wxp://f2f0AbCdEfGhIjKlMnOpQrStUvWxYz01234";

/** A project with a WeChat code, and actions on its receipts. */
export interface ReceiptShop extends TestTenant {
  /** An order with an open WeChat payment. */
  paying(
    amount_minor?: number,
    expires_in?: number,
  ): Promise<{ order_id: string; session_id: string; payable: number; code: string | null; flags: string[] }>;
  /** The buyer reports the payment and a person approves it. */
  approve(order_id: string, external_transaction_id?: string): Promise<void>;
  receipt(input: Partial<ReceiptInput> & { amount_minor: number }): ReturnType<typeof recordReceipt>;
  order(order_id: string): Promise<{ status: string; flags: string[]; received: number }>;
  /** Open exceptions. */
  cases(): Promise<{ kind: string; order_id: string | null; amount_minor: number; transaction_id: string | null }[]>;
}

let lastAmount = 10_000;

/** Creates shops for tests of receipts. Pass `merchant_id` for a second project of one merchant. */
export function receiptShops(app: TestApp) {
  const { ctx } = app;
  return async function shopWith(
    matching: NonNullable<ProfileInput["matching"]>,
    more: Partial<ProfileInput> & { tenant?: TenantOptions; channel?: Channel } = {},
  ): Promise<ReceiptShop> {
    const { tenant: options, ...profile } = more;
    const shop = await app.tenant(options);
    await putProfile({ ...ctx, actor: { kind: "person", id: "usr_owner" } }, shop, {
      channel: "wechat",
      if_version: null,
      qr_payload: shopCode,
      matching,
      ...profile,
    });
    return {
      ...shop,
      async paying(amount_minor = (lastAmount += 1000), expires_in = 86_400) {
        const { order } = await createOrder(ctx, shop, { amount_minor, currency: "CNY", expires_in });
        const { session } = await startPayment(ctx, shop, { order_id: order.id, gateway: "wechatpay" });
        return {
          order_id: order.id,
          session_id: session.id,
          payable: session.payable_amount_minor,
          code: session.remark_code,
          flags: session.flags,
        };
      },
      async approve(order_id, external_transaction_id) {
        await reportPayment(ctx, shop, { order_id });
        const number = external_transaction_id === undefined ? {} : { external_transaction_id };
        await reviewOrder(ctx, shop, { order_id, decision: "approve", ...number });
      },
      receipt: (input) =>
        recordReceipt(ctx, shop, { channel: "wechat", occurred_at: ctx.now(), source: "statement", external_id: ctx.id("req"), ...input }),
      async order(order_id) {
        const { order } = await findOrder(ctx, shop, order_id);
        return { status: order.status, flags: order.flags, received: order.amount_received_minor };
      },
      async cases() {
        const { rows } = await listExceptions(ctx, shop, { limit: 100, filters: { status: ["open"] } });
        return rows.map(({ kind, order_id, amount_minor, transaction_id }) => ({ kind, order_id, amount_minor, transaction_id }));
      },
    };
  };
}

/** Books a waiting receipt in suspense, as an earlier version did with money that it could not place. */
export async function bookInSuspense({ ctx }: TestApp, shop: TestTenant, receipt: ReceiptRow): Promise<void> {
  const { amount_minor, occurred_at, id } = receipt;
  const external_id = receipt.external_id ?? "";
  const place = { order_id: null, session_id: null, gateway: "wechatpay", source: "receipt" as const, receipt_id: id };
  await ctx.transact(async (tx) => {
    const money = { ...place, external_id, amount_minor, currency: "CNY", occurred_at };
    const { exception } = await settle(tx, ctx, { tenant: shop, money });
    const booked = { project_id: receipt.project_id, external_id };
    await updateReceipt(tx, receipt, { status: "matched", exception_id: exception?.id ?? "", booked });
  });
}

/** Disagreements in any of the books; there should be none. */
export function bookFaults(app: TestApp): ReturnType<typeof auditBooks> {
  return auditBooks(app.ctx);
}
