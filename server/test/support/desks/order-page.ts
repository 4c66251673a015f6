import { createOrder, type OrderRow, simulatePayment } from "#orders/index.ts";
import type { TestTenant } from "#test/support/app/test-app.ts";
import { openDashboard } from "#test/support/dashboard/dashboard.ts";
import type { DashboardApp } from "#test/support/dashboard/dashboard-app.ts";
import { payShop } from "#test/support/payments/pay-shop.ts";
import { visitor } from "#test/support/people/visitors.ts";

type Reader = "owner" | "accountant" | "reviewer" | "viewer";

/** Pages of orders with the reference BACK-1, as a person with a role sees them. */
export function orderPages({ app, browser, look, origin }: DashboardApp) {
  const openOrder = async ({ tenant, order, role }: { tenant: TestTenant; order: OrderRow; role: Reader }) => {
    const person = await visitor(app, { merchant_id: tenant.merchant_id, role });
    const opened = await openDashboard(browser, { origin, look, email: person.email });
    await opened.page.goto(`${origin}/dashboard/${tenant.project_id}/test/orders/${order.id}`);
    await opened.page.getByRole("heading", { name: "BACK-1" }).waitFor();
    const read = async (path = "") =>
      (await app.api(tenant.key).get(`/api/v1/projects/${tenant.project_id}/orders/${order.id}${path}`)).body;
    return { ...opened, tenant, read };
  };

  /** A paid order's page. */
  const orderPage = async (role: Reader) => {
    const { tenant } = await payShop(app);
    const { order } = await createOrder(app.ctx, tenant, { amount_minor: 9900, currency: "CNY", reference: "BACK-1" });
    await simulatePayment(app.ctx, tenant, { order_id: order.id });
    return openOrder({ tenant, order, role });
  };

  return { openOrder, orderPage };
}
