import { expect, test } from "vitest";
import { refundOrder, simulatePayment } from "../../../server/src/orders/index.ts";
import { expectAccessible } from "../../../server/test/support/browser/browser.ts";
import { openDashboard } from "../../../server/test/support/dashboard/dashboard.ts";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { orderPages } from "../../../server/test/support/desks/order-page.ts";
import { disputeOf } from "../../../server/test/support/gateways/scripted/gateway-deeds.ts";
import { payingGateway } from "../../../server/test/support/gateways/scripted/paying-gateway.ts";
import { refundShop } from "../../../server/test/support/gateways/scripted/refund-shop.ts";
import { visitor } from "../../../server/test/support/people/visitors.ts";

const gateway = payingGateway();
const dashboard = await dashboardApp({ gateways: { adapters: [gateway.adapter] } });
const { app, browser, look, say, origin } = dashboard;
const { ctx } = app;
const { openOrder, orderPage } = orderPages(dashboard);
const timeLimit = 120_000;
const actions = say("Actions", "操作");
const refund = say("Record a refund", "登记退款");
const reverse = say("Reverse payment", "撤销付款");

test(
  "a payment through a provider is refunded by the provider, which may refuse, or wait for the buyer",
  async () => {
    const shop = await refundShop(app, gateway);
    const { order } = await shop.paid({ reference: "BACK-1" });
    const { page, complaints, read } = await openOrder({ tenant: shop.tenant, order, role: "owner" });
    const name = say("Test Pay", "测试支付");
    const ask = async () => {
      await page.getByRole("button", { name: actions, exact: true }).click();
      await page.getByRole("menuitem", { name: say("Refund", "退款"), exact: true }).click();
    };
    await ask();
    const dialog = page.getByRole("dialog");
    expect(await dialog.getByRole("radio", { name: say(`Through ${name}`, `通过${name}退款`) }).isChecked()).toBe(true);
    expect(await dialog.getByLabel(say("Refunded on", "退款时间")).count()).toBe(0);
    await expectAccessible(page);
    await dialog.getByLabel(say("Amount (CNY)", "金额（CNY）")).fill("25.50");
    const button = dialog.getByRole("button", { name: say("Refund ¥25.50", "退款 ¥25.50") });
    gateway.fault("refund", { kind: "declined", code: "no_balance" });
    await button.click();
    await dialog.getByText(say(`${name} declined this refund, and nothing was refunded.`, `${name}拒绝了这笔退款`)).waitFor();
    gateway.refundsBegin = { state: "requires_action", claimUrl: "https://btc.example/claim-1" };
    await button.click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText("https://btc.example/claim-1").waitFor();
    await page.getByText(say("Action required", "待买家操作")).waitFor();
    expect((await read("/refunds")).data).toMatchObject([
      { method: "gateway", status: "requires_action", amount_minor: 2550 },
      { status: "failed" },
    ]);
    await expectAccessible(page);
    await ask();
    await dialog.getByText(say("¥73.50 can still be refunded.", "还可退 ¥73.50。")).waitFor();
    await dialog.getByRole("radio", { name: say("I've already refunded it", "我已自行退款") }).click();
    // The server's clock differs from the browser's.
    await dialog.getByLabel(say("Refunded on", "退款时间")).fill("2026-11-19T15:00");
    await dialog.getByRole("button", { name: say("Record refund of ¥73.50", "登记退款 ¥73.50") }).click();
    await dialog.waitFor({ state: "detached" });
    expect((await read("/refunds")).data[0]).toMatchObject({ method: "manual", status: "succeeded", amount_minor: 7350 });
    expect(complaints.filter((one) => !one.includes("502"))).toEqual([]);
  },
  timeLimit,
);

