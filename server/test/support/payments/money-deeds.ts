import {
  cancelOrder,
  createOrder,
  failRefund,
  issuePaymentLink,
  listOrderRefunds,
  refundOrder,
  reportPayment,
  revokePaymentLink,
  simulatePayment,
  startPayment,
  submitVoucher,
} from "#orders/index.ts";
import type { Money } from "#orders/settle/decide.ts";
import type { SimulatedOutcome } from "#orders/settle/simulated-money.ts";
import type { Ctx, Tenant } from "#platform/index.ts";
import type { Resolution } from "#reconciliation/exception/resolve-exception.ts";
import {
  applyStatement,
  listExceptions,
  previewStatement,
  recordReceipt,
  resolveException,
  reversePayment,
  reviewOrder,
} from "#reconciliation/index.ts";
import type { TestApp } from "#test/support/app/test-app.ts";
import { receiptOf, statementOf } from "./money-fixtures.ts";
import { type PayShop, payShop } from "./pay-shop.ts";
import { settleModes, settleMoney } from "./settle-money.ts";

/** An operation that moves money or changes what money depends on, ready to run once in its own shop. */
export interface ReadyOperation {
  tenant: Tenant;
  run(ctx: Ctx): Promise<unknown>;
  /** Waits until another process may continue a lost one's work. */
  recover?(): void;
}

export interface MoneyOperation {
  name: string;
  prepare(app: TestApp): Promise<ReadyOperation>;
  /** Written in several transactions, each complete in itself: a crash may leave the first of them done. */
  stepwise?: true;
}

type Given = PayShop & { app: TestApp; order_id: string; session_id: string | null };

function operation(
  name: string,
  prepare: (given: Given) => Promise<(ctx: Ctx) => Promise<unknown>>,
  options: { started?: boolean; reported?: boolean; stepwise?: true } = {},
): MoneyOperation {
  return {
    name,
    ...(options.stepwise === undefined ? {} : { stepwise: options.stepwise }),
    async prepare(app) {
      const shop = await payShop(app);
      const { order } = await shop.order({ amount_minor: 9900 });
      let session_id: string | null = null;
      if (options.started !== false)
        session_id = (await startPayment(app.ctx, shop.tenant, { order_id: order.id, gateway: "wechatpay" })).session.id;
      if (options.reported === true) await reportPayment(app.ctx, shop.tenant, { order_id: order.id });
      return { tenant: shop.tenant, run: await prepare({ ...shop, app, order_id: order.id, session_id }) };
    },
  };
}

const simulated = (outcome: SimulatedOutcome) =>
  operation(
    `simulate ${outcome}`,
    async ({ tenant, order_id }) =>
      (ctx) =>
        simulatePayment(ctx, tenant, { order_id, outcome }),
  );

/** Money that a provider proves, for an order with earlier events, settled in each of the ways. */
const proven = (name: string, change: Partial<Money>, before?: (given: Given) => Promise<unknown>) =>
  settleModes.map((way) => provenBy(way, { name, change, before: before ?? (async () => {}) }));

const provenBy = (
  way: (typeof settleModes)[number],
  what: { name: string; change: Partial<Money>; before: (given: Given) => Promise<unknown> },
) =>
  operation(`settle ${way} ${what.name}`, async (given) => {
    const { tenant, order_id, session_id, app } = given;
    await what.before(given);
    const money: Money = {
      order_id,
      session_id,
      gateway: "wechatpay",
      external_id: app.ctx.id("req"),
      amount_minor: 9900,
      currency: "CNY",
      source: "callback",
      occurred_at: app.ctx.now(),
      ...what.change,
    };
    return (ctx) => settleMoney(ctx, { tenant, money, way });
  });

const resolved = (name: string, outcome: SimulatedOutcome, given: Pick<Resolution, "action" | "confirm_shortfall_minor">) =>
  operation(`resolve ${name}`, async ({ tenant, order_id, app }) => {
    await simulatePayment(app.ctx, tenant, { order_id, outcome });
    const [exception] = (await listExceptions(app.ctx, tenant, { limit: 1, filters: {} })).rows;
    return (ctx) => resolveException(ctx, tenant, { exception_id: exception?.id ?? "", note: "seen", ...given });
  });

