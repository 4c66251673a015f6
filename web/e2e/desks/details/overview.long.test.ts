import type { Locator, Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import { reportByBuyer } from "../../../../server/src/checkout/index.ts";
import { cancelOrder, reportPayment, startPayment } from "../../../../server/src/orders/index.ts";
import { changeEndpoint } from "../../../../server/src/webhooks/index.ts";
import { expectAccessible, prepareToIntercept, screenshot } from "../../../../server/test/support/browser/browser.ts";
import { openDashboard } from "../../../../server/test/support/dashboard/dashboard.ts";
import { dashboardApp } from "../../../../server/test/support/dashboard/dashboard-app.ts";
import { openShop } from "../../../../server/test/support/dashboard/open-shop.ts";
import { localEgress } from "../../../../server/test/support/network/certificate.ts";
import { receiver } from "../../../../server/test/support/network/receiver.ts";
import { payShop } from "../../../../server/test/support/payments/pay-shop.ts";
import { receiptShops } from "../../../../server/test/support/payments/receipt-shop.ts";
import { visitor } from "../../../../server/test/support/people/visitors.ts";
import { emitSome, endpointAt, handOf } from "../../../../server/test/support/webhooks/webhook-world.ts";

const dashboard = await dashboardApp({ egress: await localEgress(), startsAt: new Date().toISOString() });
const { app, browser, look, say, origin } = dashboard;
const hand = handOf(app.ctx);
const timeLimit = 120_000;

test(
  "the overview counts webhooks that we switched off, in red; those that a person disabled cause no alarm",
  async () => {
    const tenant = await app.tenant();
    const person = await visitor(app, { merchant_id: tenant.merchant_id, role: "owner" });
    const gone = await receiver((_one, response) => response.writeHead(410).end());
    await endpointAt(app.ctx, tenant, gone.url);
    const quiet = await endpointAt(app.ctx, tenant, gone.url, ["order.failed"]);
    await changeEndpoint(app.ctx, tenant, { id: quiet.id, if_version: null, status: "disabled" });
    await emitSome(app.ctx, tenant);
    await hand.deliver();
    const { page, complaints } = await openDashboard(browser, { origin, look, email: person.email });
    await page.goto(`${origin}/dashboard`);
    const alarm = page.locator(".wait[data-tone=failed]");
    await alarm.waitFor();
    expect(await alarm.textContent()).toBe(say("1 webhook disabled after failures", "1 个 Webhook 因持续失败已停用"));
    await alarm.click();
    const badges = page.locator(".badge");
    await badges.filter({ hasText: say("Disabled automatically", "已自动停用") }).waitFor();
    expect(await page.locator('.badge[data-tone="failed"]').count()).toBe(1);
    expect(await page.locator('.badge[data-tone="expired"]').count()).toBe(1);
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  },
  timeLimit,
);

test(
  "a buyer's report on a canceled order is shown; scarce amounts cause a warning, and merchants who confirm manually are offered unique amounts",
  async () => {
    const { tenant, order } = await payShop(app, { matching: { mode: "unique_amount", max_offset_minor: 10, strict: true } });
    const person = await visitor(app, { merchant_id: tenant.merchant_id, role: "owner" });
    for (let count = 0; count < 7; count += 1)
      await startPayment(app.ctx, tenant, { order_id: (await order({ amount_minor: 5_000 })).order.id, gateway: "wechatpay" });
    const canceled = await order({ amount_minor: 8_000, reference: "INV-GONE" });
    await startPayment(app.ctx, tenant, { order_id: canceled.order.id, gateway: "wechatpay" });
    await cancelOrder(app.ctx, tenant, { order_id: canceled.order.id });
    await reportByBuyer(app.ctx, { token: canceled.token });
    const { page, complaints } = await openDashboard(browser, { origin, look, email: person.email });
    await page.goto(`${origin}/dashboard`);
    await page.getByRole("link", { name: say("1 canceled order reported as paid", "1 笔已取消的订单，买家称已付款") }).click();
    await page.locator(".badge", { hasText: say("Reported as paid", "买家称已付款") }).waitFor();
    expect(await page.locator(".row-link").count()).toBe(1);
    await expectAccessible(page);
    await screenshot(page, "orders-claimed");
    await page.locator(".row-link").click();
    await dismissClaimOn(page);
    expect(complaints).toEqual([]);
    await page.goto(`${origin}/dashboard`);
    await page.getByRole("link", { name: say("1 price running out of unique amounts", "1 个价格的可用金额即将用完") }).click();
    await page.getByText(say("¥50.00: 7 of 10 amounts in use.", "¥50.00：10 个金额中已占用 7 个。")).waitFor();
    await page.getByText(say("buyers can't pay that price", "买家暂时无法支付该价格的订单")).waitFor();
    await expectAccessible(page);
    await screenshot(page, "codes-crowded");
    await reduceOn(page).first().click();
    await page.getByText(say("¥50.00: 7 of 10 amounts in use.", "¥50.00：10 个金额中已占用 7 个。")).waitFor({ state: "detached" });
    const profile = (await app.api(tenant.key).get(`/api/v1/projects/${tenant.project_id}/collection-profiles/wechat`)).body;
    expect(profile).toMatchObject({
      matching: { mode: "unique_amount", max_offset_minor: 99, strict: true },
      crowded_prices: [],
      payee_name: "张*",
    });

    const plain = await payShop(app);
    const other = await visitor(app, { merchant_id: plain.tenant.merchant_id, role: "owner" });
    const opened = await openDashboard(browser, { origin, look, email: other.email });
    await opened.page.goto(`${origin}/dashboard/codes`);
    await reduceOn(opened.page).last().click();
    await expect.poll(() => reduceOn(opened.page).count()).toBe(1);
    const changed = (await app.api(plain.tenant.key).get(`/api/v1/projects/${plain.tenant.project_id}/collection-profiles/alipay`)).body;
    expect(changed.matching).toEqual({ mode: "unique_amount", max_offset_minor: 99, strict: false });
    expect([...complaints, ...opened.complaints]).toEqual([]);
  },
  timeLimit,
);

test(
  "that nothing needs attention is said once everything was read; what couldn't be read is requested again",
  async () => {
    const { page, goto } = await openShop(dashboard);
    const queue = /\/reviews\/queue\?/;
    const down = { status: 503, json: { error: { code: "service_unavailable", message: "Starting." } } };
    const nothing = page.getByText(say("You're all caught up.", "没有待处理事项。"));
    const held: Route[] = [];
    await prepareToIntercept(page);
    await page.route(queue, (route) => void held.push(route));
    await goto("");
    await page.locator(".figure-number").first().waitFor();
    expect(await nothing.count()).toBe(0);
    await page.unroute(queue);
    await page.route(queue, (route) => route.fulfill(down));
    for (const route of held) await route.fulfill(down);
    const trouble = page.locator(".section .trouble");
    await trouble.waitFor();
    expect(await nothing.count()).toBe(0);
    await expectAccessible(page);
    await page.unroute(queue);
    await trouble.getByRole("button", { name: say("Try again", "重试") }).click();
    await nothing.waitFor();
  },
  timeLimit,
);

test(
  "the figures end today, also on a page that has been open since yesterday",
  async () => {
    const { page, goto } = await openShop(dashboard);
    const figuresTo = (end: Date) =>
      page.waitForRequest((request) => {
        const { pathname, searchParams } = new URL(request.url());
        return pathname.endsWith("/figures") && searchParams.get("to") === end.toISOString();
      });
    await page.clock.install({ time: new Date(2026, 10, 20, 23, 50) });
    const yesterday = figuresTo(new Date(2026, 10, 21));
    await goto("");
    await yesterday;
    await page.locator(".figure-number").first().waitFor();
    const today = figuresTo(new Date(2026, 10, 22));
    await page.clock.fastForward(20 * 60_000);
    await today;
  },
  timeLimit,
);

test(
  "what a transfer confirmed isn't shown as the time that someone took for a review",
  async () => {
    const shop = await receiptShops(app)({ mode: "unique_amount" });
    const person = await visitor(app, { merchant_id: shop.merchant_id, role: "owner" });
    const { order_id, payable } = await shop.paying();
    await reportPayment(app.ctx, shop, { order_id });
    app.clock.advance(20_000);
    await shop.receipt({ amount_minor: payable });
    expect((await shop.order(order_id)).flags).toEqual(["auto_matched"]);
    const { page, complaints } = await openDashboard(browser, { origin, look, email: person.email });
    await page.goto(`${origin}/dashboard`);
    const figure = page.locator(".figure", { hasText: say("Median time to confirmation", "确认用时") });
    await figure.getByText(say("20 seconds", "20 秒")).waitFor();
    await figure.getByText(say("until the payment was approved or matched", "人工核对或自动对账")).waitFor();
    expect(complaints).toEqual([]);
  },
  timeLimit,
);

function reduceOn(page: Page): Locator {
  return page.getByRole("button", { name: say("Reduce amounts by up to ¥0.99", "允许少收 ¥0.99 以内") });
}

async function dismissClaimOn(page: Page): Promise<void> {
  const dismiss = () => page.getByRole("button", { name: say("Dismiss", "忽略"), exact: true });
  await dismiss().click();
  const dialog = page.getByRole("dialog");
  expect(await dialog.getByRole("button", { name: say("Dismiss", "忽略"), exact: true }).isDisabled()).toBe(true);
  await dialog.getByLabel(say("No transfer found", "未收到此款项")).check();
  await expectAccessible(page);
  await screenshot(page, "order-dismiss-claim");
  await dialog.getByRole("button", { name: say("Dismiss", "忽略"), exact: true }).click();
  await dialog.waitFor({ state: "detached" });
  await dismiss().waitFor({ state: "detached" });
}
