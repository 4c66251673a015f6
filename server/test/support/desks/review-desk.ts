import { createOrder, submitVoucher } from "#orders/index.ts";
import { openDashboard } from "#test/support/dashboard/dashboard.ts";
import type { DashboardApp } from "#test/support/dashboard/dashboard-app.ts";
import { payShop } from "#test/support/payments/pay-shop.ts";
import { visitor } from "#test/support/people/visitors.ts";

/** A shop whose owner reviews, and its orders of ¥45.90, reported with a proof. */
export async function reviewDesk({ app, browser, look, origin }: DashboardApp, { onPhone = look.onPhone } = {}) {
  const { tenant } = await payShop(app);
  const person = await visitor(app, { merchant_id: tenant.merchant_id, role: "owner" });
  const opened = await openDashboard(browser, { origin, look, onPhone, email: person.email });
  const api = app.api(tenant.key);
  const proven = async (reference: string, proof: { amount_minor?: number; transaction_reference?: string } = {}) => {
    const { order } = await createOrder(app.ctx, tenant, { amount_minor: 4590, currency: "CNY", reference });
    await submitVoucher(app.ctx, tenant, { order_id: order.id, gateway: "wechatpay", transaction_reference: `T${order.id}`, ...proof });
    return order.id;
  };
  const read = async (id: string) => (await api.get(`/api/v1/projects/${tenant.project_id}/orders/${id}`)).body;
  const reviews = async (id: string) => (await api.get(`/api/v1/projects/${tenant.project_id}/orders/${id}/reviews`)).body.data;
  const waitForOrder = (reference: string) => opened.page.getByRole("heading", { level: 2, name: reference }).waitFor();
  return { ...opened, tenant, proven, read, reviews, waitForOrder };
}