/** A refund that fails, recorded for a paid order, or for money that arrived for it and is held. */
const failed = (name: string, outcome: SimulatedOutcome) =>
  operation(`fail a refund of ${name}`, async ({ tenant, order_id, app }) => {
    await simulatePayment(app.ctx, tenant, { order_id, outcome });
    const [exception] = (await listExceptions(app.ctx, tenant, { limit: 1, filters: {} })).rows;
    if (exception === undefined) await refundOrder(app.ctx, tenant, { order_id, amount_minor: 900 });
    else await resolveException(app.ctx, tenant, { exception_id: exception.id, action: "refund" });
    const [refund] = (await listOrderRefunds(app.ctx, tenant, { order_id, limit: 1 })).rows;
    return (ctx) => failRefund(ctx, tenant, { refund_id: refund?.id ?? "", failure_code: "returned" });
  });

/** A payment that is reversed, after what happened to its order. */
const reversed = (name: string, pay: (given: Given) => Promise<unknown>) =>
  (["not_received", "other_order"] as const).map((cause) =>
    operation(`reverse ${name}, ${cause}`, async (given) => {
      await pay(given);
      const { tenant, order_id } = given;
      return (ctx) => reversePayment(ctx, tenant, { order_id, cause, note: "slip" });
    }),
  );

/** An order that was approved and whose payment was reversed. */
async function payAndReverse({ app, tenant, order_id }: Given): Promise<void> {
  await reviewOrder(app.ctx, tenant, { order_id, decision: "approve" });
  await reversePayment(app.ctx, tenant, { order_id, cause: "not_received", note: "slip" });
}

