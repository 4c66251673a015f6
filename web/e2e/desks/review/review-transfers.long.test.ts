import { expect, test } from "vitest";
import { createOrder, submitVoucher } from "../../../../server/src/orders/index.ts";
import { recordReceipt } from "../../../../server/src/reconciliation/index.ts";
import { expectAccessible, screenshot } from "../../../../server/test/support/browser/browser.ts";
import { openDashboard } from "../../../../server/test/support/dashboard/dashboard.ts";
import { dashboardApp } from "../../../../server/test/support/dashboard/dashboard-app.ts";
import { payShop } from "../../../../server/test/support/payments/pay-shop.ts";
import { visitor } from "../../../../server/test/support/people/visitors.ts";

const { app, browser, look, say, origin } = await dashboardApp();

test("a transfer is only offered to the one order that it fits: not for one of two orders, and not once it was refunded", async () => {
  const { tenant } = await payShop(app, { matching: { mode: "exact", strict: true } });
  const person = await visitor(app, { merchant_id: tenant.merchant_id, role: "reviewer" });
  const proven = async (reference: string, amount_minor: number) => {
    const { order } = await createOrder(app.ctx, tenant, { amount_minor, currency: "CNY", reference });
    await submitVoucher(app.ctx, tenant, { order_id: order.id, gateway: "wechatpay", transaction_reference: `T${order.id}` });
  };
  const arrived = (amount_minor: number, external_id: string, state: "final" | "refunded" = "final") =>
    recordReceipt(app.ctx, tenant, {
      channel: "wechat",
      amount_minor,
      occurred_at: app.ctx.now(),
      source: "statement",
      external_id,
      state,
    });
  for (const [reference, amount] of [
    ["INV-1", 9900],
    ["INV-2", 9900],
    ["INV-3", 5000],
    ["INV-4", 3000],
  ] as const)
    await proven(reference, amount);
  await arrived(9900, "1000050001");
  await arrived(5000, "1000050002", "refunded");
  await arrived(3000, "1000050003");
  const { page, complaints } = await openDashboard(browser, { origin, look, email: person.email });
  const number = page.getByLabel(say("Transfer number", "转账单号")).first();
  const shown = async (reference: string, text: string, offered: string) => {
    await page.getByRole("heading", { level: 2, name: reference }).waitFor();
    await page.getByText(text).waitFor();
    expect([await page.locator(".suggested").count(), await number.inputValue()]).toEqual([offered === "" ? 0 : 1, offered]);
  };
  await page.goto(`${origin}/dashboard/review`);
  const rivals = say("1 transfer of this amount could be for 2 orders.", "1 笔同额到账可能对应 2 笔订单。");
  await shown("INV-1", rivals, "");
  await expectAccessible(page);
  await screenshot(page, "review-transfers");
  await page.keyboard.press("j");
  await shown("INV-2", rivals, "");
  await page.keyboard.press("j");
  await shown("INV-3", say("A transfer of this amount was refunded or isn't final.", "有一笔同额到账已退款或尚未完成。"), "");
  await page.keyboard.press("j");
  await shown("INV-4", say("Matching transfer found", "找到相符的到账"), "1000050003");
  expect(complaints).toEqual([]);
}, 120_000);
