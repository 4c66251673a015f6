import { beforeEach, expect, test } from "vitest";
import { GatewayError } from "#gateways/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { booksBalanceOf } from "#test/support/books/books-balance.ts";
import { pollDueRefunds } from "#test/support/gateways/scripted/gateway-shop.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { type RefundShop, refundShop } from "#test/support/gateways/scripted/refund-shop.ts";
import { listNotices } from "#test/support/mail/notices.sql.ts";
import { type RefundInput, refundOrder } from "../refund-order.ts";
import { requestLeaseMs } from "./begin-refund.ts";
import { reviveGatewayRefunds } from "./process-refunds.ts";

const gateway = payingGateway();
const app = await testApp({ gateways: { adapters: [gateway.adapter] } });
const { ctx, clock } = app;
const minute = 60_000;

let shop: RefundShop;
beforeEach(async () => {
  gateway.refundsBegin = {};
  shop = await refundShop(app, gateway);
});

const refund = (order_id: string, input: Partial<RefundInput> = {}, on = ctx) => refundOrder(on, shop.tenant, { order_id, ...input });
const refused = (attempt: Promise<unknown>) =>
  attempt.then(() => null).catch((error) => ({ status: error.status, code: error.code, fields: error.extras?.fields }));
const conflict = { kind: "conflict", code: "TRADE_STATUS_ERROR" } as const;
const booksBalance = booksBalanceOf(app);

test("a refund that the provider refuses as contradictory is failed, and reported so, at once", async () => {
  const { order } = await shop.paid();
  gateway.fault("refund", conflict);
  const answer = await refused(refund(order.id, { amount_minor: 900 }));
  expect(answer).toMatchObject({ status: 502, code: "gateway_error", fields: { gateway_code: "TRADE_STATUS_ERROR" } });
  expect(await shop.refunds(order.id)).toMatchObject([{ status: "failed", failure_code: "TRADE_STATUS_ERROR", transaction_id: null }]);
  expect(await shop.sums(order.id)).toMatchObject({ refunded: 0, refunding: 0 });
  expect((await refund(order.id)).status).toBe("succeeded");
  await booksBalance();
});

test("a refund that contradicts the one that the provider has under its reference is that one", async () => {
  const { order } = await shop.paid();
  gateway.fault("refund", { ...conflict, after: true });
  expect(await refund(order.id, { amount_minor: 900 })).toMatchObject({ status: "succeeded" });
  expect(await shop.sums(order.id)).toMatchObject({ refunded: 900, refunding: 0 });
  await booksBalance();
});

test("a refund that the provider refuses as contradictory, and then can't be asked about, is queried later", async () => {
  const { order } = await shop.paid();
  gateway.fault("refund", { ...conflict }, { ...conflict });
  gateway.fault("query_refund", { kind: "unavailable" });
  expect(await refund(order.id, { amount_minor: 900 })).toMatchObject({ status: "unknown" });
  expect(await shop.sums(order.id)).toMatchObject({ refunding: 900 });
  clock.advance(5 * minute);
  await pollDueRefunds(app);
  expect(await shop.refunds(order.id)).toMatchObject([{ status: "failed", failure_code: "TRADE_STATUS_ERROR" }]);
  expect(await shop.sums(order.id)).toMatchObject({ refunding: 0 });
  const notices = await listNotices(ctx.db, "refund_failed");
  expect(notices.filter(({ recipient }) => recipient === shop.tenant.project_id)).toHaveLength(1);
  await booksBalance();
});

test.each(["declined", "invalid", "not_found"] as const)(
  "a refund whose response is lost, and whose repeat the provider refuses as %s, isn't failed: it is found",
  async (kind) => {
    const { order, session } = await shop.paid();
    let tries = 0;
    gateway.meanwhile = (verb, reference) => {
      if (verb !== "refund") return;
      tries += 1;
      if (tries > 1) throw new GatewayError(kind, { code: "no", message: "There is nothing left to refund." });
      gateway.refundAtProvider(session.id, { id: reference, amountMinor: 9_900, refundReference: reference });
      throw new GatewayError("unknown_outcome", { code: "timeout", message: "The provider didn't respond." });
    };
    const made = await refund(order.id);
    gateway.meanwhile = null;
    expect(made.status).toBe("unknown");
    expect(await shop.sums(order.id)).toMatchObject({ refunded: 0, refunding: 9_900 });
    expect(await refused(refund(order.id))).toMatchObject({ code: "refund_exceeds_received" });
    clock.advance(5 * minute);
    await pollDueRefunds(app);
    expect(await shop.refunds(order.id)).toMatchObject([{ id: made.id, status: "succeeded" }]);
    expect([tries, await shop.sums(order.id)]).toMatchObject([2, { refunded: 9_900, refunding: 0 }]);
    await booksBalance();
  },
);

test("a process that is killed before it stored the refusal leaves a refund that another one finds to be refused", async () => {
  const { order } = await shop.paid();
  gateway.fault("refund", { ...conflict }, { ...conflict });
  let isKilled = false;
  const killed: typeof ctx = {
    ...ctx,
    transactUnclaimed: (work) => {
      if (isKilled) throw new Error("killed");
      return ctx.transactUnclaimed(work);
    },
  };
  gateway.meanwhile = (verb) => {
    if (verb === "query_refund") isKilled = true;
  };
  await expect(refund(order.id, { amount_minor: 900 }, killed)).rejects.toThrow("killed");
  gateway.meanwhile = null;
  expect(await shop.sums(order.id)).toMatchObject({ refunding: 900 });
  clock.advance(requestLeaseMs + 1_000);
  await reviveGatewayRefunds(ctx);
  clock.advance(5 * minute);
  await pollDueRefunds(app);
  expect(await shop.refunds(order.id)).toMatchObject([{ status: "failed", failure_code: "TRADE_STATUS_ERROR" }]);
  expect(await shop.sums(order.id)).toMatchObject({ refunding: 0 });
  await booksBalance();
});
