import { expect, test } from "vitest";
import { simulatePayment } from "../../../../server/src/orders/index.ts";
import { openDashboard } from "../../../../server/test/support/dashboard/dashboard.ts";
import { dashboardApp } from "../../../../server/test/support/dashboard/dashboard-app.ts";
import { runStatement } from "../../../../server/test/support/database/statement.sql.ts";
import { oddMethods, testPay } from "../../../../server/test/support/gateways/scripted/payment-methods.ts";
import { payShop } from "../../../../server/test/support/payments/pay-shop.ts";
import { visitor } from "../../../../server/test/support/people/visitors.ts";

const { app, browser, look, origin } = await dashboardApp({ methods: oddMethods });
const timeLimit = 180_000;

test(
  "the dashboard names a gateway from the list, and filters by it",
  async () => {
    const { tenant, order: makeOrder } = await payShop(app);
    const owner = await visitor(app, { merchant_id: tenant.merchant_id, role: "owner" });
    const { order } = await makeOrder({ reference: "INV-tested" });
    await simulatePayment(app.ctx, tenant, { order_id: order.id });
    await runStatement(
      app.ctx.db,
      "update payment_sessions set gateway = ?, method = ? where order_id = ?",
      testPay.gateway,
      testPay.name,
      order.id,
    );
    await makeOrder({ reference: "INV-other" });
    const { page, complaints } = await openDashboard(browser, { origin, look, email: owner.email });
    const name = testPay.names[look.language] ?? "";
    await page.goto(`${origin}/dashboard/orders/${order.id}`);
    await page.getByText(name).first().waitFor();
    await page.goto(`${origin}/dashboard/orders?gateway=testpay`);
    await page.getByText("INV-tested").first().waitFor();
    await page.getByText(name).first().waitFor();
    expect(await page.getByText("INV-other").count()).toBe(0);
    expect(complaints).toEqual([]);
  },
  timeLimit,
);

test(
  "a filter's chip is shown before its options are read, and on a phone the chosen one is in view",
  async () => {
    const { tenant, order: makeOrder } = await payShop(app);
    await makeOrder();
    const owner = await visitor(app, { merchant_id: tenant.merchant_id, role: "owner" });
    const { page, complaints } = await openDashboard(browser, { origin, look, onPhone: true, email: owner.email });
    let read = () => {};
    const mayRead = new Promise<void>((resolve) => {
      read = resolve;
    });
    await page.route("**/api/v1/**/gateways*", async (route) => {
      await mayRead;
      await route.continue();
    });
    await page.goto(`${origin}/dashboard/orders?since=7`);
    await page.locator(".chip[data-chosen=true]").waitFor();
    expect(await page.evaluate(namesOfChips)).toEqual(["status", "gateway", "claimed", "period"]);
    await expect.poll(() => page.evaluate(rightOfChosen)).toBeLessThanOrEqual(390);
    await page.locator(".chip[data-filter=gateway] > button").click();
    expect(await page.locator(".choice").count()).toBe(0);
    read();
    await page.locator(".choice", { hasText: testPay.names[look.language] ?? "" }).waitFor();
    expect(complaints).toEqual([]);
  },
  timeLimit,
);

const namesOfChips = `[...document.querySelectorAll(".chip")].map((chip) => chip.dataset.filter)`;

/** Where the chosen filter's chip ends on the screen, in pixels from the left. */
const rightOfChosen = `document.querySelector(".chip[data-chosen=true]").getBoundingClientRect().right`;
