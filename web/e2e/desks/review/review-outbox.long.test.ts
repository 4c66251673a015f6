import type { Locator, Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import { createOrder, submitVoucher } from "../../../../server/src/orders/index.ts";
import { prepareToIntercept } from "../../../../server/test/support/browser/browser.ts";
import { openDashboard } from "../../../../server/test/support/dashboard/dashboard.ts";
import { dashboardApp } from "../../../../server/test/support/dashboard/dashboard-app.ts";
import { payShop } from "../../../../server/test/support/payments/pay-shop.ts";
import { visitor } from "../../../../server/test/support/people/visitors.ts";

const { app, browser, look, say, origin } = await dashboardApp();
const patience = { timeout: 25_000 };
const timeLimit = 120_000;
const hide = `Object.defineProperty(document, "visibilityState", { value: "hidden" }); document.dispatchEvent(new Event("visibilitychange"))`;

/** Two orders with proof, their reviewer's page whose responses to decisions are held back, and the next decision that it sends. */
async function desk() {
  const { tenant } = await payShop(app);
  const person = await visitor(app, { merchant_id: tenant.merchant_id, role: "reviewer" });
  const ids: string[] = [];
  for (const reference of ["INV-1", "INV-2"]) {
    const { order } = await createOrder(app.ctx, tenant, { amount_minor: 4590, currency: "CNY", reference });
    await submitVoucher(app.ctx, tenant, { order_id: order.id, gateway: "wechatpay", transaction_reference: `T${order.id}` });
    ids.push(order.id);
  }
  const { page } = await openDashboard(browser, { origin, look, email: person.email });
  await prepareToIntercept(page);
  const held: Route[] = [];
  await page.route("**/verification*", (route) => void held.push(route));
  const sent = async () => {
    await expect.poll(() => held.length, patience).toBe(1);
    return held.shift() ?? expect.fail("nothing was sent");
  };
  const api = app.api(tenant.key);
  const statusOf = async (index: number) => (await api.get(`/api/v1/projects/${tenant.project_id}/orders/${ids[index]}`)).body.status;
  return { page, held, sent, statusOf };
}

const approving = (page: Page): { approve: Locator; bar: Locator; done: Locator } => ({
  approve: page.getByRole("button", { name: say("Approve ¥45.90", "通过 ¥45.90") }),
  bar: page.locator(".outbox"),
  done: page.getByText(say("INV-1 approved", "INV-1 已通过")),
});
const waitForOrder = (page: Page, reference: string) => page.getByRole("heading", { level: 2, name: reference }).waitFor();

test(
  "after five seconds, when the page hides and when it is left, a decision is sent, and nothing shows it as done before the response",
  async () => {
    const { page, held, sent, statusOf } = await desk();
    const { approve, bar, done } = approving(page);
    await page.clock.install();
    await page.goto(`${origin}/dashboard/review`);
    await waitForOrder(page, "INV-1");

    // The connection breaks before the server has it.
    await approve.click();
    await bar.getByText(say("Not sent yet", "尚未提交")).waitFor();
    expect(held).toEqual([]);
    await page.clock.fastForward(5_000);
    await bar.getByText(say("Sending…", "正在提交…")).waitFor();
    const broken = await sent();
    expect([await done.count(), await bar.getByRole("button").count(), await statusOf(0)]).toEqual([0, 0, "pending_verify"]);
    await broken.abort();
    await page.getByText(say("INV-1 is still waiting.", "INV-1 仍待核对。")).waitFor();
    await waitForOrder(page, "INV-1");
    expect(await done.count()).toBe(0);

    // A hidden page sends immediately; the response takes long.
    await approve.click();
    await bar.getByText(say("Not sent yet", "尚未提交")).waitFor();
    await page.evaluate(hide);
    const delayed = await sent();
    const answer = await delayed.fetch();
    expect(await statusOf(0)).toBe("paid");
    await bar.getByText(say("Sending…", "正在提交…")).waitFor();
    expect(await done.count()).toBe(0);
    await delayed.fulfill({ response: answer });
    await done.waitFor();

    // The result of a decision is shown on another page too.
    await waitForOrder(page, "INV-2");
    await approve.click();
    await bar.waitFor();
    await page.locator('a[href$="/orders"]:visible').first().click();
    const left = await sent();
    await page.getByRole("heading", { level: 1, name: say("Orders", "订单") }).waitFor();
    await left.abort();
    await page.getByText(say("INV-2 is still waiting.", "INV-2 仍待核对。")).waitFor();
    expect(await statusOf(1)).toBe("pending_verify");
  },
  timeLimit,
);
