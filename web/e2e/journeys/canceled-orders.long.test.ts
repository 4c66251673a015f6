import { expect, test } from "vitest";
import { createOrder, reportPayment, startPayment } from "../../../server/src/orders/index.ts";
import { linkReceipt, recordReceipt } from "../../../server/src/reconciliation/index.ts";
import { expectAccessible } from "../../../server/test/support/browser/browser.ts";
import { openDashboard } from "../../../server/test/support/dashboard/dashboard.ts";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { payShop } from "../../../server/test/support/payments/pay-shop.ts";
import { visitor } from "../../../server/test/support/people/visitors.ts";

const { app, browser, look, say, origin } = await dashboardApp();
const { ctx } = app;
const timeLimit = 120_000;

/** The number of lines of each item that needs attention. */
const linesOfWaits = `[...document.querySelectorAll(".wait")].map((one) => {
  const range = document.createRange();
  range.selectNodeContents(one.lastChild);
  return range.getClientRects().length;
})`;

test(
  "canceling an order shows the money that is held for it, and that money can be assigned to another order",
  async () => {
    const { tenant } = await payShop(app);
    const person = await visitor(app, { merchant_id: tenant.merchant_id, role: "owner" });
    const { order } = await createOrder(ctx, tenant, { amount_minor: 9900, currency: "CNY", reference: "PART-1" });
    const { order: other } = await createOrder(ctx, tenant, { amount_minor: 4000, currency: "CNY", reference: "OTHER-1" });
    await startPayment(ctx, tenant, { order_id: order.id, gateway: "wechatpay" });
    const { receipt } = await recordReceipt(ctx, tenant, {
      channel: "wechat",
      amount_minor: 4000,
      occurred_at: ctx.now(),
      source: "statement",
    });
    const { order: reported } = await createOrder(ctx, tenant, { amount_minor: 9900, currency: "CNY" });
    await reportPayment(ctx, tenant, { order_id: reported.id, gateway: "wechatpay" });
    await linkReceipt(ctx, tenant, { receipt_id: receipt.id, order_id: order.id });

    const { page, complaints } = await openDashboard(browser, { origin, look, onPhone: true, email: person.email });
    await page.goto(`${origin}/dashboard`);
    await page.locator(".wait").nth(1).waitFor();
    expect(await page.evaluate(linesOfWaits)).toEqual([1, 1]);

    const at = page.url().replace(/\/$/, "");
    await page.goto(`${at}/orders/${order.id}`);
    await page.getByRole("button", { name: say("Actions", "操作"), exact: true }).click();
    await page.getByRole("menuitem", { name: say("Cancel order", "取消订单") }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(say("¥40.00 has already been received for this order.", "此订单已收到 ¥40.00。")).waitFor();
    await dialog.getByRole("button", { name: say("Keep order", "保留订单") }).waitFor();
    await dialog.getByRole("button", { name: say("Cancel order", "取消订单") }).click();
    await dialog.waitFor({ state: "detached" });
    await reportPayment(ctx, tenant, { order_id: order.id });
    await page.reload();
    await page
      .getByText(say("The buyer reported paying this order, although it was canceled.", "此订单虽已取消，但款项已经付出"))
      .waitFor();
    await expectAccessible(page);

    await page.getByRole("link", { name: say("Resolve", "去处理") }).click();
    await page.getByRole("button", { name: say("Resolve", "处理"), exact: true }).click();
    await dialog.getByText(say("Its order was canceled, so the money can't be assigned to it.", "所属订单已取消")).waitFor();
    expect(await dialog.getByRole("radio", { name: say("Assign to its order", "计入所属订单") }).count()).toBe(0);
    await dialog.getByRole("radiogroup", { name: say("Resolve", "处理"), exact: true }).waitFor();
    await dialog.getByRole("radio", { name: say("Assign to another order", "计入其他订单") }).click();
    await dialog.getByRole("radio", { name: /^OTHER-1/ }).click();
    await dialog.getByRole("button", { name: say("Resolve", "处理"), exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    const shown = await app.api(tenant.key).get(`/api/v1/projects/${tenant.project_id}/orders/${other.id}`);
    expect(shown.body).toMatchObject({ status: "paid", amount_received_minor: 4000 });
    expect(complaints).toEqual([]);
  },
  timeLimit,
);