test(
  "an order whose payment is disputed shows it and what the provider says, and offers no refund by the provider during that time",
  async () => {
    const shop = await refundShop(app, gateway);
    const { order, session } = await shop.paid({ reference: "BACK-1" });
    const sendDispute = async (more: Parameters<typeof disputeOf>[1]) => {
      const report = { kind: "dispute", dispute: disputeOf(session.id, more) } as const;
      const answer = await app
        .api()
        .call("POST", `/api/payments/testpay/webhook/${shop.credential}`, gateway.callback(session.id, { report }));
      expect(answer.status).toBe(200);
    };
    await sendDispute({ at: 1, state: "inquiry" });
    const { page, complaints } = await openOrder({ tenant: shop.tenant, order, role: "owner" });
    const name = say("Test Pay", "测试支付");
    await page.getByText(say("No money has been taken yet.", "尚未扣款。")).waitFor();
    await page.getByText("fraudulent", { exact: true }).waitFor();
    await page.getByText(say("Disputed", "有争议"), { exact: true }).waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: actions, exact: true }).click();
    await page.getByRole("menuitem", { name: say("Refund", "退款"), exact: true }).click();
    const dialog = page.getByRole("dialog");
    const byProvider = dialog.getByRole("radio", { name: say(`Through ${name}`, `通过${name}退款`) });
    // During an inquiry, a refund is how most of them end.
    expect(await byProvider.isChecked()).toBe(true);
    await page.keyboard.press("Escape");
    await sendDispute({ at: 2, providerDisputeId: "dp_part", amount: { amount_minor: 100, currency: "CNY" } });
    await page.reload();
    await page.getByRole("button", { name: actions, exact: true }).click();
    await page.getByRole("menuitem", { name: say("Refund", "退款"), exact: true }).click();
    expect(await byProvider.isDisabled()).toBe(true);
    expect(await dialog.getByRole("radio", { name: say("I've already refunded it", "我已自行退款") }).isChecked()).toBe(true);
    await dialog.getByText(say(`so ${name} decides about the refund`, `款项去向由${name}裁定`)).waitFor();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await sendDispute({ at: 3, providerDisputeId: "dp_part", state: "won", amount: { amount_minor: 100, currency: "CNY" } });
    await sendDispute({ at: 3 });
    await page.reload();
    await page.getByText(say("The provider has withdrawn the money for now.", "支付机构已暂时扣回款项。")).waitFor();
    await page.getByText(say("Withdrawn for disputes", "因争议被扣回")).waitFor();
    expect(await page.getByRole("button", { name: actions, exact: true }).count()).toBe(0);
    await page.getByRole("link", { name: say("Resolve", "去处理"), exact: true }).click();
    await page.getByRole("button", { name: say("Resolve", "处理"), exact: true }).click();
    await dialog.getByText(say("The provider's reason: fraudulent.", "支付机构注明的原因：fraudulent。")).waitFor();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: say("Close this exception", "关闭此异常") }).click();
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => page.getByRole("button", { name: say("Resolve", "处理"), exact: true }).count()).toBe(0);
    expect(complaints).toEqual([]);
  },
  timeLimit,
);

test(
  "a payment that was confirmed by mistake is reversed with a cause and a note",
  async () => {
    const { page, complaints, read } = await orderPage("reviewer");
    await page.getByRole("button", { name: actions, exact: true }).click();
    expect(await page.getByRole("menuitem", { name: refund }).count()).toBe(0);
    await page.getByRole("menuitem", { name: reverse }).click();
    const dialog = page.getByRole("dialog");
    const button = dialog.getByRole("button", { name: reverse });
    expect(await button.isDisabled()).toBe(true);
    await dialog.getByRole("radio", { name: say("The money never arrived", "款项没有到账") }).click();
    await dialog.getByLabel(say("Reason", "说明")).fill("last month's picture");
    await expectAccessible(page);
    await button.click();
    await dialog.waitFor({ state: "detached" });
    expect(await read()).toMatchObject({ status: "paid", flags: ["payment_reversed"], amount_received_minor: 0 });
    await page.getByText(say("was reversed in the books", "已从账目中撤销")).waitFor();
    await page.getByRole("button", { name: actions, exact: true }).click();
    expect(await page.getByRole("menuitem", { name: reverse }).count()).toBe(0);
    await page.getByRole("menuitem", { name: say("Mark as paid", "标记为已付款") }).waitFor();
    expect(complaints).toEqual([]);
  },
  timeLimit,
);

