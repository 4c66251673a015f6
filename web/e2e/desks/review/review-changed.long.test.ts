import { expect, test } from "vitest";
import { createOrder, submitVoucher, withdrawReport } from "../../../../server/src/orders/index.ts";
import { reviewOrder } from "../../../../server/src/reconciliation/index.ts";
import { expectAccessible, screenshot } from "../../../../server/test/support/browser/browser.ts";
import { openDashboard } from "../../../../server/test/support/dashboard/dashboard.ts";
import { dashboardApp } from "../../../../server/test/support/dashboard/dashboard-app.ts";
import { payShop } from "../../../../server/test/support/payments/pay-shop.ts";
import { visitor } from "../../../../server/test/support/people/visitors.ts";

const { app, browser, look, say, origin } = await dashboardApp();
const patience = { timeout: 25_000 };

test("what a buyer sends after the reviewer has looked is never decided unseen: neither under the hand nor while a decision is held", async () => {
  const { tenant } = await payShop(app);
  const person = await visitor(app, { merchant_id: tenant.merchant_id, role: "reviewer" });
  const { order } = await createOrder(app.ctx, tenant, { amount_minor: 4590, currency: "CNY", reference: "INV-1" });
  const prove = (gateway: string, transaction_reference: string) =>
    submitVoucher(app.ctx, tenant, { order_id: order.id, gateway, transaction_reference });
  const read = async () => (await app.api(tenant.key).get(`/api/v1/projects/${tenant.project_id}/orders/${order.id}`)).body;
  await prove("wechatpay", "42000077001");
  const { page, complaints } = await openDashboard(browser, { origin, look, email: person.email });
  const approve = page.getByRole("button", { name: say("Approve ¥45.90", "通过 ¥45.90") });
  const changed = page
    .getByRole("status")
    .filter({ hasText: say("The buyer has sent something new for INV-1.", "买家为 INV-1 提交了新内容。") });
  await page.goto(`${origin}/dashboard/review`);
  await page.getByText("42000077001").waitFor();
  await page.getByLabel(say("Transfer number", "转账单号")).first().fill("4200000000001");

  await prove("wechatpay", "42000077002");
  await changed.waitFor(patience);
  expect([await approve.count(), await page.getByText("42000077001").count()]).toEqual([0, 1]);
  await page.keyboard.press("a");
  await expectAccessible(page);
  await screenshot(page, "review-changed");
  await changed.getByRole("button").click();
  await page.getByText("42000077002").waitFor();
  expect(await page.getByLabel(say("Transfer number", "转账单号")).first().inputValue()).toBe("");

  await approve.click();
  await page.locator(".outbox").waitFor();
  await withdrawReport(app.ctx, tenant, { order_id: order.id });
  await prove("alipay", "2026112022001");
  await page
    .getByText(say("INV-1 wasn't decided: the buyer withdrew the payment", "INV-1 未处理：买家已撤回付款"), { exact: false })
    .waitFor(patience);
  expect(await read()).toMatchObject({ status: "pending_verify", amount_received_minor: 0 });
  expect(complaints.filter((one) => !one.includes("409"))).toEqual([]);
}, 120_000);

test("an operator's dialog says that the proof was replaced or decided, and closes; what was sent since waits in the list", async () => {
  const { tenant } = await payShop(app);
  const operator = await visitor(app, { merchant_id: tenant.merchant_id, role: "owner", is_operator: true });
  const { order } = await createOrder(app.ctx, tenant, { amount_minor: 4590, currency: "CNY", reference: "OPS-1" });
  const prove = (transaction_reference: string) =>
    submitVoucher(app.ctx, tenant, { order_id: order.id, gateway: "wechatpay", transaction_reference });
  const { page, complaints } = await openDashboard(browser, { origin, look, email: operator.email });
  const dialogs = page.getByRole("dialog");
  const open = async (transfer: string) => {
    await page.goto(`${origin}/dashboard/operator/proofs`);
    await page.getByRole("button", { name: "OPS-1" }).click();
    await dialogs.getByText(transfer).waitFor();
  };
  await prove("42000088001");
  await open("42000088001");
  await prove("42000088002");
  await dialogs.getByRole("button", { name: say("Approve ¥45.90", "通过 ¥45.90") }).click();
  await page.getByText(say("OPS-1 wasn't decided: the buyer withdrew the payment", "OPS-1 未处理：买家已撤回付款")).waitFor();
  await expect.poll(() => dialogs.count(), patience).toBe(0);

  await open("42000088002");
  await reviewOrder(app.ctx, tenant, { order_id: order.id, decision: "reject", reason_code: "unreadable" });
  await dialogs.getByRole("button", { name: say("Reject", "驳回"), exact: true }).click();
  const reject = page.getByRole("dialog", { name: say("Reject OPS-1", "驳回 OPS-1") });
  await reject.getByRole("radio", { name: say("Payment not received", "没有收到款项") }).click();
  await reject.getByRole("button", { name: say("Reject", "驳回"), exact: true }).click();
  await page.getByText(say("OPS-1 was already decided by someone else.", "OPS-1 已由他人处理")).waitFor();
  await expect.poll(() => dialogs.count(), patience).toBe(0);
  expect(complaints.filter((one) => !one.includes("409"))).toEqual([]);
}, 120_000);