export const moneyOperations: MoneyOperation[] = [
  operation(
    "create an order",
    async ({ tenant }) =>
      (ctx) =>
        createOrder(ctx, tenant, { amount_minor: 500, currency: "CNY", reference: "INV-1" }),
  ),
  operation(
    "start a payment",
    async ({ tenant, order_id }) =>
      (ctx) =>
        startPayment(ctx, tenant, { order_id, gateway: "wechatpay" }),
    { started: false },
  ),
  operation(
    "start another payment",
    async ({ tenant, order_id }) =>
      (ctx) =>
        startPayment(ctx, tenant, { order_id, gateway: "alipay" }),
  ),
  operation(
    "report a payment",
    async ({ tenant, order_id }) =>
      (ctx) =>
        reportPayment(ctx, tenant, { order_id }),
  ),
  operation(
    "submit a proof",
    async ({ tenant, order_id }) =>
      (ctx) =>
        submitVoucher(ctx, tenant, { order_id, transaction_reference: "4200001234" }),
  ),
  operation(
    "approve",
    async ({ tenant, order_id }) =>
      (ctx) =>
        reviewOrder(ctx, tenant, { order_id, decision: "approve" }),
    { reported: true },
  ),
  operation(
    "approve a short payment",
    async ({ tenant, order_id }) =>
      (ctx) =>
        reviewOrder(ctx, tenant, { order_id, decision: "approve", received_amount_minor: 9000, confirm_shortfall_minor: 900 }),
    { reported: true },
  ),
  operation(
    "mark as paid",
    async ({ tenant, order_id }) =>
      (ctx) =>
        reviewOrder(ctx, tenant, { order_id, decision: "approve", gateway: "wechatpay", external_transaction_id: "42000096" }),
    { started: false },
  ),
  operation(
    "reject",
    async ({ tenant, order_id }) =>
      (ctx) =>
        reviewOrder(ctx, tenant, { order_id, decision: "reject", reason_code: "not_received" }),
    { reported: true },
  ),
  operation(
    "reject for good",
    async ({ tenant, order_id }) =>
      (ctx) =>
        reviewOrder(ctx, tenant, { order_id, decision: "reject", reason_code: "fraud" }),
    { reported: true },
  ),
  operation(
    "cancel",
    async ({ tenant, order_id }) =>
      (ctx) =>
        cancelOrder(ctx, tenant, { order_id }),
  ),
  operation(
    "issue a new link",
    async ({ tenant, order_id }) =>
      (ctx) =>
        issuePaymentLink(ctx, tenant, { order_id }),
  ),
  operation("revive an expired order", async ({ tenant, order_id, app }) => {
    await simulatePayment(app.ctx, tenant, { order_id, outcome: "expire" });
    return (ctx) => issuePaymentLink(ctx, tenant, { order_id, expires_in: 3600 });
  }),
  operation(
    "revoke the link",
    async ({ tenant, order_id }) =>
      (ctx) =>
        revokePaymentLink(ctx, tenant, { order_id }),
  ),
  ...(["paid", "failed", "pending_verify", "underpaid", "overpaid", "late", "duplicate_callback", "expire"] as const).map(simulated),
  ...proven("the amount", {}),
  ...proven("too little", { amount_minor: 9000 }),
  ...proven("the rest", { amount_minor: 900 }, ({ app, tenant, order_id }) =>
    simulatePayment(app.ctx, tenant, { order_id, outcome: "underpaid", amount_minor: 9000 }),
  ),
  ...proven("too much", { amount_minor: 10_000 }),
  ...proven("another currency", { currency: "USD" }),
  ...proven("a paid order's second payment", {}, ({ app, tenant, order_id }) => simulatePayment(app.ctx, tenant, { order_id })),
  ...proven("a canceled order's payment", {}, ({ app, tenant, order_id }) => cancelOrder(app.ctx, tenant, { order_id })),
  ...proven("money of no order", { order_id: null, session_id: null }),
  resolved("a short payment by accepting it", "underpaid", { action: "accept", confirm_shortfall_minor: 990 }),
  resolved("a short payment by leaving it", "underpaid", { action: "ignore" }),
  resolved("an excess by keeping it", "overpaid", { action: "accept" }),
  resolved("an excess by leaving it", "overpaid", { action: "ignore" }),
  resolved("an excess by paying it back", "overpaid", { action: "refund" }),
  resolved("a short payment by paying it back", "underpaid", { action: "refund" }),
  ...[900, undefined].map((amount_minor) =>
    operation(`refund ${amount_minor === undefined ? "all" : "a part"}`, async ({ tenant, order_id, app }) => {
      await simulatePayment(app.ctx, tenant, { order_id });
      return (ctx) => refundOrder(ctx, tenant, { order_id, ...(amount_minor === undefined ? {} : { amount_minor }) });
    }),
  ),
  failed("a payment", "paid"),
  failed("an excess", "overpaid"),
  failed("a short payment", "underpaid"),
  ...reversed("an approval", ({ app, tenant, order_id }) => reviewOrder(app.ctx, tenant, { order_id, decision: "approve" })),
  ...reversed("an approval with a receipt", async ({ app, tenant, order_id }) => {
    await reportPayment(app.ctx, tenant, { order_id });
    await reviewOrder(app.ctx, tenant, { order_id, decision: "approve" });
    await recordReceipt(app.ctx, tenant, receiptOf(app, 9900, "42000095"));
  }),
  ...reversed("what came in parts and too much", async ({ app, tenant, order_id }) => {
    await simulatePayment(app.ctx, tenant, { order_id, outcome: "underpaid", amount_minor: 9000 });
    await simulatePayment(app.ctx, tenant, { order_id, outcome: "overpaid", amount_minor: 1000 });
  }),
  ...proven("a reversed order's payment", {}, payAndReverse),
  ...proven("a part of a reversed order's payment", { amount_minor: 9000 }, payAndReverse),
  operation(
    "take a receipt that nobody waits for",
    async ({ tenant, app }) =>
      (ctx) =>
        recordReceipt(ctx, tenant, receiptOf(app, 777, "42000099")),
  ),
  operation(
    "take a receipt of an approved payment",
    async ({ tenant, order_id, app }) => {
      await reviewOrder(app.ctx, tenant, { order_id, decision: "approve" });
      return (ctx) => recordReceipt(ctx, tenant, receiptOf(app, 9900, "42000098"));
    },
    { reported: true },
  ),
  operation(
    "approve what a receipt shows",
    async ({ tenant, order_id, app }) => {
      await recordReceipt(app.ctx, tenant, receiptOf(app, 9900, "42000097"));
      return (ctx) => reviewOrder(ctx, tenant, { order_id, decision: "approve" });
    },
    { reported: true },
  ),
  operation(
    "import a statement",
    async ({ tenant, app }) => {
      const { preview_id } = await previewStatement(app.ctx, tenant, { bytes: statementOf(3), sha256: "0".repeat(64) });
      return (ctx) => applyStatement(ctx, tenant, { preview_id, maySettle: { isPerson: true, isReviewer: true } });
    },
    { stepwise: true },
  ),
];
