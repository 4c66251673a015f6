import { findByToken, reportPayment, simulatePayment, withdrawReport } from "#orders/index.ts";
import type { Ctx } from "#platform/index.ts";
import type { PayView } from "./pay-view.ts";
import { viewPayment } from "./view-payment.ts";

/** "I have paid", also on an expired or revoked link, because the money may be on its way. Returns the current page. */
export async function reportByBuyer(ctx: Ctx, input: { token: string; gateway?: string }): Promise<PayView> {
  const { order } = await findByToken(ctx, input.token);
  await reportPayment(ctx, order, { order_id: order.id, ...(input.gateway === undefined ? {} : { gateway: input.gateway }) });
  return viewPayment(ctx, input);
}

/** Withdraws the report while no decision was made. Returns the current page. */
export async function withdrawByBuyer(ctx: Ctx, input: { token: string }): Promise<PayView> {
  const { order } = await findByToken(ctx, input.token);
  await withdrawReport(ctx, order, { order_id: order.id });
  return viewPayment(ctx, input);
}

/** The button of TEST pages: settles the order as if the money had arrived. Throws environment_mismatch in LIVE. */
export async function simulateByBuyer(ctx: Ctx, input: { token: string }): Promise<PayView> {
  const { order } = await findByToken(ctx, input.token);
  await simulatePayment(ctx, order, { order_id: order.id });
  return viewPayment(ctx, input);
}
