import { putProfile } from "#collection/index.ts";
import { cancelOrder, createOrder, expireDue, findOrder, reportPayment, startPayment, withdrawReport } from "#orders/index.ts";
import { AppError, type Ctx, type Tenant } from "#platform/index.ts";
import { linkReceipt, recordReceipt, reviewOrder } from "#reconciliation/index.ts";
import { recordReceipts } from "#reconciliation/receipt/record-receipt.ts";
import type { TestApp, TestTenant } from "#test/support/app/test-app.ts";
import { alipayCode, wechatCode } from "#test/support/payments/pay-shop.ts";
import type { Rules } from "./hold-book.ts";
import { listBookedOrders, listRemembered } from "./reservations.sql.ts";
import type { Remembered, TakenTransfer, Till, Transfer } from "./till.ts";

/** The product itself on PostgreSQL: two projects of one merchant that share one WeChat account, by one code or by two of one person. */
export async function createTill(app: TestApp, given: { rules: Rules; hasTwoCodes: boolean }): Promise<Till> {
  const { ctx, clock } = app;
  const first = await app.tenant();
  const second = await app.tenant({ merchant_id: first.merchant_id });
  const shops = [first, second] as const;
  for (const shop of shops) {
    const own = given.hasTwoCodes && shop === second ? { qr_payload: `${wechatCode}2`, account_ref: "main" } : { qr_payload: wechatCode };
    await putProfile(ctx, shop, { channel: "wechat", if_version: null, matching: given.rules, ...own });
    await putProfile(ctx, shop, { channel: "alipay", if_version: null, qr_payload: alipayCode });
  }
  const owners = new Map<string, TestTenant>();
  const ownerOf = (order: string) => owners.get(order) ?? first;
  const start = async (order_id: string, gateway: "wechatpay" | "alipay") =>
    unlessRefused(async () => (await startPayment(ctx, ownerOf(order_id), { order_id, gateway })).session);
  return {
    now: () => ctx.now(),
    async pass(minutes) {
      clock.advance(minutes * 60_000);
      while ((await expireDue(ctx)) > 0);
    },
    async newOrder(project, nominal, minutes) {
      const { order } = await createOrder(ctx, shops[project], { amount_minor: nominal, currency: "CNY", expires_in: minutes * 60 });
      owners.set(order.id, shops[project]);
      return order.id;
    },
    async ask(order) {
      const session = await start(order, "wechatpay");
      if (session === null) return null;
      const { asking_id, matching_mode: mode, payable_amount_minor: amount, amount_minor: nominal, remark_code: code } = session;
      return { reservation: asking_id ?? "", mode, amount, nominal, code };
    },
    leave: async (order) => void (await start(order, "alipay")),
    cancel: async (order_id) => void (await unlessRefused(() => cancelOrder(ctx, ownerOf(order_id), { order_id }))),
    report: async (order_id) => void (await unlessRefused(() => reportPayment(ctx, ownerOf(order_id), { order_id }))),
    withdraw: async (order_id) => void (await unlessRefused(() => withdrawReport(ctx, ownerOf(order_id), { order_id }))),
    approve: async (order_id) =>
      void (await unlessRefused(async () => {
        await reportPayment(ctx, ownerOf(order_id), { order_id, gateway: "wechatpay" });
        return reviewOrder(ctx, ownerOf(order_id), { order_id, decision: "approve" });
      })),
    part: (order_id, minor) => givePart(ctx, { shop: ownerOf(order_id), order_id, minor }),
    owes: async (order_id) => {
      const { order } = await findOrder(ctx, ownerOf(order_id), order_id);
      return order.amount_minor - order.amount_held_minor;
    },
    status: async (order) => (await findOrder(ctx, ownerOf(order), order)).order.status,
    remembered: (): Promise<Remembered[]> => listRemembered(ctx.db, first.merchant_id),
    take: (project, source, transfers) => take(app, { shop: shops[project], source, transfers }),
  };
}

async function take(
  app: TestApp,
  given: { shop: TestTenant; source: "statement" | "listener"; transfers: Transfer[] },
): Promise<TakenTransfer[]> {
  const { shop, source, transfers } = given;
  const recorded = await recordReceipts(
    app.ctx,
    shop,
    transfers.map((transfer) => ({
      channel: "wechat" as const,
      source,
      amount_minor: transfer.amount,
      occurred_at: transfer.at,
      remark: transfer.note,
      payer_hint: null,
      external_id: source === "statement" ? transfer.id : null,
    })),
  );
  const orders = new Map(
    (
      await listBookedOrders(
        app.ctx.db,
        recorded.map(({ receipt }) => receipt.id),
      )
    ).map((row) => [row.id, row.order_id]),
  );
  return recorded.flatMap(({ receipt, created, outcome }, index) =>
    created ? [{ id: transfers[index]?.id ?? "", outcome, order: orders.get(receipt.id) ?? null }] : [],
  );
}

async function givePart(ctx: Ctx, given: { shop: Tenant; order_id: string; minor: number }): Promise<void> {
  const { shop, order_id, minor } = given;
  if ((await findOrder(ctx, shop, order_id)).order.status !== "unpaid") return;
  const money = {
    channel: "alipay",
    source: "statement",
    amount_minor: minor,
    occurred_at: ctx.now(),
    external_id: ctx.id("req"),
  } as const;
  const { receipt } = await recordReceipt(ctx, shop, money);
  if (receipt.status === "unmatched") await unlessRefused(() => linkReceipt(ctx, shop, { receipt_id: receipt.id, order_id }));
}

async function unlessRefused<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