test(
  "an accountant is only offered the refund, and a viewer neither",
  async () => {
    const accountant = await orderPage("accountant");
    await accountant.page.getByRole("button", { name: actions, exact: true }).click();
    expect(await accountant.page.getByRole("menuitem").allInnerTexts()).toEqual([refund]);
    const viewer = await orderPage("viewer");
    expect(await viewer.page.getByRole("button", { name: actions, exact: true }).count()).toBe(0);
    expect([...accountant.complaints, ...viewer.complaints]).toEqual([]);
  },
  timeLimit,
);

test(
  "a refund and a provider's fee are named in the transactions, and found by their type",
  async () => {
    const shop = await refundShop(app, gateway);
    await shop.paid({}, { fee: { amount_minor: 60, currency: "CNY" } });
    const { order } = await shop.order();
    await simulatePayment(ctx, shop.tenant, { order_id: order.id });
    await refundOrder(ctx, shop.tenant, { order_id: order.id, amount_minor: 2550 });
    const person = await visitor(app, { merchant_id: shop.tenant.merchant_id, role: "accountant" });
    const { page, complaints } = await openDashboard(browser, { origin, look, email: person.email });
    await page.goto(`${origin}/dashboard/transactions`);
    const names = page.locator('.rows td[data-phone="title"]');
    await expect.poll(() => names.count()).toBe(4);
    expect(await names.allInnerTexts()).not.toContain("");
    await page.locator('.chip[data-filter="type"] > button:first-child').click();
    for (const type of [say("Refund", "退款"), say("Fee", "手续费")]) await page.locator(".choice", { hasText: type }).click();
    await expect
      .poll(async () => (await names.allInnerTexts()).toSorted())
      .toEqual([say("Fee", "手续费"), say("Refund", "退款")].toSorted());
    expect(complaints).toEqual([]);
  },
  timeLimit,
);

test(
  "a part of an order is recorded as refunded, and marked as failed when it is returned",
  async () => {
    const { page, complaints, read } = await orderPage("owner");
    await page.getByRole("button", { name: actions, exact: true }).click();
    await page.getByRole("menuitem", { name: refund }).click();
    const dialog = page.getByRole("dialog");
    const amount = dialog.getByLabel(say("Amount (CNY)", "金额（CNY）"));
    expect(await amount.inputValue()).toBe("99.00");
    await amount.fill("100");
    // The server's clock differs from the browser's.
    await dialog.getByLabel(say("Refunded on", "退款时间")).fill("2026-11-19T15:00");
    await dialog.getByLabel(say("Transfer number", "转账单号")).fill("42000099");
    await dialog.getByRole("button", { name: say("Record refund of ¥100.00", "登记退款 ¥100.00") }).click();
    await dialog
      .getByText(say("That's more than can still be refunded. Enter a smaller amount.", "超过可退金额，请填写较小的金额。"))
      .waitFor();
    await amount.fill("25.50");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: say("Record refund of ¥25.50", "登记退款 ¥25.50") }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await read()).toMatchObject({ status: "paid", amount_refunded_minor: 2550 });
    expect((await read("/refunds")).data).toMatchObject([
      { amount_minor: 2550, channel: "wechat", external_transaction_id: "42000099", status: "succeeded" },
    ]);
    await page.getByText("42000099").waitFor();
    await page.getByRole("button", { name: say("Mark as failed", "标记为失败") }).click();
    await dialog.getByRole("radiogroup", { name: say("Mark this refund as failed?", "将这笔退款标记为失败？") }).waitFor();
    await dialog.getByRole("radio", { name: say("The money came back", "款项被退回") }).click();
    await dialog.getByRole("button", { name: say("Mark as failed", "标记为失败") }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await read()).toMatchObject({ amount_refunded_minor: 0 });
    await page.getByText(say("The money came back", "款项被退回")).waitFor();
    await expectAccessible(page);
    // The browser reports that the first one was refused.
    expect(complaints.filter((one) => !one.includes("409"))).toEqual([]);
  },
  timeLimit,
);
